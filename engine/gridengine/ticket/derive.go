package ticket

import "math"

// A Derivation says how the tickets of one task came about, in the pass that gave them.
type Derivation struct {
	Running    bool // the divisors are of tasks that run; else the task was ranked behind others
	Override   []OverridePart
	Functional []FunctionalPart
	// Beyond says that the task is beyond max_functional_jobs_to_schedule: it got what the first one there would have got.
	Beyond    bool
	ShareTree *SharePart // nil where the task belongs to no node, or the policy gives nothing
}

// A Party is whose tickets or shares a part comes from.
type Party string

// The parties, with the words of sched_conf(5).
const (
	ByUser       Party = "user"
	ByProject    Party = "project"
	ByDepartment Party = "department"
	ByJob        Party = "job"
)

// An OverridePart is what a task gets of the override tickets of one party.
type OverridePart struct {
	Party   Party
	Name    string // empty for the job itself
	Tickets uint32 // oticket, or -ot
	Jobs    int    // by which they are divided, 0 for not at all
	Gives   float64
}

// A FunctionalPart is what a task gets of the functional tickets of one category.
type FunctionalPart struct {
	Party  Party
	Name   string
	Weight float64 // of the category, as a part of all four
	Shares uint32  // fshare, or -js
	Jobs   int     // by which the shares are divided, 0 for not at all
	Sum    float64 // of the shares that take part at that point
	Gives  float64
}

// A SharePart is what a task gets of the share-tree tickets.
type SharePart struct {
	Levels []Level // from below the root to the task's node
	Of     string  // name of the node whose target was divided among tasks
	Target float64 // of that node, as a part of all share-tree tickets
	Ahead  float64 // by which it is divided: tasks of the node that run, or what ranks before this one and it itself
	// JobShare and JobShares are -js of a running task and of all running tasks of the node, where anybody gave it: they
	// replace Ahead.
	JobShare, JobShares uint32
	Cut                 bool // to an integer (quirk of the release)
	Gives               float64
}

// A Level is a node of the share tree on the way to a task.
type Level struct {
	Name     string
	Shares   uint32
	LongTerm float64 // its shares among those of its active siblings
	Usage    float64
	Floor    float64 // usage counts as no less
	Weight   float64 // shares squared by usage, lowered where compensation_factor holds it back
	Weights  float64 // of all active siblings, itself among them
	Target   float64 // among its siblings
	OfTree   float64 // of the whole tree
	Held     bool    // compensation_factor holds it back
}

// deriveOverride notes one part of override tickets.
func (t *ref) deriveOverride(party Party, name string, tickets uint32, jobs int, gives float64) {
	if t.derived != nil && tickets > 0 {
		t.derived.Override = append(t.derived.Override, OverridePart{Party: party, Name: name, Tickets: tickets, Jobs: jobs, Gives: gives})
	}
}

// beginOverride forgets what was noted of an earlier trial.
func (t *ref) beginOverride() {
	if t.derived != nil {
		t.derived.Override = nil
	}
}

// deriveFunctional notes the four parts of functional tickets, given the weights and sums that were used.
func (r *run) deriveFunctional(t *ref, w, s sums) {
	if t.derived == nil {
		return
	}
	all := float64(r.policy.FunctionalTickets)
	var parts []FunctionalPart
	add := func(party Party, a *Account, weight, shares, sum float64) {
		if a == nil || sum == 0 {
			return
		}
		p := FunctionalPart{Party: party, Name: a.Name, Weight: weight, Shares: a.FunctionalShares, Sum: sum,
			Gives: float64(weight * (shares * all / sum))}
		if r.policy.ShareFunctionalShares && shares > 0 {
			p.Jobs = int(math.Round(float64(a.FunctionalShares) / shares))
		}
		parts = append(parts, p)
	}
	add(ByUser, t.user, w.user, t.uf, s.user)
	add(ByDepartment, t.department, w.department, t.df, s.department)
	add(ByProject, t.project, w.project, t.pf, s.project)
	add(ByJob, &Account{FunctionalShares: t.job.JobShare}, w.job, float64(t.job.JobShare), s.job)
	if n := len(parts); n > 0 && parts[n-1].Party == ByJob {
		parts[n-1].Jobs = 0
	}
	t.derived.Functional = parts
}

// deriveBeyond notes that a task beyond the limit gets what another one would have got.
func (t *ref) deriveBeyond(first *ref) {
	if t.derived != nil && first.derived != nil {
		t.derived.Functional, t.derived.Beyond = first.derived.Functional, true
	}
}

// deriveChosen notes that the task is one of the first that the policy looks at.
func (t *ref) deriveChosen() {
	if t.derived != nil {
		t.derived.Beyond = false
	}
}

// deriveShare notes what a task gets of its node's target.
func (r *run) deriveShare(t *ref, of *Node, target, ahead, gives float64) {
	if t.derived != nil {
		t.derived.ShareTree = &SharePart{Levels: r.levels[t.node], Of: of.Name, Target: target, Ahead: ahead, Gives: gives}
	}
}

// deriveRunningShare notes what a running task gets of its node's target.
func (r *run) deriveRunningShare(t *ref, gives float64) {
	if t.derived == nil {
		return
	}
	r.deriveShare(t, t.node, t.node.Proportion, float64(t.node.Jobs), gives)
	if t.node.jobShares != 0 {
		s := t.derived.ShareTree
		s.JobShare, s.JobShares, s.Cut = t.job.JobShare, t.node.jobShares, r.Quirks.TruncatedJobShare
	}
}

// deriveLevels notes the way to every node of the tree that tasks belong to.
func (r *run) deriveLevels() {
	if !r.Derive || r.tree == nil {
		return
	}
	r.levels = map[*Node][]Level{}
	r.deriveBelow(r.tree, nil)
}

func (r *run) deriveBelow(n *Node, way []Level) {
	r.levels[n] = way
	all := 0.0
	for _, c := range n.active() {
		all += c.shr
	}
	for _, c := range n.active() {
		free := 0.0
		if c.longTermOfTree > 0 {
			free = float64(c.Shares) * float64(c.Shares) / c.floorUsage()
		}
		l := Level{Name: c.Name, Shares: c.Shares, LongTerm: c.longTerm, Usage: c.Usage, Floor: minimumUsage * c.longTermOfTree,
			Weight: c.shr, Weights: all, Target: c.ShortTerm, OfTree: c.shortTermOfTree, Held: c.shr != free}
		r.deriveBelow(c, append(way[:len(way):len(way)], l))
	}
}

// derivations are those of all tasks of the pass.
func (r *run) derivations(into map[TaskID]*Derivation) {
	for i := range r.refs {
		if t := &r.refs[i]; t.derived != nil {
			into[TaskID{t.job.Number, t.task}] = t.derived
		}
	}
}
