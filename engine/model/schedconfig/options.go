package schedconfig

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"qprism/engine/model"
)

// An Option is an option of sched_config (pbs_sched(8B)): how the scheduler reads its value, and what it
// sets.
type Option struct {
	Name string
	Old  bool // an obsolete name that is still obeyed
	Gone bool // no longer obeyed: an attribute of qmgr replaces it, or nothing
	Till int  // for one that is gone: the first release that does not obey it, 20 or 22; 0 if no known release does

	Switch func(*model.CyclePolicy) *bool // for an option that is on or off, in primetime and the other time
	Always func(x *Reading, on bool)      // for one that is on or off at all times, regardless of the word after it
	read   func(x *Reading, value string) // reads the value, where there is more to it
}

// Options are the options of the scheduler.
var Options = []Option{
	{Name: "round_robin", Switch: func(p *model.CyclePolicy) *bool { return &p.RoundRobin }},
	{Name: "by_queue", Switch: func(p *model.CyclePolicy) *bool { return &p.ByQueue }},
	{Name: "strict_fifo", Old: true, Switch: func(p *model.CyclePolicy) *bool { return &p.StrictFIFO }},
	{Name: "strict_ordering", Switch: func(p *model.CyclePolicy) *bool { return &p.StrictOrdering }},
	{Name: "fair_share", Switch: func(p *model.CyclePolicy) *bool { return &p.FairShare }},
	{Name: "backfill", Old: true, Switch: func(p *model.CyclePolicy) *bool { return &p.Backfill }},
	{Name: "backfill_prime", Switch: func(p *model.CyclePolicy) *bool { return &p.BackfillPrime }},
	{Name: "preemptive_sched", Switch: func(p *model.CyclePolicy) *bool { return &p.Preemptive }},

	{Name: "update_comments", Always: func(x *Reading, on bool) { x.Config.NoComments = !on }},
	{Name: "prime_exempt_anytime_queues", Always: func(x *Reading, on bool) {
		x.Config.PrimeExemptAnytimeQueues = on
	}},
	{Name: "fairshare_enforce_no_shares", Always: func(x *Reading, on bool) { x.Fairshare.EnforceNoShares = on }},
	// any word switches it on
	{Name: "allow_aoe_calendar", Always: func(x *Reading, on bool) { x.Config.AOECalendar = on },
		read: func(x *Reading, _ string) { x.Config.AOECalendar, x.line.Used = true, true }},

	{Name: "fairshare_usage_res", read: whenever(func(x *Reading, value string) {
		x.Fairshare.UsageResource = value
	})},
	{Name: "fairshare_entity", read: whenever((*Reading).entity)},
	{Name: "unknown_shares", read: whenever(func(x *Reading, value string) {
		x.Fairshare.UnknownShares = int32(number(value))
	})},
	{Name: "half_life", Old: true, read: whenever(func(x *Reading, value string) {
		x.Fairshare.DecayTime = x.seconds(value)
	})},
	{Name: "fairshare_decay_time", read: whenever(func(x *Reading, value string) {
		x.Fairshare.DecayTime = x.seconds(value)
	})},
	{Name: "fairshare_decay_factor", read: whenever((*Reading).decayFactor)},

	{Name: "prime_spill", read: (*Reading).spill},
	{Name: "primetime_prefix", read: func(x *Reading, value string) { x.Config.PrimetimePrefix = value }},
	{Name: "nonprimetime_prefix", read: func(x *Reading, value string) { x.Config.NonprimetimePrefix = value }},
	{Name: "dedicated_prefix", read: func(x *Reading, value string) { x.Config.DedicatedPrefix = value }},

	{Name: "resources", read: (*Reading).resources},
	{Name: "resource_unset_infinite", read: (*Reading).unsetInfinite},
	{Name: "job_sort_key", read: (*Reading).jobSortKey},
	{Name: "node_sort_key", read: (*Reading).nodeSortKey},
	{Name: "sort_nodes", Old: true, read: (*Reading).sortNodes},
	{Name: "server_dyn_res", read: (*Reading).dynamicResource},
	{Name: "peer_queue", read: (*Reading).peerQueue},

	{Name: "smp_cluster_dist", read: (*Reading).distribution},
	{Name: "resv_confirm_ignore", read: (*Reading).confirmIgnore},
	{Name: "preempt_attempts", read: func(x *Reading, value string) {
		x.Config.PreemptAttempts = model.Count{Set: true, N: number(value)}
	}},
	{Name: "max_job_check", read: (*Reading).jobCheck},
	{Name: "provision_policy", read: func(x *Reading, value string) {
		x.Config.AvoidProvision = x.Config.AvoidProvision || value == "avoid_provision"
	}},

	{Name: "help_starving_jobs", Gone: true, Till: 22}, {Name: "max_starve", Gone: true, Till: 22},
	{Name: "sort_queues", Gone: true, Till: 20},
	{Name: "node_group_key", Gone: true}, {Name: "log_filter", Gone: true, Till: 20},
	{Name: "preempt_queue_prio", Gone: true, Till: 20},
	{Name: "preempt_prio", Gone: true, Till: 20}, {Name: "preempt_order", Gone: true, Till: 20},
	{Name: "preempt_sort", Gone: true, Till: 20},
}

