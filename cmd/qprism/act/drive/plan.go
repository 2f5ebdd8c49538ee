package drive

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"qprism/cmd/qprism/act/push"
	"qprism/cmd/qprism/subject"
	"qprism/engine/assign"
	"qprism/engine/gridengine/dispatch"
	"qprism/engine/gridengine/split"
	"qprism/engine/gridengine/steer"
	"qprism/engine/model"
	"qprism/exporter"
	"qprism/exporter/drive"
	"qprism/exporter/gridengine"
)

// A drivePlan is what the jobs that are driven shall have.
type plan struct {
	at         time.Time
	owned      int
	asked      bool // for an order
	order      []uint32
	wishes     map[uint32]*dispatch.Wish
	wanted     map[string]drive.Wanted  // of jobs that shall have something, or of which something is claimed
	priorities map[uint32]assign.Change // of -p
	notes      []string
	ids        map[uint32]string // of PBS: of jobs and arrays, by sequence number
	ruled      bool              // there are rules
	room       bool              // slots are free
	again      bool              // another step gives away what this one takes
	coming     time.Time         // when the first job may start that waits for its -a; zero for none
	ripe       time.Time         // the same of jobs that may take the place of others then
}

// planned decides what jobs shall have, by what is claimed of them already.
func planned(ctx context.Context, s *subject.Subject, opts Options, own own, claims []model.Claim,
	ask asks) (*plan, error) {
	at := s.TakenAt.Truncate(time.Second).Add(time.Second)
	owned := own.waiting(s.Snapshot, heldBy(claims))
	bound := boundBy(claims)
	free := subject.NewSubject(dispatch.Lift(s.Snapshot, owned, bound), s.Rules, s.Look)
	d, err := ask(ctx, free, opts, at)
	if err != nil {
		return nil, err
	}
	site, err := readRules(opts.Rules)
	if err != nil {
		return nil, err
	}
	native := push.SchedulerRun(free, at)
	order := append(slices.Clone(d.Order), except(numbersOf(native.Native(nil)), d.Order)...)
	rules := slices.Concat(site, d.Rules)
	r, err := dispatch.Decide(dispatch.Input{Snapshot: free.Snapshot, Owned: owned, Order: order, Rules: rules,
		Idle: idle(s.Snapshot, owned), Later: later(s.Snapshot), After: waitsFor(s.Snapshot, bound, claims),
		Chains: !opts.unchained && exporter.Unsafe(s.Snapshot, "hold_jid") == nil})
	if err != nil {
		return nil, err
	}
	p := &plan{at: at, owned: len(owned), asked: len(d.Order) > 0, order: r.Order, wishes: r.Wishes,
		wanted:     map[string]drive.Wanted{},
		priorities: map[uint32]assign.Change{}, notes: r.Notes, ruled: len(rules) > 0,
		room:  split.FreeSlots(s.Snapshot, at) > 0,
		again: r.Again}
	p.coming = firstComing(s.Snapshot, func(job uint32) bool { return len(owned[job]) > 0 })
	p.ripe = firstComing(s.Snapshot, func(job uint32) bool { return slices.Contains(r.Late, job) })
	if err := p.rank(free, own, owned, at); err != nil {
		return nil, err
	}
	p.gather(s.Snapshot, owned, claims)
	return p, nil
}

// firstComing is when the first of some jobs may start of which the start time has not come.
func firstComing(s *model.Snapshot, is func(job uint32) bool) (first time.Time) {
	for i := range s.Jobs {
		if j := &s.Jobs[i]; is(j.Number) && j.ExecutionTime.After(s.TakenAt) &&
			(first.IsZero() || j.ExecutionTime.Before(first)) {
			first = j.ExecutionTime
		}
	}
	return first
}

// heldBy are the tasks that a drive holds.
func heldBy(claims []model.Claim) map[uint32]model.TaskSet {
	held := map[uint32]model.TaskSet{}
	for _, c := range claims {
		number, err := strconv.ParseUint(c.Job, 10, 32)
		if err != nil || c.Attribute != "hold" && c.Attribute != "after" {
			continue
		}
		if c.Attribute == "after" {
			held[uint32(number)] = held[uint32(number)].With(model.TasksOf(nil))
			continue
		}
		for text := range strings.SplitSeq(c.Becomes, "\n") {
			if tasks, bad := model.ParseTasks(text); bad == nil && text != "" {
				held[uint32(number)] = held[uint32(number)].With(tasks)
			}
		}
	}
	return held
}

// boundBy are the jobs that a drive bound to the ends of others.
func boundBy(claims []model.Claim) map[uint32][]uint32 {
	bound := map[uint32][]uint32{}
	for _, c := range claims {
		number, err := strconv.ParseUint(c.Job, 10, 32)
		if err != nil || c.Attribute != "after" {
			continue
		}
		for text := range strings.SplitSeq(c.Becomes, "\n") {
			if to, bad := strconv.ParseUint(text, 10, 32); bad == nil {
				bound[uint32(number)] = append(bound[uint32(number)], uint32(to))
			}
		}
	}
	return bound
}

// waitsFor are those of them that wait for the ends of others alone: no hold of the drive keeps them from
// starting afterwards.
func waitsFor(s *model.Snapshot, bound map[uint32][]uint32, claims []model.Claim) map[uint32][]uint32 {
	held := map[string]bool{}
	for _, c := range claims {
		held[c.Job] = held[c.Job] || c.Attribute == "hold" && c.State == model.OrderConfirmed && c.Becomes != ""
	}
	list := map[uint32][]uint32{}
	for i := range s.Jobs {
		if j := &s.Jobs[i]; len(bound[j.Number]) > 0 && len(j.Predecessors) > 0 && !held[push.JobID(j.Number)] {
			list[j.Number] = j.Predecessors
		}
	}
	return list
}

