package conformance

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// A slurmCase is a random cluster of Slurm: what its controller is told, who has used what, and what is submitted when.
type slurmCase struct {
	lines    string   // of slurm.conf
	load     string   // what sacctmgr loads
	admin    []string // further commands of sacctmgr
	users    []string
	usage    []slurmUsage
	since    time.Duration // from the last pass to the one that is compared
	start    time.Time
	jobs     []slurmSubmission
	fairTree bool
	half     time.Duration
}

type slurmUsage struct{ account, user, value string }

type slurmSubmission struct {
	after   time.Duration // the job before
	user    string
	options []string
	nodes   int // the least that it asks for: of a range, scontrol shows another number
}

type slurmDice struct {
	*rand.Rand
	c       *slurmCase
	members [][2]string // account, user
	parts   []string
	gpus    int
}

// randomSlurm makes up a cluster.
func randomSlurm(seed uint64) *slurmCase {
	r := &slurmDice{Rand: rand.New(rand.NewPCG(seed, 22)), c: &slurmCase{start: time.Unix(1790000000+int64(seed%1000)*3600, 0)}}
	r.policy()
	r.nodes()
	r.associations()
	for range 12 + r.IntN(18) {
		r.job()
	}
	return r.c
}

func (r *slurmDice) linef(format string, args ...any) {
	r.c.lines += fmt.Sprintf(format+"\n", args...)
}

func (r *slurmDice) chance(percent int) bool { return r.IntN(100) < percent }

func pickOf[T any](r *slurmDice, list ...T) T { return list[r.IntN(len(list))] }

// weight is often nothing, else of any size.
func (r *slurmDice) weight() int {
	if r.chance(20) {
		return 0
	}
	return r.IntN(pickOf(r, 10, 1000, 100_000, 50_000_000))
}

func (r *slurmDice) policy() {
	flags := []string{}
	if r.c.fairTree = r.chance(50); !r.c.fairTree {
		flags = append(flags, "NO_FAIR_TREE")
	}
	enforce := "associations"
	if r.chance(60) {
		flags = append(flags, "ACCRUE_ALWAYS")
	} else if r.chance(60) { // not both: what a start of the controller makes of the ages then depends on who looks first (M10)
		enforce += ",limits,qos"
	}
	r.linef("PriorityType=priority/multifactor\nPriorityCalcPeriod=0-05:00:00\nAccountingStorageEnforce=%s", enforce)
	if len(flags) > 0 {
		r.linef("PriorityFlags=%s", strings.Join(flags, ","))
	}
	r.c.half = time.Duration(1+r.IntN(20000)) * time.Minute
	r.linef("PriorityDecayHalfLife=%d\nPriorityMaxAge=%d\nPriorityFavorSmall=%s", int(r.c.half.Minutes()), 1+r.IntN(3000),
		pickOf(r, "YES", "NO"))
	for _, name := range []string{"Age", "Assoc", "JobSize", "Partition", "QOS"} {
		r.linef("PriorityWeight%s=%d", name, r.weight())
	}
	r.linef("PriorityWeightFairshare=%d", max(1, r.weight()))
	if r.chance(70) {
		r.linef("PriorityWeightTRES=cpu=%d,mem=%d,gres/gpu=%d,license/app=%d,node=%d,billing=%d", r.weight(), r.weight(), r.weight(), r.weight(),
			r.weight(), r.weight())
	}
}

func (r *slurmDice) nodes() {
	r.gpus = 1 + r.IntN(4)
	r.linef("AccountingStorageTRES=gres/gpu,license/app\nGresTypes=gpu\nLicenses=app:%d", 1+r.IntN(20))
	n := 2 + r.IntN(6)
	for i := range n {
		r.linef("NodeName=n%d NodeAddr=127.0.0.1 Port=%d CPUs=%d RealMemory=%d Gres=gpu:%d", i+1, 30001+i, 4+r.IntN(12), 1000+r.IntN(8000),
			r.gpus)
	}
	for i := range 1 + r.IntN(3) {
		name, nodes, first := fmt.Sprint("p", i+1), "ALL", "NO"
		if i > 0 && r.chance(60) {
			nodes = fmt.Sprintf("n[1-%d]", 1+r.IntN(n))
		}
		if i == 0 {
			first = "YES"
		}
		r.parts = append(r.parts, name)
		r.linef("PartitionName=%s Nodes=%s Default=%s PriorityJobFactor=%d", name, nodes, first, pickOf(r, 0, 1, 7, r.IntN(60000)))
	}
}

