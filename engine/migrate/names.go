package migrate

import (
	"fmt"
	"slices"
	"strings"
)

// Names are the names that had to change, by kind, in order of appearance.
type Names []Renaming

// A Renaming is a Grid Engine name and its PBS name. It is reversible: no two names of a kind get the same
// PBS name.
type Renaming struct {
	Kind     string // "queue", "resource", "share tree node"
	From, To string
	Why      string
}

// A spelling is what PBS accepts as a name of a kind.
type spelling struct {
	kind     string
	longest  int
	letter   bool // has to begin with a letter; else with a letter or digit
	legal    func(c byte) bool
	taken    []string // names that PBS has given away
	why      string
	invented bool // the name is of our own making, and stands for no Grid Engine name
}

// maxQueueName is the longest name of a queue (PBS_MAXQUEUENAME).
const maxQueueName = 15

// Spellings of PBS, as its server checks them when objects are made.
var (
	queueSpelling = spelling{kind: "queue", longest: maxQueueName, legal: wordByte("_-"), taken: queueWords,
		why: "the name of a queue has at most 15 letters, digits, _ and -, and is not the name of an attribute"}
	resourceSpelling = spelling{kind: "resource", longest: 64, letter: true, legal: wordByte("_"), taken: resourceWords,
		why: "the name of a resource has letters, digits and _, and is not a word of formulas"}
)

// newResourceName makes the name of a resource of our own.
func (t *Translation) newResourceName(name string) string {
	s := resourceSpelling
	s.invented = true
	return t.spell(s, name)
}

func wordByte(more string) func(byte) bool {
	return func(c byte) bool {
		return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || strings.IndexByte(more, c) >= 0
	}
}

// queueWords are names that qmgr takes for attributes of a queue when they stand where a queue's name stands.
var queueWords = strings.Fields("Priority enabled started queue_type acl_users acl_groups acl_hosts " +
	"max_run max_queued partition")

// resourceWords are words that a formula reads as something else than a resource, and resources that every server has.
var resourceWords = strings.Fields(`eligible_time queue_priority job_priority fairshare_perc fair_share_perc fairshare_tree_usage
	fairshare_factor accrue_type ans pi e tau inf nan
	and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not
	or pass raise return try while with yield None True False
	abs all any bin bool bytes chr dict dir divmod filter float format hash hex id int iter len list map max min next object oct open ord
	pow print property range repr reversed round set slice sorted str sum super tuple type vars zip
	acos acosh asin asinh atan atan2 atanh ceil comb copysign cos cosh degrees dist erf erfc exp expm1 fabs factorial floor fmod frexp
	fsum gamma gcd hypot isclose isfinite isinf isnan isqrt lcm ldexp lgamma log log10 log1p log2 modf nextafter perm prod radians
	remainder sin sinh sqrt tan tanh trunc ulp
	accelerator accelerator_group accelerator_memory accelerator_model aoe arch cpupercent cput energy eoe exec_vnode file hbmem host hpm
	max_walltime mem min_walltime mpiprocs naccelerators nchunk ncpus nice nodect nodemask nodes ompthreads partition pcap_accelerator
	pcap_node pcput pe_mask pgov place pmem preempt_targets pstate pvmem resc select site soft_walltime software ssinodes start_time
	vmem vnode vntype walltime qlist`)

// spell gives a name the spelling that PBS accepts, a new one each time, and lists it where it changed.
func (t *Translation) spell(s spelling, name string) string {
	own := [2]string{s.kind, name}
	if known, ok := t.made.pbsNames[own]; ok {
		return known
	}
	to := s.first(name)
	for n := 2; slices.Contains(s.taken, to) || t.made.taken[[2]string{s.kind, to}]; n++ {
		tail := fmt.Sprintf("_%d", n)
		base := s.first(name)
		to = base[:min(len(base), s.longest-len(tail))] + tail
	}
	t.made.pbsNames[own], t.made.taken[[2]string{s.kind, to}] = to, true
	if to != name && !s.invented {
		t.Names = append(t.Names, Renaming{Kind: s.kind, From: name, To: to, Why: s.why})
	}
	return to
}

// first is the nearest spelling, which may be taken.
func (s spelling) first(name string) string {
	b := []byte(name)
	for i, c := range b {
		if !s.legal(c) {
			b[i] = '_'
		}
	}
	isLetter := len(b) > 0 && 'a' <= b[0]|0x20 && b[0]|0x20 <= 'z'
	isDigit := len(b) > 0 && '0' <= b[0] && b[0] <= '9'
	if !isLetter && (s.letter || !isDigit) {
		b = append([]byte("x"), b...)
	}
	return string(b[:min(len(b), s.longest)])
}
