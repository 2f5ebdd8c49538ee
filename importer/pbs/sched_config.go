package pbs

import (
	"bytes"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"qprism/engine/model"
	"qprism/importer"
	"qprism/importer/source"
)

// maxConfig bounds the files of the scheduler.
const maxConfig = 16 << 20

// readSchedConfig reads sched_config (pbs_sched(8B)) as the scheduler does: a line that it complains about counts as far
// as the scheduler lets it, and is listed with what it says.
func readSchedConfig(r *reader) error {
	r.pbs.SchedConfig = defaultSchedConfig()
	r.pbs.Fairshare.Policy = model.DefaultFairsharePolicy()
	file := r.choose("sched_config")
	if file == "" {
		return nil
	}
	text, err := r.ReadAll(file, maxConfig)
	if err != nil {
		return err
	}
	p := &configParser{c: &r.pbs.SchedConfig, f: &r.pbs.Fairshare.Policy}
	p.c.Present = true
	p.parse(text)
	return nil
}

// ReadSchedConfig reads a sched_config that is in no bundle, and the options about fairshare in it. An error is an
// *importer.Problem.
func ReadSchedConfig(folder fs.FS, file string) (model.SchedConfig, model.FairsharePolicy, error) {
	r := newReader(folder, source.Options{})
	c, f := defaultSchedConfig(), model.DefaultFairsharePolicy()
	text, err := fs.ReadFile(folder, file)
	if err != nil {
		return c, f, &importer.Problem{File: file, Err: err}
	}
	if len(text) > maxConfig {
		return c, f, r.Problem(file, 0, "", fmt.Errorf("longer than %d bytes", maxConfig))
	}
	c.Present = true
	(&configParser{c: &c, f: &f}).parse(text)
	return c, f, nil
}

func defaultSchedConfig() model.SchedConfig {
	return model.SchedConfig{
		Prime:         model.CyclePolicy{Backfill: true},
		NonPrime:      model.CyclePolicy{Backfill: true},
		UnsetInfinite: []string{"mpiprocs", "ompthreads"},
	}
}

// A configParser reads the options of one file.
type configParser struct {
	c               *model.SchedConfig
	f               *model.FairsharePolicy
	line            model.SchedLine
	prime, nonPrime bool // for which time the line holds
}

func (p *configParser) parse(text []byte) {
	for number := 1; len(text) > 0; {
		var line string
		var taken int
		line, taken, text = configLine(text)
		if !isComment(line) {
			p.option(number, line)
		}
		number += taken
	}
	if p.c.SortNodesByUse {
		p.c.Prime.RoundRobinDist, p.c.NonPrime.RoundRobinDist = false, false
	}
}

