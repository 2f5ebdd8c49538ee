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

// A Candidate is a formula, with all that has to be set up for it.
type Candidate struct {
	Name    string // one word, "frozen"
	Title   string // one line
	Formula string // for job_sort_formula; the sum of the terms
	Terms   []Term // by policy; none for a candidate whose formula is not made of them

	Resources []Resource            // custom resources that the formula reads
	Server    []model.Setting       // server attributes, for qmgr: eligible_time_enable
	Sched     []model.Setting       // options of sched_config: fairshare_usage_res …
	Groups    []model.ResourceGroup // the resource_group file; empty where the formula reads no share
	Usage     []model.EntityUsage   // what entities have used so far, for pbsfs -s
	// "project/owner" → the entity that its jobs are charged to, where that is not the owner
	Entities map[string]string
	Frozen   []Constant // what other jobs contribute, taken from the history

	Hook    string // Python of the hook that sets resources when a job is submitted; empty for none
	Refresh string // shell of the job that brings frozen constants, or resources, up to date; empty for none
	Needs   Need   // what has to run besides the scheduler
	Lines   int    // cost: lines to install, of formula, resources, settings, groups, hook and refresh together

	// Resolution is the least difference of two priorities that the formula tells apart at its greatest
	// value; less is a tie. It comes from the 24 bits that PBS keeps, and from resources that are whole
	// numbers.
	Resolution float64
	Notes      []string // what an administrator should know, a sentence each

	on    *bench  // that it was made on
	tree  bool    // it reads numbers of the fairshare tree
	usage float64 // of PBS for one unit of Grid Engine's usage
}

// Missing are the policies that have a weight and no term in the formula: no job of the history told them
// apart. A formula that is not made of terms misses none.
func (c *Candidate) Missing() (list []Policy) {
	for _, p := range c.on.counting() {
		if len(c.Terms) > 0 && !slices.ContainsFunc(c.Terms, func(t Term) bool { return t.Policy == p }) {
			list = append(list, p)
		}
	}
	return list
}

// A Need says what has to run besides the scheduler to keep a candidate's numbers right.
type Need string

// The needs, from none to most.
const (
	NeedsNothing Need = "nothing"
	NeedsHook    Need = "a hook at submission"
	NeedsJob     Need = "a periodic job"    // that renews constants and counts, not priorities
	NeedsOracle  Need = "qprism on a clock" // that computes Grid Engine's own priorities
)

// A Term is a part of a formula that stands for one policy.
type Term struct {
	Policy Policy
	Text   string // an expression, with its weight in it
}

// A Resource is a custom resource of the PBS server that a formula reads.
type Resource struct {
	Name  string
	Type  model.ResourceType // TypePBSLong, mostly: PBS cuts floats to four decimals
	Flags string             // "r": set by managers and hooks only, "i": and invisible
	When  Setting            // when its value is set
	Means string             // what a value says, and its unit, a line for people

	Option string // of qsub that says it in Grid Engine, where users set it: "-dl"
}

// A Setting says when the value of a resource is set.
type Setting string

// The times.
const (
	AtSubmit   Setting = "at submission"
	ByUser     Setting = "by whoever submits the job"
	ByOperator Setting = "by an operator, with qalter"
	Renewed    Setting = "at submission and by the periodic job"
	FromOracle Setting = "by qprism"
)

// A Constant is a number of the formula that stands for what other jobs contribute. Grid Engine computes it
// anew in each run.
type Constant struct {
	Name  string
	Means string
	Value float64
	From  string    // name of the runs that it is taken from
	Drift []float64 // what each run of the history would have given, in their order
	Share float64   // by how much of Value it moves over the history: the widest distance from it
}
