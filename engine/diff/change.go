package diff

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"qprism/engine/model"
)

// wasAltered is what sinceAltered finds, once for each task.
func (s *step) wasAltered(t Task) (Cause, bool) {
	return remember(&s.remembered.altered, t, s.sinceAltered)
}

// sinceAltered looks for what the snapshot after the run shows to have been done to a task since the one before: it is held, in
// error, or asks for something else.
func (s *step) sinceAltered(t Task) (Cause, bool) {
	before, after := s.jobIn(s.before, t), s.jobIn(s.after, t)
	switch {
	case before == nil || after == nil:
		return Cause{}, false
	case !heldOrFailed(before, t) && heldOrFailed(after, t):
		return Cause{Kind: Held, Detail: "since the snapshot"}, true
	case !sameOrders(before, after):
		return Cause{Kind: Changed, Detail: "job altered"}, true
	}
	return Cause{}, false
}

// heldOrFailed reports whether a task waits with a hold or in error.
func heldOrFailed(j *model.Job, t Task) bool {
	if j.PBS != nil {
		return j.PBS.State == "H" || j.PBS.State == "W"
	}
	return slices.ContainsFunc(j.Tasks, func(w model.Task) bool {
		return w.Started.IsZero() && (len(w.IDs) == 0 || holds(w.IDs, t.Number)) && strings.ContainsAny(w.State, "hE")
	})
}

// sameOrders reports whether two states of a job ask for the same: nobody altered it.
func sameOrders(a, b *model.Job) bool {
	same := a.PosixPriority == b.PosixPriority && a.OverrideTickets == b.OverrideTickets && a.JobShare == b.JobShare && a.Deadline.Equal(b.Deadline) &&
		a.ExecutionTime.Equal(b.ExecutionTime) && a.Project == b.Project && a.Department == b.Department && a.Reserve == b.Reserve && a.PE == b.PE &&
		slices.Equal(a.PERange, b.PERange) && slices.Equal(a.HardQueues, b.HardQueues) && sameRequests(a.Hard, b.Hard) && sameRequests(a.Soft, b.Soft)
	if a.PBS != nil && b.PBS != nil {
		same = same && a.PBS.Queue == b.PBS.Queue && a.PBS.Select == b.PBS.Select && a.PBS.Place == b.PBS.Place
	}
	return same
}

func sameRequests(a, b []model.Request) bool {
	return slices.EqualFunc(a, b, func(x, y model.Request) bool { return x.Resource == y.Resource && x.Value == y.Value })
}

// A restoration undoes one kind of change between two snapshots.
type restoration struct {
	name   string
	ofJobs bool                                                                      // it undoes what was done to the two jobs alone
	undo   func(now, then *model.Snapshot, late, early Task) (*model.Snapshot, bool) // false where there is nothing to undo
}

var restorations = []restoration{
	{"job altered (qalter)", true, restoreJobs},
	{"policy changed", false, restorePolicy},
	{"new jobs in the normalisation", false, withoutNewJobs},
	{"usage and its decay", false, restoreUsage},
	{"jobs that started or ended", false, restoreRunning},
}

// whatChanged finds what made the early task come first since a prediction: that without which the late one still would.
func (s *step) whatChanged(then *model.Snapshot, thenAt time.Time, late, early Task) string {
	for _, r := range restorations {
		if old := s.changedOrder(r, then, late, early); old != nil && old.ahead(late, early) {
			return r.name
		}
	}
	if s.memory != s.expectedMemory {
		if s.order("memory", then, func() []place { return ranking(s.state, s.at, s.Quirks, s.expectedMemory) }).ahead(late, early) {
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
		if old := was.of(Task{j.Number, indexOf(j)}); old != nil && !sameOrders(j, old) {
			changed = true
			j.PosixPriority, j.OverrideTickets, j.JobShare, j.Deadline, j.Project, j.Department = old.PosixPriority, old.OverrideTickets, old.JobShare, old.Deadline, old.Project, old.Department
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
	own.Policy, own.ShareTree, own.Resources, own.Config, own.Usersets = then.Policy, then.ShareTree, then.Resources, then.Config, then.Usersets
	own.Users, own.Projects = slices.Clone(now.Users), slices.Clone(now.Projects)
	for i := range own.Users {
		for _, old := range then.Users {
			if u := &own.Users[i]; u.Name == old.Name {
				u.FunctionalShares, u.OverrideTickets = old.FunctionalShares, old.OverrideTickets
			}
		}
	}
	for i := range own.Projects {
		for _, old := range then.Projects {
			if p := &own.Projects[i]; p.Name == old.Name {
				p.FunctionalShares, p.OverrideTickets = old.FunctionalShares, old.OverrideTickets
			}
		}
	}
	if now.PBS != nil && then.PBS != nil {
		p := *now.PBS
		p.SchedConfig, p.Formula, p.Schedulers, p.Server = then.PBS.SchedConfig, then.PBS.Formula, then.PBS.Schedulers, then.PBS.Server
		p.Server.Assigned = now.PBS.Server.Assigned
		p.Fairshare.Groups, p.Fairshare.Policy = then.PBS.Fairshare.Groups, then.PBS.Fairshare.Policy
		own.PBS = &p
	}
	return &own, !reflect.DeepEqual(own, *now)
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
	own.Users, own.Projects = slices.Clone(now.Users), slices.Clone(now.Projects)
	for i := range own.Users {
		for _, old := range then.Users {
			if u := &own.Users[i]; u.Name == old.Name {
				u.Usage, u.Projects = old.Usage, old.Projects
			}
		}
	}
	for i := range own.Projects {
		for _, old := range then.Projects {
			if p := &own.Projects[i]; p.Name == old.Name {
				p.Usage = old.Usage
			}
		}
	}
	if now.PBS != nil && then.PBS != nil {
		p := *now.PBS
		p.Fairshare.Usage = then.PBS.Fairshare.Usage
		own.PBS = &p
	}
	return &own, !reflect.DeepEqual(own, *now)
}

// restoreRunning takes the jobs of then as they were, in the state of now.
func restoreRunning(now, then *model.Snapshot, _, _ Task) (*model.Snapshot, bool) {
	own := *now
	own.Jobs, own.Instances, own.Hosts, own.Queues = then.Jobs, then.Instances, then.Hosts, then.Queues
	return &own, true
}
