package lint

import (
	"slices"

	"qprism/engine/gridengine"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/split"
	"qprism/engine/lint"
	"qprism/engine/model"
	"qprism/engine/order"
)

// A linter looks at one snapshot of Grid Engine.
type linter struct {
	lint.Input
	*model.Snapshot
	policy *model.Policy
	view   *lastrun.View   // the next run
	all    []*priority.Job // of the next run, by number; no check changes the list

	projects map[string]bool
	users    map[string]bool
	missed   map[[2]string]miss // by owner and project
}

// gridEngine are the checks, in the order of their findings in a report.
var gridEngine = []func(*linter) []lint.Trap{
	// policies that order nothing
	functionalOff, treeOff, treeMissing, ticketsWeightless, urgencyWeightless, posixWeightless, deadlineWeightless,
	// how policies compare
	weightsTooNear, waitingTooSlow, heldGatherTime, runningStretchUrgency, urgencyNeverPositive, memoryOutweighs,
	jobResourceTimesSlots,
	// tickets
	departmentsShared, usersWithoutShares, categoriesUnused, fewJobsRanked, ticketsCut, ticketsUnderOne, ticketsHidden,
	// the share tree and its usage
	treeWithoutRoot, unreachable, nodesNeverFound, defaultForEach, usageCountsNothing, usageNeverDecays, usageForgotten,
	// dispatching
	reservationsOff, reservationsInPast, reservationsForAll, offsetTooLow, runtimesUnknown, jobsFiltered,
	forcedEverywhere,
	noInstances, quotaDenies,
}

// Check reads a policy of Grid Engine.
func Check(in lint.Input) *lint.Report {
	in = in.Whole()
	if !in.Snapshot.HasFile("sched_conf.txt") {
		return &lint.Report{NotChecked: "the bundle lacks sched_conf.txt, the policy itself"}
	}
	l := &linter{Input: in, Snapshot: in.Snapshot, policy: &in.Snapshot.Policy, projects: map[string]bool{},
		users:  map[string]bool{},
		missed: map[[2]string]miss{}}
	for _, p := range in.Snapshot.Projects {
		l.projects[p.Name] = true
	}
	for _, u := range in.Snapshot.Users {
		l.users[u.Name] = true
	}
	l.view = lastrun.Recompute(in.Snapshot, in.At, in.Quirks, split.Assumed{})
	l.all = allJobs(l.view.Result)
	r := &lint.Report{Words: l.words()}
	if found := notFinite(l); len(found) > 0 {
		r.Add(found)
		return r
	}
	for _, check := range gridEngine {
		r.Add(check(l))
	}
	r.Stuck = stuckGridEngine(in)
	return r
}

// waiting are the jobs that wait for the next run, in its order.
func (l *linter) waiting() []*priority.Job { return l.view.Result.Pending }

// running are the jobs that run.
func (l *linter) running() []*priority.Job { return l.view.Result.Running }

// allJobs are the jobs of a run by number. A job with running and waiting tasks is listed once.
func allJobs(r *priority.Result) []*priority.Job {
	list := slices.Concat(r.Running, r.Pending)
	order.Sort(list, func(j *priority.Job) uint64 { return uint64(j.Job.Number) }, nil)
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

func stuckGridEngine(in lint.Input) []lint.Stuck {
	return lint.NeverRun(in.Snapshot, gridengine.NewChances(in.Snapshot, in.Quirks))
}