// configLine takes a logical line off a text, and counts its physical ones: one that ends in a backslash goes on in the
// next.
func configLine(text []byte) (line string, taken int, rest []byte) {
	var b strings.Builder
	for rest = text; len(rest) > 0; {
		var physical []byte
		physical, rest, _ = bytes.Cut(rest, []byte{'\n'})
		taken++
		b.Write(physical)
		trimmed := strings.TrimRight(b.String(), whiteSpace)
		head, more := strings.CutSuffix(trimmed, `\`)
		if !more {
			break
		}
		b.Reset()
		b.WriteString(head)
	}
	return b.String(), taken, rest
}

// whiteSpace is what isspace(3) takes for it.
const whiteSpace = " \t\n\v\f\r"

// isComment reports whether the scheduler passes over a line of one of its files.
func isComment(line string) bool {
	line = strings.TrimLeft(line, whiteSpace)
	return line == "" || line[0] == '#' || line[0] == '*'
}

// scan takes a word, or what is between quotes, off a text. A word ends at white space or at the target.
func scan(text string, target byte) (word, rest string, ok bool) {
	text = strings.TrimLeft(text, whiteSpace+string(target))
	if text == "" {
		return "", "", false
	}
	ends := whiteSpace + string(target)
	if text[0] == '"' || text[0] == '\'' {
		ends, text = text[:1], text[1:]
	}
	i := strings.IndexAny(text, ends)
	if i < 0 {
		return text, "", true
	}
	return text[:i], text[i+1:], true
}

// option reads one line.
func (p *configParser) option(number int, line string) {
	name, rest, hasName := scan(line, ':')
	value, rest, hasValue := scan(rest, ' ')
	prime, _, _ := scan(rest, ' ')
	p.line = model.SchedLine{Line: number, Name: name, Value: value, Prime: prime, Used: true}
	if !hasName || !hasValue {
		p.line.Used, p.line.Error = false, "Config line invalid"
	} else {
		p.when(prime)
		p.apply(name, value)
	}
	p.c.Lines = append(p.c.Lines, p.line)
}

// when reads the word that says for which time a line holds. A word that is none is an error, and means all times.
func (p *configParser) when(word string) {
	p.prime, p.nonPrime = true, true
	switch word {
	case "", "all", "ALL":
	case "prime", "PRIME":
		p.nonPrime = false
	case "non_prime", "NON_PRIME":
		p.prime = false
	case "none", "NONE":
		p.prime, p.nonPrime, p.line.Used = false, false, false
	default:
		p.line.Error = "Invalid prime keyword: " + word
	}
}

// apply carries out an option.
func (p *configParser) apply(name, value string) {
	switch {
	case p.switches(name, value), p.fairshare(name, value), p.times(name, value), p.lists(name, value), p.words(name, value):
	case slices.Contains(obsoleteOptions, name):
		p.line.Old, p.line.Used = true, false
	default:
		p.refuse("Unknown config parameter")
	}
}

var obsoleteOptions = []string{"help_starving_jobs", "max_starve", "sort_queues", "node_group_key", "log_filter",
	"preempt_queue_prio", "preempt_prio", "preempt_order", "preempt_sort"}

// refuse is a line without effect.
func (p *configParser) refuse(why string) { p.line.Error, p.line.Used = why, false }

// number is what the scheduler makes of a value: 1 and 0 of true and false, the digits of what begins with one, and -1 of
// any other word, which is true too.
func number(value string) int64 {
	switch {
	case strings.EqualFold(value, "true"):
		return 1
	case strings.EqualFold(value, "false"):
		return 0
	case value != "" && '0' <= value[0] && value[0] <= '9':
		n, _ := strconv.ParseInt(value[:digitsOf([]byte(value))], 10, 64) // at the most the largest, as strtol
		return n
	}
	return -1
}

// both sets an option of either time.
func (p *configParser) both(set func(*model.CyclePolicy)) {
	if p.prime {
		set(&p.c.Prime)
	}
	if p.nonPrime {
		set(&p.c.NonPrime)
	}
}

// switches are the options that are on or off.
func (p *configParser) switches(name, value string) bool {
	on := number(value) != 0
	switch name {
	case "round_robin":
		p.both(func(c *model.CyclePolicy) { c.RoundRobin = on })
	case "by_queue":
		p.both(func(c *model.CyclePolicy) { c.ByQueue = on })
	case "strict_fifo":
		p.line.Old = true
		p.both(func(c *model.CyclePolicy) { c.StrictFIFO = on })
	case "strict_ordering":
		p.both(func(c *model.CyclePolicy) { c.StrictOrdering = on })
	case "fair_share":
		p.both(func(c *model.CyclePolicy) { c.FairShare = on })
	case "backfill":
		p.line.Old = true
		p.both(func(c *model.CyclePolicy) { c.Backfill = on })
	case "backfill_prime":
		p.both(func(c *model.CyclePolicy) { c.BackfillPrime = on })
	case "preemptive_sched":
		p.both(func(c *model.CyclePolicy) { c.Preemptive = on })
	default:
		return p.plainSwitches(name, on)
	}
	return true
}

// plainSwitches are those that hold at all times, whatever word follows.
func (p *configParser) plainSwitches(name string, on bool) bool {
	switch name {
	case "update_comments":
		p.c.NoComments = !on
	case "prime_exempt_anytime_queues":
		p.c.PrimeExemptAnytimeQueues = on
	case "fairshare_enforce_no_shares":
		p.f.EnforceNoShares = on
	case "allow_aoe_calendar":
		p.c.AOECalendar = true
	default:
		return false
	}
	p.line.Used = true
	return true
}

// fairshare are the options about usage and shares.
func (p *configParser) fairshare(name, value string) bool {
	switch name {
	case "fairshare_usage_res":
		p.f.UsageResource = value
	case "fairshare_entity":
		p.f.Entity = value
		if !slices.Contains([]string{"euser", "egroup", "Account_Name", "queue", "egroup:euser"}, value) {
			p.line.Error = fmt.Sprintf("fairshare_entity %s is erroneous (or deprecated).", value)
		}
	case "unknown_shares":
		p.f.UnknownShares = int32(number(value))
	case "half_life", "fairshare_decay_time":
		p.line.Old = name == "half_life"
		p.f.DecayTime = p.seconds(value)
	case "fairshare_decay_factor":
		p.decayFactor(value)
	default:
		return false
	}
	p.line.Used = p.line.Used || p.line.Error == ""
	return true
}

// decayFactor reads a number between 0 and 1.
func (p *configParser) decayFactor(value string) {
	v, rest := model.CutNumber(value)
	factor := float32(v)
	switch {
	case rest != "":
		p.refuse("Invalid fairshare_decay_factor")
	case factor <= 0 || factor >= 1:
		p.refuse("fairshare_decay_factor: Invalid value.  Valid values are between 0 and 1.")
	default:
		p.f.DecayFactor = factor
	}
}

// seconds reads a time. One without a colon is an error, and counts.
func (p *configParser) seconds(value string) time.Duration {
	amount, ok := model.PBSAmount(value)
	if !ok || !strings.Contains(value, ":") {
		p.line.Error = "Invalid time " + value
	}
	const most = 1e9 // seconds, a third of a century
	return time.Duration(min(max(amount, -most), most) * float64(time.Second))
}

// times are the options about primetime.
func (p *configParser) times(name, value string) bool {
	switch name {
	case "prime_spill":
		spill := p.seconds(value)
		if p.prime {
			p.c.PrimeSpill = spill
		}
		if p.nonPrime {
			p.c.NonPrimeSpill = spill
		}
	case "primetime_prefix":
		p.c.PrimetimePrefix = value
	case "nonprimetime_prefix":
		p.c.NonprimetimePrefix = value
	case "dedicated_prefix":
		p.c.DedicatedPrefix = value
	default:
		return false
	}
	return true
}

// lists are the options that name resources, keys or queues.
func (p *configParser) lists(name, value string) bool {
	switch name {
	case "resources":
		p.resources(value)
	case "resource_unset_infinite":
		p.c.UnsetInfinite = append(p.c.UnsetInfinite, commaList(value)...)
		slices.Sort(p.c.UnsetInfinite)
		p.c.UnsetInfinite = slices.Compact(p.c.UnsetInfinite)
	case "job_sort_key":
		p.jobSortKey(value)
	case "node_sort_key":
		p.nodeSortKey(value)
	case "sort_nodes":
		p.line.Old = true
		p.both(func(c *model.CyclePolicy) {
			c.NodeSortKeys = append(c.NodeSortKeys, model.SortKey{Resource: "sort_priority", Descending: true, By: "total"})
		})
	case "server_dyn_res":
		p.dynamicResource(value)
	case "peer_queue":
		p.peerQueue(value)
	default:
		return false
	}
	return true
}

// commaList splits a list at commas, without the blanks around its members.
func commaList(value string) []string {
	var list []string
	for item := range strings.SplitSeq(value, ",") {
		if item = strings.Trim(item, whiteSpace); item != "" {
			list = append(list, item)
		}
	}
	return list
}

// resources reads the resources that the scheduler checks. It adds host and vnode unless the text has them somewhere.
func (p *configParser) resources(value string) {
	list := append(p.c.Resources, commaList(value)...)
	for _, name := range []string{"host", "vnode"} {
		if !strings.Contains(value, name) {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	p.c.Resources = slices.Compact(list)
}

// sortOrder reads the word behind a sort key's resource.
func sortOrder(words []string) (descending, ok bool) {
	if len(words) < 2 {
		return false, false
	}
	switch words[1] {
	case "high", "HIGH", "High":
		return true, true
	case "low", "LOW", "Low":
		return false, true
	}
	return false, false
}

// fields splits a value at blanks and tabs.
func fields(value string) []string {
	return strings.FieldsFunc(value, func(c rune) bool { return c == ' ' || c == '\t' })
}

func (p *configParser) jobSortKey(value string) {
	words := fields(value)
	if len(words) == 0 {
		p.line.Used = false
		return
	}
	descending, ok := sortOrder(words)
	if !ok || p.line.Error != "" { // an error about the prime word is one of the key too
		p.refuse("Invalid job_sort_key")
		return
	}
	key := model.SortKey{Resource: words[0], Descending: descending}
	if key.Resource == "sort_priority" {
		p.line.Old = true
		key.Resource = "job_priority"
	}
	p.both(func(c *model.CyclePolicy) { c.JobSortKeys = append(c.JobSortKeys, key) })
}

func (p *configParser) nodeSortKey(value string) {
	words := fields(value)
	if len(words) == 0 {
		p.line.Used = false
		return
	}
	descending, ok := sortOrder(words)
	key := model.SortKey{Resource: words[0], Descending: descending, By: "total"}
	if len(words) > 2 {
		key.By = words[2]
	}
	if !ok || p.line.Error != "" || !slices.Contains([]string{"total", "assigned", "unused"}, key.By) {
		p.refuse("Invalid node_sort_key")
		return
	}
	p.both(func(c *model.CyclePolicy) {
		c.NodeSortKeys = append(c.NodeSortKeys, key)
		p.c.SortNodesByUse = p.c.SortNodesByUse || key.By != "total"
	})
}

// dynamicResource reads "scratch !/path/command".
func (p *configParser) dynamicResource(value string) {
	name, command, _ := strings.Cut(strings.TrimLeft(value, " \t"), " ")
	command, ok := strings.CutPrefix(strings.TrimLeft(command, whiteSpace), "!")
	if name == "" || !ok {
		p.refuse("Invalid server_dyn_res")
		return
	}
	p.line.Used = true
	p.c.DynamicResources = append(p.c.DynamicResources, model.Setting{Name: name, Value: command})
}

// peerQueue reads "workq remoteq@server".
func (p *configParser) peerQueue(value string) {
	local, rest, _ := strings.Cut(strings.TrimLeft(value, " \t"), " ")
	remote, server, _ := strings.Cut(strings.TrimLeft(rest, whiteSpace+"@"), "@")
	if local == "" || remote == "" || p.line.Error != "" {
		p.refuse("Invalid peer queue")
		return
	}
	server, _, _ = strings.Cut(strings.TrimLeft(server, " \t"), " ")
	p.line.Used = true
	p.c.PeerQueues = append(p.c.PeerQueues, model.PeerQueue{Local: local, Remote: strings.Trim(remote, whiteSpace), Server: server})
}

// words are the options with a value of their own.
func (p *configParser) words(name, value string) bool {
	switch name {
	case "smp_cluster_dist":
		if p.line.Used = p.line.Used && (value == "pack" || value == "round_robin"); p.line.Used {
			p.both(func(c *model.CyclePolicy) { c.RoundRobinDist = value == "round_robin" })
		}
	case "resv_confirm_ignore":
		if value != "dedicated_time" && value != "none" {
			p.refuse("resv_confirm_ignore valid values: dedicated_time or none")
			break
		}
		p.c.ResvIgnoresDedicated = value == "dedicated_time"
	case "preempt_attempts":
		p.c.PreemptAttempts = model.Count{Set: true, N: number(value)}
	case "max_job_check":
		p.c.MaxJobCheck = model.Count{Set: value != "ALL_JOBS"}
		if p.c.MaxJobCheck.Set {
			p.c.MaxJobCheck.N = number(value)
		}
	case "provision_policy":
		p.c.AvoidProvision = p.c.AvoidProvision || value == "avoid_provision"
	default:
		return false
	}
	return true
}
