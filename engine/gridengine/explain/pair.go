package explain

import (
	"cmp"
	"math"
	"slices"
	"time"

	"qprism/engine/batch"
	"qprism/engine/explain"
	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// A pair is two waiting jobs in a run of Grid Engine.
type pair struct {
	explain.Pair
	sc  *Scene
	now *priority.Result // the next run, as things are
	in  priority.Input   // of it, for the two jobs alone
}

// flips finds what would change the order of the next run.
func (sc *Scene) flips(c *explain.Comparison) {
	in := sc.input(sc.snapshot, c.Next)
	next := priority.Compute(in)
	a, b := pendingJob(next, c.A.Job.Number), pendingJob(next, c.B.Job.Number)
	if a == nil || b == nil {
		if c.First != 0 {
			c.Notes = append(c.Notes, gone(c, a, b))
		}
		return
	}
	d := &pair{Pair: explain.Pair{Snapshot: sc.snapshot, Next: c.Next, First: a.Job, Second: b.Job},
		sc: sc, now: next, in: in}
	c.Passer = c.B
	order := byDispatch(a, b)
	if order > 0 {
		d.First, d.Second, c.Passer = b.Job, a.Job, c.A
	}
	c.NextSame = order == c.First || c.First == 0
	d.Starts, d.Whose = d.startsOf(next), d.First.Owner
	d.in.Only = []uint32{d.First.Number, d.Second.Number}
	explain.Settle(c, d)
	c.Rates = sc.rates(d)
}

// input is that of the run at a moment over what a snapshot shows.
func (sc *Scene) input(s *model.Snapshot, at time.Time) priority.Input {
	in := sc.view.Input()
	assumed := sc.view.Assumed()
	in.Snapshot, in.At = s, at
	in.Lists = split.Jobs(s, at, in.Quirks, split.Assumed{Order: assumed.Order})
	in.FreeSlots = in.Lists.FreeSlots(s, at)
	return in
}

// Present is the order without a change.
func (d *pair) Present() explain.Sample {
	return order(explain.Change{}, pendingJob(d.now, d.First.Number), pendingJob(d.now, d.Second.Number))
}

// After computes the run after a change. A change of shares does not change the lists of jobs in the run. A
// change of -p or -ot does not change them either, unless JC_FILTER sorts jobs by these values (R6).
func (d *pair) After(c explain.Change) explain.Sample {
	a, b := pendingJob(d.now, d.First.Number), pendingJob(d.now, d.Second.Number)
	in := d.in
	filtered := split.Filtered(&d.Snapshot.Policy)
	switch {
	case c.Kind == explain.ByPriority && !filtered: // nothing else depends on it
		return order(c, a, d.sc.withPriority(b, int(c.Amount)))
	case c.Kind == explain.ByTickets && !filtered:
		job := altered(c, d.Second)
		in.Lists = relinked(in.Lists, d.Second, &job)
	case c.Kind == explain.ByFShare || c.Kind == explain.ByPShare || c.Kind == explain.ByDShare:
		in.Snapshot = apply(c, d.Snapshot, d.Second, nil, d.Next)
	default:
		in = d.sc.input(apply(c, d.Snapshot, d.Second, d.Starts, d.At(c)), d.At(c))
		in.Only = d.in.Only
	}
	r := priority.Compute(in)
	return order(c, pendingJob(r, d.First.Number), pendingJob(r, d.Second.Number))
}

// order is that of two jobs after a change, of which one may no longer wait.
func order(c explain.Change, first, second *priority.Job) explain.Sample {
	if first == nil || second == nil {
		return explain.Sample{Amount: c.Amount, Lead: math.NaN()}
	}
	return explain.Sample{Amount: c.Amount, Passes: byDispatch(second, first) < 0, Lead: second.Prio - first.Prio}
}

// relinked are lists with a job in place of another one.
func relinked(l split.Lists, old, job *model.Job) split.Lists {
	for _, list := range []*[]split.Entry{&l.Running, &l.Finished, &l.Pending} {
		*list = slices.Clone(*list)
		for i := range *list {
			if e := &(*list)[i]; e.Job == old {
				e.Job = job
			}
		}
	}
	return l
}

// Trials are the changes that can have an effect under the policy.
func (d *pair) Trials() []explain.Trial {
	p, behind := &d.Snapshot.Policy, -d.Present().Lead
	list := []explain.Trial{
		{Kind: explain.ByTime, Barred: d.still(), NotEnough: "not within the next " + explain.Span(explain.Horizon)},
		{Kind: explain.ByPriority, From: int64(d.Second.PosixPriority), Most: 1024,
			Barred:    weightless("weight_priority", p.WeightPriority),
			NotEnough: "even -p 1024 is too low"},
		{
			Kind:      explain.ByWaiting,
			Most:      int64(explain.Horizon/time.Second) * 120,
			Guess:     whole(waitingWorth(behind, p, d.now)),
			NotEnough: whyWaitNotEnough(p),
		},
	}
	if why := weightless("weight_ticket", p.WeightTicket); why != "" {
		return append(list, explain.Trial{Kind: explain.ByTickets, Barred: why},
			explain.Trial{Kind: explain.ByStarts, Barred: why})
	}
	has := int64(d.Second.OverrideTickets)
	list = append(
		list,
		explain.Trial{
			Kind:      explain.ByTickets,
			From:      has,
			Most:      1 << 31,
			Guess:     has + whole(ticketsWorth(behind, p, d.now)),
			NotEnough: explain.Endless,
		},
		explain.Trial{Kind: explain.ByStarts, Most: int64(len(d.Starts)), Barred: d.startless(),
			NotEnough: explain.NotEven(len(d.Starts))},
	)
	return append(list, d.shares()...)
}

// whole is the next whole number, 0 for what is none.
func whole(x float64) int64 {
	if !(x > 0) {
		return 0
	}
	return int64(math.Ceil(min(x, 1e15)))
}

func weightless(key string, weight float64) string {
	if weight != 0 {
		return ""
	}
	return key + " 0"
}

// whyWaitNotEnough says why no waiting is long enough. It is tried even where urgency does not count: among
// equals the earlier job comes first, and tickets go to it first.
func whyWaitNotEnough(p *model.Policy) string {
	return cmp.Or(weightless("weight_urgency", p.WeightUrgency), weightless("weight_waiting_time", p.WeightWaitingTime),
		"no waiting time is long enough")
}

// startless says why no starts can be supposed.
func (d *pair) startless() string {
	switch {
	case d.First.Owner == d.Second.Owner:
		return "both jobs belong to " + d.First.Owner
	case len(d.Starts) == 0:
		return d.First.Owner + " has no other waiting job"
	}
	return ""
}

// shares tries more functional shares for those of the passing job that the other one does not share.
func (d *pair) shares() (list []explain.Trial) {
	p := &d.Snapshot.Policy
	if p.FunctionalTickets == 0 || p.MaxFunctionalJobs == 0 {
		return nil
	}
	for _, c := range []struct {
		by           explain.Kind
		kind         string
		weight       float64
		whose, other string
	}{
		{explain.ByFShare, batch.ByUser, p.WeightUser, d.Second.Owner, d.First.Owner},
		{explain.ByPShare, batch.ByProject, p.WeightProject, d.Second.Project, d.First.Project},
		{explain.ByDShare, batch.ByDepartment, p.WeightDepartment, d.Second.Department, d.First.Department},
	} {
		if has := d.Snapshot.SharesOf(c.kind, c.whose); has != nil && c.weight > 0 && c.whose != c.other {
			list = append(list, explain.Trial{Kind: c.by, From: int64(*has), Most: explain.MostShares,
				NotEnough: explain.Endless})
		}
	}
	return list
}

// still says why time alone changes no order: waiting time grows for all jobs alike, and nothing else moves.
func (d *pair) still() string {
	p := &d.Snapshot.Policy
	if p.WeightTicket != 0 && p.ShareTreeTickets > 0 && d.Snapshot.ShareTree != nil {
		return ""
	}
	for i := range d.Snapshot.Jobs {
		j := &d.Snapshot.Jobs[i]
		if !j.Deadline.IsZero() && p.WeightDeadline != 0 && p.WeightUrgency != 0 ||
			j.ExecutionTime.After(d.Next) || j.Submitted.After(d.Next) {
			return ""
		}
	}
	if p.WeightUrgency == 0 || p.WeightWaitingTime == 0 {
		return "nothing in the policy depends on time"
	}
	return "waiting time grows equally for both, and nothing else depends on time"
}

// Cause is the contribution that changed most in favor of the overtaking job until a moment.
func (d *pair) Cause(at time.Time) string {
	in := d.sc.input(d.Snapshot, at)
	in.Only = d.in.Only
	before, after := d.leadBy(d.now), d.leadBy(priority.Compute(in))
	best, most := "the order of equal jobs", 0.0
	for i := range before {
		if g := after[i].adds - before[i].adds; before[i].depth != 1 && before[i].depth > 0 && g > most {
			best, most = before[i].name, g
		}
	}
	if best == "share tree" {
		best = "share tree: usage decays"
	}
	return best
}

// leadBy is by how much the second job is ahead of the first, contribution by contribution.
func (d *pair) leadBy(r *priority.Result) []gain {
	first, second := pendingJob(r, d.First.Number), pendingJob(r, d.Second.Number)
	if first == nil || second == nil {
		return nil
	}
	a, b := gainsOf(ranking(first), r, d.sc), gainsOf(ranking(second), r, d.sc)
	for i := range b {
		b[i].adds -= a[i].adds
		if math.IsNaN(b[i].adds) {
			b[i].adds = 0
		}
	}
	return b
}

// ranking is the task that ranks a waiting job.
func ranking(j *priority.Job) *actor {
	return &actor{job: j, task: j.First(), state: explain.Pending}
}

// startsOf lists tasks of the first job's owner that may start: those of other jobs that wait, in their order.
func (d *pair) startsOf(r *priority.Result) (list []explain.Start) {
	for _, j := range r.Pending {
		if j.Job.Owner != d.First.Owner || j.Job.Number == d.First.Number || j.Job.Number == d.Second.Number {
			continue
		}
		for _, tasks := range [][]priority.Task{j.Pending(), j.Waiting()} {
			for _, t := range tasks {
				if len(list) < explain.MostStarts {
					list = append(list, explain.Start{Job: j.Job, Task: t.Number})
				}
			}
		}
	}
	return list
}

// byDispatch is the order in which Grid Engine tries jobs of these priorities.
func byDispatch(a, b *priority.Job) int {
	return priority.CompareDispatch(a.Job, a.Prio, b.Job, b.Prio)
}