// Find is the option with a name, nil if the scheduler does not know it.
func Find(name string) *Option {
	i := slices.IndexFunc(Options, func(o Option) bool { return o.Name == name })
	if i < 0 {
		return nil
	}
	return &Options[i]
}

// ObeyedBy reports whether a release of PBS obeys an option that newer ones do not. For example,
// preempt_order is here in 14.1, and in qmgr in 20.0.
func (o *Option) ObeyedBy(r model.Release) bool {
	major, _, _ := strings.Cut(r.Version[strings.LastIndexByte(r.Version, '_')+1:], ".") // "PBSPro_13.1.0"
	release, err := strconv.Atoi(major)
	return o != nil && r.Product != "Torque" && err == nil && release < o.Till
}

// A Reading is the result of reading lines of sched_config.
type Reading struct {
	Config    model.SchedConfig
	Fairshare model.FairsharePolicy

	line            model.SchedLine
	prime, nonPrime bool // for which time the line holds
}

// New is the result for an empty sched_config.
func New() *Reading {
	return &Reading{Config: model.DefaultSchedConfig(), Fairshare: model.DefaultFairsharePolicy()}
}

// Line reads one line, given its number and words, and adds it to the list with the scheduler's message.
func (x *Reading) Line(l model.SchedLine) {
	x.line = l
	if x.line.Used = l.Error == ""; x.line.Used {
		x.when(l.Prime)
		x.apply(l.Name, l.Value)
	}
	x.Config.Lines = append(x.Config.Lines, x.line)
}

// End applies the rule that the scheduler applies after the last line: if it sorts vnodes by use,
// round_robin is off.
func (x *Reading) End() {
	if x.Config.SortNodesByUse {
		x.Config.Prime.RoundRobinDist, x.Config.NonPrime.RoundRobinDist = false, false
	}
}

// when reads the word that says for which time a line holds. A word that is none is an error, and means all times.
func (x *Reading) when(word string) {
	x.prime, x.nonPrime = true, true
	switch word {
	case "", "all", "ALL":
	case "prime", "PRIME":
		x.nonPrime = false
	case "non_prime", "NON_PRIME":
		x.prime = false
	case "none", "NONE":
		x.prime, x.nonPrime, x.line.Used = false, false, false
	default:
		x.line.Error = "Invalid prime keyword: " + word
	}
}

// apply carries out an option.
func (x *Reading) apply(name, value string) {
	o := Find(name)
	switch {
	case o == nil:
		x.refuse("Unknown config parameter")
		return
	case o.Gone:
		x.line.Old, x.line.Used = true, false
		return
	}
	x.line.Old = x.line.Old || o.Old
	switch on := number(value) != 0; {
	case o.read != nil:
		o.read(x, value)
	case o.Switch != nil:
		x.both(func(p *model.CyclePolicy) { *o.Switch(p) = on })
	default:
		o.Always(x, on)
		x.line.Used = true
	}
}

// refuse is a line without effect.
func (x *Reading) refuse(why string) { x.line.Error, x.line.Used = why, false }

// whenever is for options that hold at all times. It ignores the word that follows, unless there is an
// error.
func whenever(read func(x *Reading, value string)) func(*Reading, string) {
	return func(x *Reading, value string) {
		read(x, value)
		x.line.Used = x.line.Used || x.line.Error == ""
	}
}

// space is what isspace(3) takes for white space.
const space = " \t\n\v\f\r"

// number is what the scheduler makes of a value: 1 and 0 of true and false, the digits of what begins
// with one, and -1 of any other word, which is true too.
func number(value string) int64 {
	switch {
	case strings.EqualFold(value, "true"):
		return 1
	case strings.EqualFold(value, "false"):
		return 0
	case value != "" && '0' <= value[0] && value[0] <= '9':
		// at the most the largest, as strtol
		n, _ := strconv.ParseInt(value[:len(value)-len(strings.TrimLeft(value, "0123456789"))], 10, 64)
		return n
	}
	return -1
}

// both sets an option of either time.
func (x *Reading) both(set func(*model.CyclePolicy)) {
	if x.prime {
		set(&x.Config.Prime)
	}
	if x.nonPrime {
		set(&x.Config.NonPrime)
	}
}

// entity reads whom usage is charged to.
func (x *Reading) entity(value string) {
	x.Fairshare.Entity = value
	if !slices.Contains([]string{"euser", "egroup", "Account_Name", "queue", "egroup:euser"}, value) {
		x.line.Error = fmt.Sprintf("fairshare_entity %s is erroneous (or deprecated).", value)
	}
}

// decayFactor reads a number between 0 and 1.
func (x *Reading) decayFactor(value string) {
	v, rest := model.CutNumber(value)
	factor := float32(v)
	switch {
	case rest != "":
		x.refuse("Invalid fairshare_decay_factor")
	case factor <= 0 || factor >= 1:
		x.refuse("fairshare_decay_factor: Invalid value.  Valid values are between 0 and 1.")
	default:
		x.Fairshare.DecayFactor = factor
	}
}

