package diff

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"qprism/engine/model"
)

// ifAltered checks whether a change of one of the two tasks reverses their order, if it happened before the
// run. Such a change is a hold, an error state, or another request, at some time between the snapshots.
func (s *step) ifAltered(late, early Task) (Cause, bool) {
	held := s.heldSince(late)
	if !held && !s.wereAltered(s.after, late, early) {
		return Cause{}, false
	}
	switch then := s.ifBefore(); {
	case !then.plan.inverts(late, early) && !then.order.ahead(early, late):
		return Cause{}, false
	case held:
		return Cause{Kind: Held, Detail: "since the snapshot"}, true
	}
	return Cause{Kind: Changed, Detail: "job altered"}, true
}

// heldSince reports whether a task is held or in error in the later snapshot, and was not in the earlier one.
func (s *step) heldSince(t Task) bool {
	before, after := s.jobIn(s.before, t), s.jobIn(s.after, t)
	return before != nil && after != nil && !heldOrFailed(before, t) && heldOrFailed(after, t)
}

// A supposed run has its plan and the order in which it tries tasks.
type supposed struct {
	plan  *decided
	order *standing
}

// ifBefore is the run, had everything that was changed between the two snapshots been changed before it.
func (s *step) ifBefore() *supposed {
	if s.altered == nil {
		state := altered(s.state, s.after)
		s.altered = &supposed{byTask(planRun(state, s.at, s.Release, s.memory, false)),
			stand(ranking(state, s.at, s.Release, s.memory))}
	}
	return s.altered
}

// heldOrFailed reports whether a task waits with a hold or in error.
func heldOrFailed(j *model.Job, t Task) bool {
	if j.PBS != nil {
		return j.PBS.State == "H" || j.PBS.State == "W"
	}
	return strings.ContainsAny(stateOf(j, t), "hE")
}

// A restoration undoes one kind of change between two snapshots.
type restoration struct {
	name string
	// it undoes what was done to the two jobs alone
	ofJobs bool
	// false where there is nothing to undo
	undo func(now, then *model.Snapshot, late, early Task) (*model.Snapshot, bool)
}

var restorations = []restoration{
	{"job altered (qalter)", true, restoreJobs},
	{"policy changed", false, restorePolicy},
	{"new jobs in the normalization", false, withoutNewJobs},
	{"usage and its decay", false, restoreUsage},
	{"jobs that started or ended", false, restoreRunning},
}

// whatChanged finds what made the early task come first since a prediction: that without which the late one
// still would.
func (s *step) whatChanged(then *model.Snapshot, thenAt time.Time, late, early Task) string {
	for _, r := range restorations {
		if old := s.changedOrder(r, then, late, early); old != nil && old.ahead(late, early) {
			return r.name
		}
	}
	if s.memory != s.expectedMemory {
		if s.order("memory", then, func() []place {
			return ranking(s.state, s.at, s.Quirks, s.expectedMemory)
		}).ahead(late, early) {
			return "usage and its decay"
		}
	}
	if s.timeOrder(then, thenAt).ahead(late, early) {
		return "waiting time"
	}
	return "several changes together"
}

// restoreJobs gives the two jobs what they asked for then.
func restoreJobs(now, then *model.Snapshot, late, early Task) (*model.Snapshot, bool) {
	own, changed, was := *now, false, jobsOf(then)
	own.Jobs = slices.Clone(now.Jobs)
	for i := range own.Jobs {
		j := &own.Jobs[i]
		if j.Number != late.Job && j.Number != early.Job {
			continue
		}
		if old := was.of(Task{j.Number, indexOf(j)}); old != nil && !j.AsksAs(old) {
			changed = true
			j.PosixPriority, j.OverrideTickets, j.JobShare, j.Deadline, j.Project,
				j.Department = old.PosixPriority, old.OverrideTickets,
				old.JobShare, old.Deadline, old.Project, old.Department
			j.PE, j.PERange, j.Hard, j.Soft = old.PE, old.PERange, old.Hard, old.Soft
			if j.PBS != nil && old.PBS != nil {
				p := *j.PBS
				p.Queue, p.Select, p.SchedSelect, p.Place = old.PBS.Queue, old.PBS.Select, old.PBS.SchedSelect, old.PBS.Place
				j.PBS = &p
			}
		}
	}
	return &own, changed
}

func indexOf(j *model.Job) uint32 {
	if j.PBS != nil {
		return max(j.PBS.Index, 1)
	}
	return 1
}

