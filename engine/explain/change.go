package explain

import (
	"cmp"
	"slices"
	"time"

	"qprism/engine/model"
	"qprism/engine/pbs/fairshare"
)

// A Kind is something that can change the order of two jobs.
type Kind string

// The kinds. Amounts are what is set then: a priority, a number of tickets or shares; or what is added: seconds, usage, jobs.
const (
	ByTime     Kind = "time"       // goes by, and nothing else changes; Amount is in seconds from Next on
	ByPriority Kind = "priority"   // qalter -p
	ByTickets  Kind = "tickets"    // qalter -ot
	ByWaiting  Kind = "waiting"    // had it been submitted that many seconds earlier
	ByEligible Kind = "eligible"   // of PBS: that many seconds more of eligible_time
	ByStarts   Kind = "starts"     // that many jobs of the other one's owner, or entity, start
	ByUsed     Kind = "usage"      // of PBS: the other one's entity has used that much more
	ByFShare   Kind = "shares"     // functional shares of its user
	ByPShare   Kind = "project"    // functional shares of its project
	ByDShare   Kind = "department" // functional shares of its department
	ByQueue    Kind = "queue"      // of PBS: priority of its queue
	ByGroup    Kind = "group"      // of PBS: shares of its entity in resource_group
)

// A Change is one thing changed in a snapshot, for the order of two jobs.
type Change struct {
	Kind   Kind  `json:"kind"`
	Amount int64 `json:"amount"`
}

// apply is the snapshot after a change by which one job is to pass another one; starts are the jobs that start for ByStarts,
// in that order. What the change does not touch is shared with the snapshot given.
func (c Change) apply(s *model.Snapshot, passer, passed *model.Job, starts []start, at time.Time) *model.Snapshot {
	n := *s
	switch c.Kind {
	case ByPriority, ByTickets, ByWaiting, ByEligible:
		n.Jobs = slices.Clone(s.Jobs)
		for i := range n.Jobs {
			if same(&n.Jobs[i], passer) {
				n.Jobs[i] = c.altered(passer)
			}
		}
	case ByStarts:
		n.Jobs = slices.Clone(s.Jobs)
		for _, t := range starts[:min(int(c.Amount), len(starts))] {
			t.begin(n.Jobs, at)
		}
	case ByFShare:
		n.Users = slices.Clone(s.Users)
		for i := range n.Users {
			if n.Users[i].Name == passer.Owner {
				n.Users[i].FunctionalShares = uint32(c.Amount)
			}
		}
	case ByPShare:
		n.Projects = slices.Clone(s.Projects)
		for i := range n.Projects {
			if n.Projects[i].Name == passer.Project {
				n.Projects[i].FunctionalShares = uint32(c.Amount)
			}
		}
	case ByDShare:
		n.Usersets = slices.Clone(s.Usersets)
		for i := range n.Usersets {
			if n.Usersets[i].Name == passer.Department {
				n.Usersets[i].FunctionalShares = uint32(c.Amount)
			}
		}
	case ByUsed:
		n.PBS = moreUsed(s.PBS, fairshare.EntityOf(s.PBS.Fairshare.Policy, passed), float64(c.Amount))
	case ByQueue:
		n.Queues = slices.Clone(s.Queues)
		for i := range n.Queues {
			if q := n.Queues[i].PBS; q != nil && n.Queues[i].Name == passer.PBS.Queue {
				own := *q
				own.Priority = int(c.Amount)
				n.Queues[i].PBS = &own
			}
		}
	case ByGroup:
		n.PBS = regrouped(s.PBS, fairshare.EntityOf(s.PBS.Fairshare.Policy, passer), int32(c.Amount))
	}
	return &n
}