// seconds reads a time. One without a colon is an error, and counts.
func (x *Reading) seconds(value string) time.Duration {
	amount, ok := model.PBSAmount(value)
	if !ok || !strings.Contains(value, ":") {
		x.line.Error = "Invalid time " + value
	}
	const most = 1e9 // seconds, a third of a century
	return time.Duration(min(max(amount, -most), most) * float64(time.Second))
}

// spill reads how far jobs may run into the other time.
func (x *Reading) spill(value string) {
	spill := x.seconds(value)
	if x.prime {
		x.Config.PrimeSpill = spill
	}
	if x.nonPrime {
		x.Config.NonPrimeSpill = spill
	}
}

// unsetInfinite adds resources of which there is no end where a vnode does not name them.
func (x *Reading) unsetInfinite(value string) {
	x.Config.UnsetInfinite = append(x.Config.UnsetInfinite, model.CommaList(value)...)
	slices.Sort(x.Config.UnsetInfinite)
	x.Config.UnsetInfinite = slices.Compact(x.Config.UnsetInfinite)
}

func (x *Reading) sortNodes(string) {
	x.both(func(p *model.CyclePolicy) {
		p.NodeSortKeys = append(p.NodeSortKeys, model.SortKey{Resource: "sort_priority", Descending: true, By: "total"})
	})
}

// distribution reads smp_cluster_dist.
func (x *Reading) distribution(value string) {
	if x.line.Used = x.line.Used && (value == "pack" || value == "round_robin"); x.line.Used {
		x.both(func(p *model.CyclePolicy) { p.RoundRobinDist = value == "round_robin" })
	}
}

func (x *Reading) confirmIgnore(value string) {
	if value != "dedicated_time" && value != "none" {
		x.refuse("resv_confirm_ignore valid values: dedicated_time or none")
		return
	}
	x.Config.ResvIgnoresDedicated = value == "dedicated_time"
}

func (x *Reading) jobCheck(value string) {
	x.Config.MaxJobCheck = model.Count{Set: value != "ALL_JOBS"}
	if x.Config.MaxJobCheck.Set {
		x.Config.MaxJobCheck.N = number(value)
	}
}

// resources reads the resources that the scheduler checks. It adds host and vnode unless the text has them somewhere.
func (x *Reading) resources(value string) {
	list := append(x.Config.Resources, model.CommaList(value)...)
	for _, name := range []string{"host", "vnode"} {
		if !strings.Contains(value, name) {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	x.Config.Resources = slices.Compact(list)
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

func (x *Reading) jobSortKey(value string) {
	words := fields(value)
	if len(words) == 0 {
		x.line.Used = false
		return
	}
	descending, ok := sortOrder(words)
	if !ok || x.line.Error != "" { // an error about the prime word is one of the key too
		x.refuse("Invalid job_sort_key")
		return
	}
	key := model.SortKey{Resource: words[0], Descending: descending}
	if key.Resource == "sort_priority" {
		x.line.Old = true
		key.Resource = "job_priority"
	}
	x.both(func(c *model.CyclePolicy) { c.JobSortKeys = append(c.JobSortKeys, key) })
}

func (x *Reading) nodeSortKey(value string) {
	words := fields(value)
	if len(words) == 0 {
		x.line.Used = false
		return
	}
	descending, ok := sortOrder(words)
	key := model.SortKey{Resource: words[0], Descending: descending, By: "total"}
	if len(words) > 2 {
		key.By = words[2]
	}
	if !ok || x.line.Error != "" || !slices.Contains([]string{"total", "assigned", "unused"}, key.By) {
		x.refuse("Invalid node_sort_key")
		return
	}
	x.both(func(c *model.CyclePolicy) {
		c.NodeSortKeys = append(c.NodeSortKeys, key)
		x.Config.SortNodesByUse = x.Config.SortNodesByUse || key.By != "total"
	})
}

// dynamicResource reads "scratch !/path/command".
func (x *Reading) dynamicResource(value string) {
	name, command, _ := strings.Cut(strings.TrimLeft(value, " \t"), " ")
	command, ok := strings.CutPrefix(strings.TrimLeft(command, space), "!")
	if name == "" || !ok {
		x.refuse("Invalid server_dyn_res")
		return
	}
	x.line.Used = true
	x.Config.DynamicResources = append(x.Config.DynamicResources, model.Setting{Name: name, Value: command})
}

// peerQueue reads "workq remoteq@server".
func (x *Reading) peerQueue(value string) {
	local, rest, _ := strings.Cut(strings.TrimLeft(value, " \t"), " ")
	remote, server, _ := strings.Cut(strings.TrimLeft(rest, space+"@"), "@")
	if local == "" || remote == "" || x.line.Error != "" {
		x.refuse("Invalid peer queue")
		return
	}
	server, _, _ = strings.Cut(strings.TrimLeft(server, " \t"), " ")
	x.line.Used = true
	x.Config.PeerQueues = append(x.Config.PeerQueues,
		model.PeerQueue{Local: local, Remote: strings.Trim(remote, space), Server: server})
}