// restorePolicy takes the configuration that held then: weights, shares, the tree, complex entries.
func restorePolicy(now, then *model.Snapshot, _, _ Task) (*model.Snapshot, bool) {
	own := *now
	own.Policy, own.ShareTree, own.Resources, own.Config, own.Usersets = then.Policy, then.ShareTree,
		then.Resources, then.Config,
		then.Usersets
	own.Users = restored(now.Users, then.Users, userName, func(u, old *model.User) {
		u.FunctionalShares, u.OverrideTickets = old.FunctionalShares, old.OverrideTickets
	})
	own.Projects = restored(now.Projects, then.Projects, projectName, func(p, old *model.Project) {
		p.FunctionalShares, p.OverrideTickets = old.FunctionalShares, old.OverrideTickets
	})
	if now.PBS != nil && then.PBS != nil {
		p := *now.PBS
		p.SchedConfig, p.Formula, p.Schedulers, p.Server = then.PBS.SchedConfig, then.PBS.Formula,
			then.PBS.Schedulers, then.PBS.Server
		p.Server.Assigned = now.PBS.Server.Assigned
		p.Fairshare.Groups, p.Fairshare.Policy = then.PBS.Fairshare.Groups, then.PBS.Fairshare.Policy
		own.PBS = &p
	}
	return &own, !reflect.DeepEqual(own, *now)
}

func userName(u *model.User) string       { return u.Name }
func projectName(p *model.Project) string { return p.Name }

// restored are objects of now, of which those that were there then take something back.
func restored[T any](now, then []T, name func(*T) string, take func(own, old *T)) []T {
	was := make(map[string]*T, len(then))
	for i := range then {
		was[name(&then[i])] = &then[i]
	}
	own := slices.Clone(now)
	for i := range own {
		if old := was[name(&own[i])]; old != nil {
			take(&own[i], old)
		}
	}
	return own
}

// withoutNewJobs leaves out jobs that were not there then.
func withoutNewJobs(now, then *model.Snapshot, _, _ Task) (*model.Snapshot, bool) {
	known := map[uint32]bool{}
	for i := range then.Jobs {
		known[then.Jobs[i].Number] = true
	}
	own := *now
	own.Jobs = slices.DeleteFunc(slices.Clone(now.Jobs), func(j model.Job) bool { return !known[j.Number] })
	return &own, len(own.Jobs) < len(now.Jobs)
}

// restoreUsage takes the usage of then.
func restoreUsage(now, then *model.Snapshot, _, _ Task) (*model.Snapshot, bool) {
	own := *now
	own.Users = restored(now.Users, then.Users, userName, func(u, old *model.User) {
		u.Usage, u.Projects = old.Usage, old.Projects
	})
	own.Projects = restored(now.Projects, then.Projects, projectName, func(p, old *model.Project) { p.Usage = old.Usage })
	if now.PBS != nil && then.PBS != nil {
		p := *now.PBS
		p.Fairshare.Usage = then.PBS.Fairshare.Usage
		own.PBS = &p
	}
	return &own, !reflect.DeepEqual(own, *now)
}

// restoreRunning lets the tasks run that ran then, and those that started since wait again. Jobs that came since stay.
func restoreRunning(now, then *model.Snapshot, _, _ Task) (*model.Snapshot, bool) {
	own, was, is := *now, jobsOf(then), jobsOf(now)
	own.Instances, own.Hosts, own.Queues = then.Instances, then.Hosts, then.Queues
	own.Jobs = slices.Clone(now.Jobs)
	changed := false
	for i := range own.Jobs {
		j := &own.Jobs[i]
		old := was.of(Task{j.Number, indexOf(j)})
		switch {
		case old == nil:
		case j.PBS != nil && old.PBS != nil && hasRun(j.PBS) != hasRun(old.PBS):
			p := *j.PBS
			p.State, p.Substate, p.ExecVnode, p.Started, p.Used = old.PBS.State, old.PBS.Substate,
				old.PBS.ExecVnode, old.PBS.Started, old.PBS.Used
			j.PBS, changed = &p, true
		case j.PBS == nil && !sameStarts(j, old):
			j.Tasks, changed = old.Tasks, true
		}
	}
	for i := range then.Jobs {
		if j := &then.Jobs[i]; is.of(Task{j.Number, indexOf(j)}) == nil {
			own.Jobs, changed = append(own.Jobs, *j), true
		}
	}
	return &own, changed
}

// sameStarts reports whether the same tasks of a job run.
func sameStarts(a, b *model.Job) bool {
	return slices.EqualFunc(a.Tasks, b.Tasks, func(x, y model.Task) bool {
		return x.Started.Equal(y.Started) && slices.Equal(x.IDs, y.IDs)
	})
}