// altered is a job after a change to itself.
func (c Change) altered(job *model.Job) model.Job {
	j := *job
	switch c.Kind {
	case ByPriority:
		j.PosixPriority = int(c.Amount)
	case ByTickets:
		j.OverrideTickets = uint32(c.Amount)
	case ByWaiting:
		j.Submitted = j.Submitted.Add(-c.seconds())
	case ByEligible:
		own := *j.PBS
		own.EligibleTime += c.seconds()
		j.PBS = &own
	}
	return j
}

// same reports whether two jobs of snapshots are one: arrays and subjobs of PBS have one number.
func same(a, b *model.Job) bool {
	return a.Number == b.Number && (a.PBS == nil || b.PBS == nil || a.PBS.ID == b.PBS.ID)
}

// seconds is the amount as a length of time.
func (c Change) seconds() time.Duration { return time.Duration(c.Amount) * time.Second }

// moreUsed adds to what an entity has used.
func moreUsed(p *model.PBS, entity string, amount float64) *model.PBS {
	n := *p
	n.Fairshare.Usage.Records = slices.Clone(p.Fairshare.Usage.Records)
	i := slices.IndexFunc(n.Fairshare.Usage.Records, func(r model.EntityUsage) bool { return r.Name == entity })
	if i < 0 {
		i = len(n.Fairshare.Usage.Records)
		n.Fairshare.Usage.Records = append(n.Fairshare.Usage.Records, model.EntityUsage{Name: entity, Usage: 1})
	}
	n.Fairshare.Usage.Records[i].Usage += amount
	return &n
}

// regrouped gives an entity other shares.
func regrouped(p *model.PBS, entity string, shares int32) *model.PBS {
	n := *p
	n.Fairshare.Groups = slices.Clone(p.Fairshare.Groups)
	for i := range n.Fairshare.Groups {
		if n.Fairshare.Groups[i].Name == entity {
			n.Fairshare.Groups[i].Shares = shares
		}
	}
	return &n
}

// A start is a task that starts.
type start struct {
	job  *model.Job
	task uint32
}

// begin makes a waiting task of the jobs one that started just before a moment.
func (t start) begin(jobs []model.Job, at time.Time) {
	for i := range jobs {
		if j := &jobs[i]; j.Number == t.job.Number {
			j.Tasks = started(j.Tasks, t.task, at.Add(-time.Second))
		}
	}
}

// started takes a task out of the group that it waits in.
func started(tasks []model.Task, number uint32, at time.Time) []model.Task {
	var list []model.Task
	for _, t := range tasks {
		if !t.Started.IsZero() || !waitsIn(&t, number) {
			list = append(list, t)
			continue
		}
		rest := t
		rest.IDs = without(t.IDs, number)
		if len(rest.IDs) > 0 {
			list = append(list, rest)
		}
		list = append(list, model.Task{IDs: []model.Range{{Min: number, Max: number, Step: 1}}, State: "r", Enrolled: true, Started: at,
			Slots: t.Slots, Reported: t.Reported})
	}
	return list
}

func waitsIn(t *model.Task, number uint32) bool {
	if len(t.IDs) == 0 {
		return number == 1
	}
	return slices.ContainsFunc(t.IDs, func(r model.Range) bool { return inRange(r, number) })
}

func inRange(r model.Range, number uint32) bool {
	return number >= r.Min && number <= r.Max && (number-r.Min)%max(r.Step, 1) == 0
}

// without takes a number out of ranges.
func without(ranges []model.Range, number uint32) []model.Range {
	var list []model.Range
	for _, r := range ranges {
		if !inRange(r, number) {
			list = append(list, r)
			continue
		}
		step := max(r.Step, 1)
		if number > r.Min {
			list = append(list, model.Range{Min: r.Min, Max: number - step, Step: r.Step})
		}
		if number+step <= r.Max && number+step > number {
			list = append(list, model.Range{Min: number + step, Max: r.Max, Step: r.Step})
		}
	}
	slices.SortFunc(list, func(a, b model.Range) int { return cmp.Compare(a.Min, b.Min) })
	return list
}
