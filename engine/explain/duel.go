package explain

import (
	"cmp"
	"math"
	"slices"
	"time"

	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// A gridDuel is a duel in a run of Grid Engine.
type gridDuel struct {
	duel
	sc  *Scene
	now *priority.Result // the next run, as things are
	in  priority.Input   // of it, for the two jobs alone
}

// flips finds what would change the order of the next run.
func (sc *Scene) flips(c *Comparison) {
	in := sc.input(sc.Snapshot, c.Next)
	next := priority.Compute(in)
	a, b := pendingJob(next, c.A.Job.Number), pendingJob(next, c.B.Job.Number)
	if a == nil || b == nil {
		if c.First != 0 {
			c.Notes = append(c.Notes, gone(c, a, b))
		}
		return
	}
	d := &gridDuel{duel: duel{s: sc.Snapshot, next: c.Next, first: a.Job, second: b.Job}, sc: sc, now: next, in: in}
	c.Passer = c.B
	order := byDispatch(a, b)
	if order > 0 {
		d.first, d.second, c.Passer = b.Job, a.Job, c.A
	}
	c.NextSame = order == c.First || c.First == 0
	d.starts, d.whose = d.startsOf(next), d.first.Owner
	d.in.Only = []uint32{d.first.Number, d.second.Number}
	settle(c, d)
	c.Rates = sc.rates(d)
}

// input is that of the run at a moment over what a snapshot shows.
func (sc *Scene) input(s *model.Snapshot, at time.Time) priority.Input {
	in := sc.view.Input()
	assumed := sc.view.Assumed()
	in.Snapshot, in.At = s, at
	in.Lists = split.Jobs(s, at, in.Quirks, split.Assumed{Order: assumed.Order})
	in.FreeSlots = split.FreeSlots(s, at)
	return in
}

func (d *gridDuel) present() sample {
	return order(Change{}, pendingJob(d.now, d.first.Number), pendingJob(d.now, d.second.Number))
}

// after computes the run after a change. All but time, start and submission of jobs leave the lists of the run as they are.
func (d *gridDuel) after(c Change) sample {
	a, b := pendingJob(d.now, d.first.Number), pendingJob(d.now, d.second.Number)
	in := d.in
	switch c.Kind {
	case ByPriority: // of which nothing else depends
		return order(c, a, d.sc.withPriority(b, int(c.Amount)))
	case ByTickets:
		job := c.altered(d.second)
		in.Lists = relinked(in.Lists, d.second, &job)
	case ByFShare, ByPShare, ByDShare:
		in.Snapshot = c.apply(d.s, d.second, d.first, nil, d.next)
	default:
		in = d.sc.input(c.apply(d.s, d.second, d.first, d.starts, d.at(c)), d.at(c))
		in.Only = d.in.Only
	}
	r := priority.Compute(in)
	return order(c, pendingJob(r, d.first.Number), pendingJob(r, d.second.Number))
}

// order is that of two jobs after a change, of which one may no longer wait.
func order(c Change, first, second *priority.Job) sample {
	if first == nil || second == nil {
		return sample{amount: c.Amount, lead: math.NaN()}
	}
	return sample{amount: c.Amount, passes: byDispatch(second, first) < 0, lead: second.Prio - first.Prio}
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

func (d *gridDuel) trials() []trial {
	p, behind := &d.s.Policy, -d.present().lead
	list := []trial{
		{kind: ByTime, barred: d.still(), vain: "not within " + Span(horizon)},
		{kind: ByPriority, from: int64(d.second.PosixPriority), most: 1024, barred: weightless("weight_priority", p.WeightPriority),
			vain: "even -p 1024 is too little"},
		{kind: ByWaiting, most: int64(horizon/time.Second) * 120, guess: whole(waitingWorth(behind, p, d.now)), vain: waitedInVain(p)},
	}
	if why := weightless("weight_ticket", p.WeightTicket); why != "" {
		return append(list, trial{kind: ByTickets, barred: why}, trial{kind: ByStarts, barred: why})
	}
	has := int64(d.second.OverrideTickets)
	list = append(list, trial{kind: ByTickets, from: has, most: 1 << 31, guess: has + whole(ticketsWorth(behind, p, d.now)), vain: enough},
		trial{kind: ByStarts, most: int64(len(d.starts)), barred: d.startless(), vain: notEven(len(d.starts))})
	return append(list, d.shares()...)
}

// whole is the next whole number, 0 for what is none.
func whole(x float64) int64 {
	if !(x > 0) {
		return 0
	}
	return int64(math.Ceil(min(x, 1e15)))
}

// enough says of a number that there is no end to it.
const enough = "no number is large enough"

func weightless(key string, weight float64) string {
	if weight != 0 {
		return ""
	}
	return key + " 0"
}

// waitedInVain says why no waiting is long enough. It is tried even where urgency does not count: among equals the earlier job
// comes first, and tickets go to it first.
func waitedInVain(p *model.Policy) string {
	return cmp.Or(weightless("weight_urgency", p.WeightUrgency), weightless("weight_waiting_time", p.WeightWaitingTime),
		"no time is long enough")
}

// startless says why no starts can be supposed.
func (d *gridDuel) startless() string {
	switch {
	case d.first.Owner == d.second.Owner:
		return "both are " + d.first.Owner + "'s"
	case len(d.starts) == 0:
		return d.first.Owner + " has no other job that waits"
	}
	return ""
}

// mostShares bounds the functional shares that are tried.
const mostShares = 1 << 24

// shares tries more functional shares for those of the passing job that the other one does not share.
func (d *gridDuel) shares() (list []trial) {
	p := &d.s.Policy
	if p.FunctionalTickets == 0 || p.MaxFunctionalJobs == 0 {
		return nil
	}
	add := func(kind Kind, shares uint32) {
		list = append(list, trial{kind: kind, from: int64(shares), most: mostShares, vain: enough})
	}
	for i := range d.s.Users {
		if u := &d.s.Users[i]; p.WeightUser > 0 && d.first.Owner != d.second.Owner && u.Name == d.second.Owner {
			add(ByFShare, u.FunctionalShares)
		}
	}
	for i := range d.s.Projects {
		if u := &d.s.Projects[i]; p.WeightProject > 0 && d.first.Project != d.second.Project && u.Name == d.second.Project {
			add(ByPShare, u.FunctionalShares)
		}
	}
	for i := range d.s.Usersets {
		if u := &d.s.Usersets[i]; p.WeightDepartment > 0 && d.first.Department != d.second.Department && u.Department &&
			u.Name == d.second.Department {
			add(ByDShare, u.FunctionalShares)
		}
	}
	return list
}

// still says why time alone changes no order: waiting time grows for all jobs alike, and nothing else moves.
func (d *gridDuel) still() string {
	p := &d.s.Policy
	if p.WeightTicket != 0 && p.ShareTreeTickets > 0 && d.s.ShareTree != nil {
		return ""
	}
	for i := range d.s.Jobs {
		j := &d.s.Jobs[i]
		if !j.Deadline.IsZero() && p.WeightDeadline != 0 && p.WeightUrgency != 0 || j.ExecutionTime.After(d.next) || j.Submitted.After(d.next) {
			return ""
		}
	}
	if p.WeightUrgency == 0 || p.WeightWaitingTime == 0 {
		return "nothing in the policy depends on it"
	}
	return "waiting time grows for both alike, and nothing else depends on it"
}

// cause is the contribution that changed most in favour of the passing job until a moment.
func (d *gridDuel) cause(at time.Time) string {
	in := d.sc.input(d.s, at)
	in.Only = d.in.Only
	before, after := d.lead(d.now), d.lead(priority.Compute(in))
	best, most := "the order of equals", 0.0
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

// lead is by how much the second job is ahead of the first, contribution by contribution.
func (d *gridDuel) lead(r *priority.Result) []gain {
	first, second := pendingJob(r, d.first.Number), pendingJob(r, d.second.Number)
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
	if len(j.Pending) > 0 {
		return &actor{job: j, task: j.Pending[0], state: Pending}
	}
	return &actor{job: j, task: j.Template, state: Pending}
}

// startsOf lists tasks of the first job's owner that may start: those of other jobs that wait, in their order.
func (d *gridDuel) startsOf(r *priority.Result) (list []start) {
	for _, j := range r.Pending {
		if j.Job.Owner != d.first.Owner || j.Job.Number == d.first.Number || j.Job.Number == d.second.Number {
			continue
		}
		for _, tasks := range [][]priority.Task{j.Pending, j.Waiting} {
			for _, t := range tasks {
				if len(list) < mostStarts {
					list = append(list, start{j.Job, t.Number})
				}
			}
		}
	}
	return list
}

// byDispatch is the order in which Grid Engine tries jobs of these priorities.
func byDispatch(a, b *priority.Job) int {
	return cmp.Or(cmp.Compare(b.Prio, a.Prio), cmp.Compare(a.Job.Submitted.Unix(), b.Job.Submitted.Unix()),
		cmp.Compare(a.Job.Number, b.Job.Number))
}