// idle are the tasks that cannot start before a step has changed what they have: they are held, or their
// time has not come.
func idle(s *model.Snapshot, owned map[uint32]model.TaskSet) map[uint32]model.TaskSet {
	late, list := later(s), map[uint32]model.TaskSet{}
	for i := range s.Jobs {
		j := &s.Jobs[i]
		if tasks := owned[j.Number]; late[j.Number] {
			list[j.Number] = tasks
		} else if len(tasks) > 0 {
			list[j.Number] = tasks.Without(unheld(j))
		}
	}
	return list
}

// before is how long before a job may start by its -a a step decides about it as about one that may: that
// takes a moment.
const before = 2 * time.Second

// later are the jobs of which the start time has not come.
func later(s *model.Snapshot) map[uint32]bool {
	list := map[uint32]bool{}
	for i := range s.Jobs {
		if j := &s.Jobs[i]; j.ExecutionTime.After(s.TakenAt.Add(before)) {
			list[j.Number] = true
		}
	}
	return list
}

func numbersOf(list []assign.Waiting) []uint32 {
	numbers := make([]uint32, len(list))
	for i := range list {
		numbers[i] = list[i].Job
	}
	return numbers
}

func except(list, others []uint32) []uint32 {
	in := map[uint32]bool{}
	for _, n := range others {
		in[n] = true
	}
	return slices.DeleteFunc(list, func(n uint32) bool { return in[n] })
}

// A job is kept before the next by so much of prio, so that what a start moves does not change the order
// before the next step: by what all tickets weigh by default, or where none are given out by little. Those
// have it that may start soon; with all of them each start would move all others.
const (
	driveMargin   = 0.01
	withoutTicket = 0.001
	driveFront    = 32
)

// margin is what the drive of a cluster keeps jobs apart by.
func margin(s *model.Snapshot) float64 {
	override := slices.ContainsFunc(s.Jobs, func(j model.Job) bool { return j.OverrideTickets > 0 }) ||
		slices.ContainsFunc(s.Users, func(u model.User) bool { return u.OverrideTickets > 0 }) ||
		slices.ContainsFunc(s.Projects, func(p model.Project) bool { return p.OverrideTickets > 0 }) ||
		slices.ContainsFunc(s.Usersets, func(u model.Userset) bool { return u.OverrideTickets > 0 })
	if s.Policy.FunctionalTickets > 0 || s.Policy.ShareTreeTickets > 0 || override {
		return driveMargin
	}
	return withoutTicket
}

// rank finds the -p of jobs that are not held. Where all are driven the priorities are above 0, the
// default: a job that has come since is behind them until the next step finds its place. Where some are,
// theirs are at most 0: they come in their order, but before nobody who is not driven.
func (p *plan) rank(s *subject.Subject, own own, owned map[uint32]model.TaskSet, at time.Time) error {
	held := map[uint32]model.TaskSet{}
	for number, w := range p.wishes {
		if !w.Limited {
			held[number] = w.Held
		}
	}
	native := push.SchedulerRun(subject.NewSubject(dispatch.WithHolds(s.Snapshot, held), s.Rules, s.Look), at)
	scale := assign.Scale{Weight: s.Policy.WeightPriority, Min: 1, Max: gridengine.MaxP,
		Rest: gridengine.MaxP / 2, Even: true, Strict: true,
		Margin: margin(s.Snapshot), Front: driveFront}
	among := native.Native
	if !own.All {
		scale.Min, scale.Max, scale.Rest = gridengine.MinP, 0, 0
		among = func(changes []assign.Change) []assign.Waiting {
			return slices.DeleteFunc(native.Native(changes), func(w assign.Waiting) bool { return len(owned[w.Job]) == 0 })
		}
	}
	st, err := assign.Steer(p.order, scale, among)
	var none *assign.NoNumberError
	switch {
	case err == nil:
		for _, c := range st.Changes {
			p.priorities[c.Job] = c
		}
	case errors.As(err, &none):
		return err
	case p.asked:
		return &exporter.RefusalError{Why: (&steer.NoWeightError{Weight: scale.Weight}).Error()}
	}
	return nil
}

// gather makes of priorities and wishes what jobs shall have. What is claimed of a job and not wanted goes
// back; so what it keeps is said, too.
func (p *plan) gather(s *model.Snapshot, owned map[uint32]model.TaskSet, claims []model.Claim) {
	claimed, whose := map[string]bool{}, exporter.WhoseJobs(s)
	for _, c := range claims {
		claimed[c.Job] = true
	}
	for i := range s.Jobs {
		j := &s.Jobs[i]
		if len(owned[j.Number]) == 0 {
			continue
		}
		w, changes := p.want(j)
		if id := push.JobID(j.Number); changes || claimed[id] {
			w.Whose = whose[id]
			p.wanted[id] = w
		}
	}
}

// want is what a job shall have, and whether that is more than it has without.
func (p *plan) want(j *model.Job) (w drive.Wanted, changes bool) {
	w.Array = j.Array
	priority := j.PosixPriority
	c, changes := p.priorities[j.Number]
	if changes {
		priority = c.To
	}
	w.P = &priority
	if o := p.wishes[j.Number]; o != nil && o.Bound() {
		changes = true
		w.Hold, w.Hosts, w.Queues, w.Also, w.First, w.Reserve = o.Held, o.Hosts, o.Queues, o.Also, o.First, o.Reserve
		if o.After > 0 {
			w.After = push.JobID(o.After)
		}
		w.Why = strings.Join(o.Why, " / ")
	}
	return w, changes
}