// share is small, so that there are ties; sometimes none, or that of the account.
func (r *slurmDice) share() string {
	switch {
	case r.chance(8):
		return "parent"
	case r.chance(5):
		return "0"
	}
	return fmt.Sprint(1 + r.IntN(5))
}

func (r *slurmDice) associations() {
	below := map[string][]string{}
	order := []string{"root"}
	for i := range 2 + r.IntN(6) {
		name, parent := fmt.Sprint("a", i+1), pickOf(r, order...)
		order = append(order, name)
		below[parent] = append(below[parent], fmt.Sprintf("Account - %s:FairShare=%s\n", name, r.share()))
	}
	for i := range 3 + r.IntN(8) {
		user := fmt.Sprint("u", i+1)
		r.c.users = append(r.c.users, user)
		for k, account := range order[1:] {
			if k != i%(len(order)-1) && !r.chance(10) {
				continue
			}
			priority := ""
			if r.chance(30) {
				priority = fmt.Sprint(":Priority=", r.IntN(1000))
			}
			below[account] = append(below[account], fmt.Sprintf("User - %s:FairShare=%s%s\n", user, r.share(), priority))
			r.members = append(r.members, [2]string{account, user})
			if r.chance(70) {
				r.c.usage = append(r.c.usage, slurmUsage{account, user,
					fmt.Sprintf("%.6f", float64(pickOf(r, 1, 2, 10, 10, 20, r.IntN(1000_000)))*pickOf(r, 1, 100, 0.25))})
			}
		}
	}
	r.c.load = "Parent - root\n"
	for _, account := range order {
		if account != "root" && len(below[account]) > 0 {
			r.c.load += fmt.Sprintf("Parent - %s\n", account)
		}
		r.c.load += strings.Join(below[account], "")
	}
	for i := range 3 {
		r.c.admin = append(r.c.admin, fmt.Sprintf("modify qos where name=q%d set priority=%d", i+1, pickOf(r, 0, 10, r.IntN(100000))))
	}
	r.c.admin = append(r.c.admin, "modify account where name=root cluster=CLUSTER set qos=normal,q1,q2,q3")
	r.c.since = time.Duration(r.IntN(200_000)) * time.Second
	if r.chance(10) {
		r.c.usage = nil
	}
}

func (r *slurmDice) job() {
	m := pickOf(r, r.members...)
	o := []string{"--account=" + m[0], fmt.Sprintf("--ntasks=%d", 1+r.IntN(4)), "--partition=" + pickOf(r, r.parts...)}
	if r.chance(10) {
		o[2] = "--partition=" + strings.Join(r.parts, ",")
	}
	for _, option := range []struct {
		percent int
		text    string
	}{{25, fmt.Sprintf("--nice=%d", r.IntN(pickOf(r, 10, 10000)))}, {30, fmt.Sprint("--qos=q", 1+r.IntN(3))},
		{20, fmt.Sprintf("--gres=gpu:%d", 1+r.IntN(r.gpus))},
		{20, fmt.Sprintf("--licenses=app:%d", 1+r.IntN(3))}, {40, fmt.Sprintf("--mem=%d", 1+r.IntN(900))}, {5, "--hold"}, {8, "--array=1-3"}} {
		if r.chance(option.percent) {
			o = append(o, option.text)
		}
	}
	nodes := 1
	switch {
	case r.chance(10):
		o = append(o, "--nodes=1-2")
	case r.chance(10):
		nodes, o[1] = 2, "--ntasks=3"
		o = append(o, "--nodes=2")
	}
	r.c.jobs = append(r.c.jobs, slurmSubmission{time.Duration(r.IntN(4000)) * time.Second, m[1], o, nodes})
}
