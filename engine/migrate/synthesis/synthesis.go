package synthesis

import (
	"slices"

	"qprism/engine/model"
)

// A Policy is one of the three parts of a Grid Engine priority.
type Policy string

// The policies, by the columns of qstat -pri.
const (
	Posix   Policy = "npprior"
	Urgency Policy = "nurg"
	Tickets Policy = "ntckts"
)

// A Candidate is a formula with all its parts.
type Candidate struct {
	Name    string // one word, "frozen"
	Title   string // one line
	Formula string // job_sort_formula: the sum of the terms
	Terms   []Term // by policy; none if the formula has another structure

	Resources []Resource            // custom resources in the formula
	Server    []model.Setting       // server attributes, for qmgr: eligible_time_enable
	Sched     []model.Setting       // options of sched_config: fairshare_usage_res …
	Groups    []model.ResourceGroup // the resource_group file; empty if the formula reads no share
	Usage     []model.EntityUsage   // usage so far by entity, for pbsfs -s
	// "project/owner" → the entity of its jobs, if that is not the owner
	Entities map[string]string
	Frozen   []Constant // contributions of other jobs, from the history

	Hook    string // Python of the hook that sets resources at submission; empty for none
	Refresh string // shell of the periodic job that updates constants or resources; empty for none
	Needs   Need   // what must run besides the scheduler
	Lines   int    // cost: total lines to install (formula, resources, settings, groups, hook, refresh)

	// Resolution is the smallest difference of two priorities that the formula still shows at its greatest
	// value; a smaller one is a tie. It follows from the 24 bits that PBS keeps, and from resources that are
	// whole numbers.
	Resolution float64
	Notes      []string // facts for the administrator, a sentence each

	on    *bench  // that it was made on
	tree  bool    // it reads numbers of the fairshare tree
	usage float64 // of PBS for one unit of Grid Engine's usage
}

// Missing are the policies with a weight, but without a term in the formula, because they gave all jobs of
// the history the same value. A formula without terms misses none.
func (c *Candidate) Missing() (list []Policy) {
	for _, p := range c.on.counting() {
		if len(c.Terms) > 0 && !slices.ContainsFunc(c.Terms, func(t Term) bool { return t.Policy == p }) {
			list = append(list, p)
		}
	}
	return list
}

// A Need is what must run besides the scheduler to keep a candidate's numbers right.
type Need string

// The needs, from least to most.
const (
	NeedsNothing Need = "nothing"
	NeedsHook    Need = "a hook at submission"
	NeedsJob     Need = "a cron script"       // renews constants and counts, but not priorities
	NeedsOracle  Need = "qprism, run by cron" // computes Grid Engine's own priorities
)

// A Term is the part of a formula for one policy.
type Term struct {
	Policy Policy
	Text   string // an expression that includes its weight
}

// A Resource is a custom resource of the PBS server in a formula.
type Resource struct {
	Name   string
	Type   model.ResourceType // TypePBSLong: PBS cuts floats to four decimals
	Flags  string             // "r": only managers and hooks set it
	Option string             // the option of qsub with the same meaning, if users set it: "-dl"
}

// A Constant is a number in the formula for the contribution of other jobs. Grid Engine computes it again in
// each run.
type Constant struct {
	Name  string
	Means string
	Value float64
	From  string    // name of its runs
	Drift []float64 // its value in each run of the history
	Share float64   // greatest distance from Value over the history, as a fraction of Value
}
