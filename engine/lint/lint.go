// Package lint reads a policy and says in plain words what it does, and where it does something else than whoever set it
// is likely to expect. Each such trap names the line that causes it, what it does to the jobs at hand, and the command
// that mends it. The rules are those of sched_conf(5), sge_priority(5), share_tree(5) and complex(5) for Grid Engine, of
// pbs_sched(8B) and its files for PBS, and of what both do besides.
package lint

import (
	"cmp"
	"slices"
	"time"

	"qprism/engine/audit"
	"qprism/engine/model"
	"qprism/engine/priority"
	"qprism/engine/split"
)

// A Report is what there is to say of a policy.
type Report struct {
	Words []Word
	Traps []Trap
	Blind string // why nothing could be checked; empty where it could
}

// A Word is a part of the policy in plain words.
type Word struct {
	About, Says string
}

// A Trap is a part of a policy that does something else than it seems to.
type Trap struct {
	Name   string   // for programs, "waiting-too-slow"
	What   string   // what is wrong
	Place  Place    // the line that causes it
	Effect string   // measured on the jobs of the snapshot
	Fix    []string // shell commands, any one of which mends it; none where no command does
}

// A Place is a line of a file of the bundle.
type Place struct {
	File string
	Line int    // from 1; 0 where the bundle does not show the line, or it is the lack of one
	Text string // what it says
}

// An Input is what is looked at.
type Input struct {
	Snapshot *model.Snapshot
	View     *audit.View // the last run recomputed; without one, a run at the time of the snapshot is
	Quirks   model.Quirks
	At       time.Time                  // of the PBS cycle that effects are measured with; zero is the time of the snapshot
	Lines    func(file string) []string // the lines of a file of the bundle, nil where there is none
}

// Check reads a policy.
func Check(in Input) *Report {
	if in.Lines == nil {
		in.Lines = func(string) []string { return nil }
	}
	switch {
	case in.Snapshot.System == model.Torque:
		return &Report{Blind: "Torque's policy is that of its scheduler, which no bundle shows"}
	case in.Snapshot.PBS != nil:
		return checkPBS(in)
	case !in.Snapshot.HasFile("sched_conf.txt"):
		return &Report{Blind: "the bundle lacks sched_conf.txt, the policy itself"}
	}
	return checkGridEngine(in)
}

// A linter looks at one snapshot of Grid Engine.
type linter struct {
	Input
	*model.Snapshot
	policy *model.Policy
}

// gridEngine are the checks, in the order of their findings in a report.
var gridEngine = []func(*linter) []Trap{
	// policies that order nothing
	functionalOff, treeOff, treeMissing, ticketsWeightless, urgencyWeightless, posixWeightless, deadlineWeightless,
	// how policies compare
	weightsTooNear, waitingTooSlow, runningStretchUrgency, urgencyNeverPositive, jobResourceTimesSlots,
	// tickets
	departmentsShared, usersWithoutShares, categoriesUnused, fewJobsRanked, ticketsCut, ticketsUnderOne, ticketsHidden,
	// the share tree and its usage
	treeWithoutRoot, unreachable, nodesNeverFound, defaultForEach, usageCountsNothing, usageNeverDecays, usageForgotten,
	// dispatching
	reservationsOff, runtimesUnknown, jobsFiltered, forcedEverywhere, noInstances, quotaDenies,
}

func checkGridEngine(in Input) *Report {
	if in.View == nil {
		in.View = audit.Recompute(in.Snapshot, in.Snapshot.TakenAt, in.Quirks, split.Assumed{})
	}
	l := &linter{Input: in, Snapshot: in.Snapshot, policy: &in.Snapshot.Policy}
	r := &Report{Words: l.words()}
	for _, check := range gridEngine {
		r.Traps = append(r.Traps, check(l)...)
	}
	return r
}

// waiting are the jobs that waited in the run, in their order.
func (l *linter) waiting() []*priority.Job { return l.View.Result.Pending }

// running are the jobs that ran.
func (l *linter) running() []*priority.Job { return l.View.Result.Running }

// all are the jobs of the run, running ones first; a job with tasks of both kinds is listed once.
func (l *linter) all() []*priority.Job {
	list := slices.Concat(l.running(), l.waiting())
	slices.SortStableFunc(list, func(a, b *priority.Job) int { return cmp.Compare(a.Job.Number, b.Job.Number) })
	return slices.CompactFunc(list, func(a, b *priority.Job) bool { return a.Job.Number == b.Job.Number })
}

// owners are those of jobs, by name.
func owners(jobs []*priority.Job) []string {
	var names []string
	for _, j := range jobs {
		names = append(names, j.Job.Owner)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// those are the jobs that a condition holds for.
func those(jobs []*priority.Job, holds func(*priority.Job) bool) (list []*priority.Job) {
	for _, j := range jobs {
		if holds(j) {
			list = append(list, j)
		}
	}
	return list
}
