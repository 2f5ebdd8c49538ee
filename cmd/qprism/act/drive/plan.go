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

// A plan has the values that the jobs of a drive should have.
type plan struct {
	at         time.Time
	owned      int
	asked      bool // for an order
	order      []uint32
	wishes     map[uint32]*dispatch.Wish
	wanted     map[string]drive.Wanted  // of jobs that shall have something, or have claims
	priorities map[uint32]assign.Change // of -p
	notes      []string
	ids        map[uint32]string // of PBS: of jobs and arrays, by sequence number
	ruled      bool              // the site has rules
	room       bool              // slots are free
	again      bool              // the next step continues a change of this step
	coming     time.Time         // the first start time (-a) that is ahead; zero for none
	decideAt   time.Time         // the same of jobs that may then take the place of others
}

// planned decides which values jobs should have, from the claims of the drive.
func planned(ctx context.Context, s *subject.Subject, opts Options, own own, claims []model.Claim,
	ask source) (*plan, error) {
	at := s.TakenAt.Truncate(time.Second).Add(time.Second)
	held, bound := taken(claims)
	owned := own.waiting(s.Snapshot, held)
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
	p.decideAt = firstComing(s.Snapshot, func(job uint32) bool { return slices.Contains(r.Late, job) })
	if err := p.rank(free, own, owned, at); err != nil {
		return nil, err
	}
	p.gather(s.Snapshot, owned, claims)
	return p, nil
}

// firstComing is the earliest start time (-a) of some jobs that is still ahead.
func firstComing(s *model.Snapshot, is func(job uint32) bool) (first time.Time) {
	for i := range s.Jobs {
		if j := &s.Jobs[i]; is(j.Number) && j.ExecutionTime.After(s.TakenAt) &&
			(first.IsZero() || j.ExecutionTime.Before(first)) {
			first = j.ExecutionTime
		}
	}
	return first
}

// taken reads the claims of a drive: the tasks that it holds, and for each job, which jobs the drive made wait
// for it (-hold_jid).
func taken(claims []model.Claim) (held map[uint32]model.TaskSet, bound map[uint32][]uint32) {
	held, bound = map[uint32]model.TaskSet{}, map[uint32][]uint32{}
	for _, c := range claims {
		n, err := strconv.ParseUint(c.Job, 10, 32)
		if err != nil || c.Attribute != "hold" && c.Attribute != "after" {
			continue
		}
		job := uint32(n)
		if c.Attribute == "after" {
			held[job] = held[job].With(model.TasksOf(nil))
		}
		for text := range strings.SplitSeq(c.Becomes, "\n") {
			if c.Attribute == "after" {
				if to, bad := strconv.ParseUint(text, 10, 32); bad == nil {
					bound[job] = append(bound[job], uint32(to))
				}
			} else if tasks, bad := model.ParseTasks(text); bad == nil && text != "" {
				held[job] = held[job].With(tasks)
			}
		}
	}
	return held, bound
}

// waitsFor returns the jobs that wait only for the ends of other jobs.
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

// idle returns the tasks that cannot start before a step changes them: they are held, or their start time is in
// the future.
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

// before is how early a step decides about a job with a start time (-a) in the future, because a decision needs
// some time.
const before = 2 * time.Second

// later returns the jobs whose start time is in the future.
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

// A distance in prio keeps jobs in order when a start moves urgency or tickets before the next step. With
// tickets, it is the default weight of all tickets. Without tickets it is small. Only the first jobs have it,
// because they may start soon.
const (
	driveMargin   = 0.01
	withoutTicket = 0.001
	driveFront    = 32
)

// margin is the distance in prio between driven jobs.
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

// rank finds -p for jobs that are not held. If the drive manages all jobs, -p is above 0, so that a new job is
// last until the next step. Otherwise -p is at most 0, so that these jobs never pass other jobs.
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

// gather joins priorities and wishes to the values of jobs. It also lists jobs with claims that do not change,
// because a job that is not listed gets its old values back.
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

// want returns the values that a job should have, and whether they change anything.
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
