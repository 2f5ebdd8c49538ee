package lint

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"qprism/engine/gridengine/lastrun"
	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// A Report is what there is to say of a policy.
type Report struct {
	Blind  string  `json:"not_checked,omitempty"` // why nothing could be checked; empty where it could
	Words  []Word  `json:"policy"`
	Traps  []Trap  `json:"traps"`
	Stuck  []Stuck `json:"never"` // jobs that wait and can never run
	Partly bool    `json:"-"`     // a part could not be checked, and Words say which
}

// A Word is a part of the policy in plain words.
type Word struct {
	About string `json:"about"`
	Says  string `json:"says"`
}

// A Trap is a part of a policy that does something else than it seems to.
type Trap struct {
	Name   string   `json:"name"` // for programs, "waiting-too-slow"
	What   string   `json:"what"` // what is wrong
	Place           // the line that causes it
	Effect string   `json:"effect"` // measured on the jobs of the snapshot
	Fix    []string `json:"fix"`    // shell commands, any one of which mends it; none where no command does
}

// A Place is a line of a file of the bundle.
type Place struct {
	File string `json:"file"`
	Line int    `json:"line,omitempty"` // from 1; 0 where the bundle does not show the line, or it is the lack of one
	Text string `json:"text,omitempty"` // what it says
}

// An Input is what is looked at.
type Input struct {
	Snapshot *model.Snapshot
	Quirks   model.Quirks
	At       time.Time                  // of the next run, with which effects are measured; zero is the time of the snapshot
	Lines    func(file string) []string // the lines of a file of the bundle, nil where there is none
}

// Check reads a policy.
func Check(in Input) *Report {
	if in.Lines == nil {
		in.Lines = func(string) []string { return nil }
	}
	if in.At.IsZero() {
		in.At = in.Snapshot.TakenAt
	}
	switch {
	case in.Snapshot.System == model.Torque:
		return checkTorque(in)
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
	view   *lastrun.View // the next run

	projects map[string]bool
	users    map[string]bool
	missed   map[[2]string]miss // by owner and project
}

// gridEngine are the checks, in the order of their findings in a report.
var gridEngine = []func(*linter) []Trap{
	// policies that order nothing
	functionalOff, treeOff, treeMissing, ticketsWeightless, urgencyWeightless, posixWeightless, deadlineWeightless,
	// how policies compare
	weightsTooNear, waitingTooSlow, runningStretchUrgency, urgencyNeverPositive, memoryOutweighs,
	jobResourceTimesSlots,
	// tickets
	departmentsShared, usersWithoutShares, categoriesUnused, fewJobsRanked, ticketsCut, ticketsUnderOne, ticketsHidden,
	// the share tree and its usage
	treeWithoutRoot, unreachable, nodesNeverFound, defaultForEach, usageCountsNothing, usageNeverDecays, usageForgotten,
	// dispatching
	reservationsOff, runtimesUnknown, jobsFiltered, forcedEverywhere, noInstances, quotaDenies,
}

func checkGridEngine(in Input) *Report {
	l := &linter{Input: in, Snapshot: in.Snapshot, policy: &in.Snapshot.Policy, projects: map[string]bool{}, users: map[string]bool{},
		missed: map[[2]string]miss{}}
	for _, p := range in.Snapshot.Projects {
		l.projects[p.Name] = true
	}
	for _, u := range in.Snapshot.Users {
		l.users[u.Name] = true
	}
	l.view = lastrun.Recompute(in.Snapshot, in.At, in.Quirks, split.Assumed{})
	r := &Report{Words: l.words()}
	if found := notFinite(l); len(found) > 0 {
		r.add(found)
		return r
	}
	for _, check := range gridEngine {
		r.add(check(l))
	}
	r.Stuck = stuckGridEngine(in)
	return r
}

// mostAlike is how many traps of one kind a report lists.
const mostAlike = 20

// add lists what a check found; of many findings of one kind the first ones, and how many there are. A remedy that would
// need a name that is none, which only a made-up bundle has, is left out.
func (r *Report) add(found []Trap) {
	if more := len(found) - mostAlike; more > 0 {
		found = found[:mostAlike]
		found[mostAlike-1].Effect += fmt.Sprintf("; and %d more of this kind", more)
	}
	for i := range found {
		found[i].Fix = slices.DeleteFunc(found[i].Fix, func(command string) bool { return !safe(command) })
	}
	r.Traps = append(r.Traps, found...)
}

// waiting are the jobs that wait for the next run, in its order.
func (l *linter) waiting() []*priority.Job { return l.view.Result.Pending }

// running are the jobs that run.
func (l *linter) running() []*priority.Job { return l.view.Result.Running }

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
