package ticket

import "math"

// A Derivation records how a task got its tickets, in the pass that gave them.
type Derivation struct {
	Running    bool // divided among running tasks; else the task was ranked after other tasks
	Override   []OverridePart
	Functional []FunctionalPart
	// Beyond means that the task is above max_functional_jobs_to_schedule. It got as many tickets as the
	// first such task.
	Beyond    bool
	ShareTree *SharePart // nil if the task belongs to no node, or the policy gives no tickets
}

// A Party is the source of tickets or shares.
type Party string

// The parties, in the words of sched_conf(5).
const (
	ByUser       Party = "user"
	ByProject    Party = "project"
	ByDepartment Party = "department"
	ByJob        Party = "job"
)

// An OverridePart is a task's part of the override tickets of one party.
type OverridePart struct {
	Party   Party
	Name    string // empty for the job itself
	Tickets uint32 // oticket, or -ot
	Jobs    int    // the tickets are divided by this, 0 for no division
	Gives   float64
}

// A FunctionalPart is a task's part of the functional tickets of one category.
type FunctionalPart struct {
	Party  Party
	Name   string
	Weight float64 // of the category, as a fraction of all four
	Shares uint32  // fshare, or -js
	Jobs   int     // the shares are divided by this, 0 for no division
	Sum    float64 // of the shares that compete at that point
	Gives  float64
}

// A SharePart is a task's part of the share-tree tickets.
type SharePart struct {
	Levels []Level // from below the root down to the task's node
	Of     string  // name of the node whose target is divided among tasks
	Target float64 // of that node, as a fraction of all share-tree tickets
	Ahead  float64 // the divisor: running tasks of the node, or this task and those ranked before it
	// JobShare and JobShares are -js of a running task, and the sum over all running tasks of the node, if
	// any job has -js. They replace Ahead.
	JobShare, JobShares uint32
	Cut                 bool // cut to an integer (quirk of the release)
	Gives               float64
}

// A Level is one node of the share tree on the way to a task.
type Level struct {
	Name     string
	Shares   uint32
	LongTerm float64 // its shares divided by those of its active siblings
	Usage    float64
	Floor    float64 // less usage counts as this much
	Weight   float64 // shares squared divided by usage, less if compensation_factor limits it
	Weights  float64 // sum over all active siblings and itself
	Target   float64 // among its siblings
	OfTree   float64 // of the whole tree
	Held     bool    // limited by compensation_factor
}

// deriveOverride notes one part of override tickets.
func (t *ref) deriveOverride(party Party, name string, tickets uint32, jobs int, gives float64) {
	if t.derived != nil && tickets > 0 {
		t.derived.Override = append(t.derived.Override, OverridePart{Party: party, Name: name,
			Tickets: tickets, Jobs: jobs, Gives: gives})
	}
}

// beginOverride forgets what was noted of an earlier trial.
func (t *ref) beginOverride() {
	if t.derived != nil {
		t.derived.Override = nil
	}
}

// deriveFunctional notes the four parts of functional tickets, given the shares, weights and sums that were used.
func (r *run) deriveFunctional(t *ref, own, w, s sums) {
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
	add(ByUser, t.user, w.user, own.user, s.user)
	add(ByDepartment, t.department, w.department, own.department, s.department)
	add(ByProject, t.project, w.project, own.project, s.project)
	add(ByJob, &Account{FunctionalShares: t.jobShare}, w.job, float64(t.jobShare), s.job)
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
		s.JobShare, s.JobShares, s.Cut = t.jobShare, t.node.jobShares, r.Quirks.TruncatedJobShare
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
		l := Level{Name: c.Name, Shares: c.Shares, LongTerm: c.longTerm, Usage: c.Usage,
			Floor:  minimumUsage * c.longTermOfTree,
			Weight: c.shr, Weights: all, Target: c.ShortTerm, OfTree: c.shortTermOfTree, Held: c.shr != free}
		r.deriveBelow(c, append(way[:len(way):len(way)], l))
	}
}

// derivations are those of all tasks of the pass.
func (r *run) derivations(into map[TaskID]*Derivation) {
	for i := range r.refs {
		if t := &r.refs[i]; t.derived != nil {
			into[TaskID{t.number, t.given.Number}] = t.derived
		}
	}
}
