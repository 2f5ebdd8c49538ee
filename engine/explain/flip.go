package explain

import (
	"cmp"
	"slices"
	"time"

	"qprism/engine/cycle"
	"qprism/engine/model"
	"qprism/engine/priority"
	"qprism/engine/split"
)

// A Flip is a point at which one job passes another one: just before it, the order is what it was, and from it on the other.
type Flip struct {
	Change
	From   int64     // the amount as it is
	At     time.Time // of ByTime
	Cause  string    // of ByTime: what made most of the difference
	Starts []string  // of ByStarts: the jobs that start, in that order
	Of     string    // of ByStarts: whose they are, an owner or the entity that is charged
}

// An Obstacle says why a kind of change makes no job pass another one.
type Obstacle struct {
	Kind Kind
	Why  string
}

// Horizon is how far ahead a flip by time is looked for.
const Horizon = 30 * 24 * time.Hour

// A duel is two waiting jobs, the first of which comes first, in the next run.
type duel struct {
	sc     *Scene
	s      *model.Snapshot
	next   time.Time
	first  *model.Job // the one that is to be passed
	second *model.Job // the one that is to pass
	starts []start
}

// passes reports whether the second job comes first after a change.
func (d *duel) passes(c Change) bool {
	at := d.next
	if c.Kind == ByTime {
		at = at.Add(time.Duration(c.Amount) * time.Second)
	}
	a, b, ok := 0, 0, false
	if d.sc.lineup != nil {
		a, b, ok = d.placesPBS(c, at)
	} else {
		a, b, ok = d.sc.places(c.apply(d.s, d.second, d.first, d.starts, at), at, d.first, d.second)
	}
	return ok && b < a
}

// nextRun is the moment from which on changes count: after the last run, when what it started runs.
func (sc *Scene) nextRun() time.Time {
	if sc.lineup != nil {
		return sc.At
	}
	next := sc.At.Truncate(time.Second).Add(time.Second)
	if taken := sc.Snapshot.TakenAt.Truncate(time.Second); taken.After(next) {
		return taken
	}
	return next
}

// run computes the run at a moment over what a snapshot shows.
func (sc *Scene) run(s *model.Snapshot, at time.Time) *priority.Result {
	in := sc.view.Input()
	assumed := sc.view.Assumed()
	in.Snapshot, in.At, in.OtherUrgency, in.OtherPending = s, at, nil, 0
	in.Lists = split.Jobs(s, at, in.Quirks, split.Assumed{Order: assumed.Order, Stopped: assumed.Stopped})
	free, known := split.FreeSlots(s, at)
	if !known {
		free = 1 << 30
	}
	in.FreeSlots = free
	return priority.Compute(in)
}

// places finds two jobs among those that wait; not ok where one of them does not.
func (sc *Scene) places(s *model.Snapshot, at time.Time, first, second *model.Job) (a, b int, ok bool) {
	a, b = -1, -1
	for i, j := range sc.run(s, at).Pending {
		switch j.Job.Number {
		case first.Number:
			a = i
		case second.Number:
			b = i
		}
	}
	return a, b, a >= 0 && b >= 0
}

// placesPBS finds two jobs in the lineup.
func (d *duel) placesPBS(c Change, at time.Time) (a, b int, ok bool) {
	var ids []string
	if c.Kind == ByStarts {
		for _, t := range d.starts[:min(int(c.Amount), len(d.starts))] {
			ids = append(ids, t.job.PBS.ID)
		}
	}
	s := d.s
	if c.Kind != ByStarts && c.Kind != ByTime {
		s = c.apply(s, d.second, d.first, nil, at)
	}
	l := cycle.LineUp(s, at, ids...)
	x, y := l.Find(d.first.PBS.ID), l.Find(d.second.PBS.ID)
	if x == nil || y == nil || x.Place == 0 || y.Place == 0 {
		return 0, 0, false
	}
	return x.Place, y.Place, true
}

// smallest finds an amount above from, up to most, at which the second job passes and below which it does not: the smallest
// one where more of it never makes the job fall back, and else the end of some such range.
func (d *duel) smallest(kind Kind, from, most int64) (amount int64, ok bool) {
	if d.large() && !d.passes(Change{kind, most}) {
		return 0, false
	}
	low, step := from, int64(1)
	for low < most {
		high := min(low+step, most)
		if d.passes(Change{kind, high}) {
			return d.between(kind, low, high), true
		}
		low, step = high, step*2
	}
	return 0, false
}

// large reports whether the order takes so long to compute that it is looked at less often.
func (d *duel) large() bool { return len(d.s.Jobs) > 10_000 }

// between halves a range at whose lower end the job does not pass, and at whose upper end it does.
func (d *duel) between(kind Kind, low, high int64) int64 {
	for high-low > 1 {
		middle := low + (high-low)/2
		if d.passes(Change{kind, middle}) {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}

// overTime finds when the second job passes if nothing but time changes.
func (d *duel) overTime() (amount int64, ok bool) {
	low := int64(0)
	for _, high := range d.moments() {
		if high <= low {
			continue
		}
		if d.passes(Change{ByTime, high}) {
			return d.between(ByTime, low, high), true
		}
		low = high
	}
	return 0, false
}

// moments are the seconds after the next run at which the order is looked at: ever farther apart, and around each deadline
// and start time that lies ahead.
func (d *duel) moments() []int64 {
	most := int64(Horizon / time.Second)
	var list []int64
	by := int64(2)
	if d.large() {
		by = 1
	}
	for t := int64(1); t < most; t += max(1, t/by) {
		list = append(list, t)
	}
	list = append(list, most)
	for i := range d.s.Jobs {
		j := &d.s.Jobs[i]
		for _, at := range []time.Time{j.Deadline, j.ExecutionTime} {
			if after := at.Unix() - d.next.Unix(); !at.IsZero() && after > 0 && after < most && len(list) < 400 {
				list = append(list, after-1, after, after+1)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// startsOf lists tasks of the first job's owner, or entity, that may start: those of other jobs that wait, in their order.
func (d *duel) startsOf(r *priority.Result) (list []start) {
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

// mostStarts bounds how many jobs are supposed to start.
const mostStarts = 256

// startNames are the tasks that start, as ids.
func startNames(list []start) []string {
	var names []string
	for _, t := range list {
		switch {
		case t.job.PBS != nil:
			names = append(names, t.job.PBS.ID)
		case t.job.Array:
			names = append(names, utoa(t.job.Number)+"."+utoa(t.task))
		default:
			names = append(names, utoa(t.job.Number))
		}
	}
	return names
}

// byDispatch is the order in which Grid Engine tries jobs of these priorities.
func byDispatch(a, b *priority.Job) int {
	return cmp.Or(cmp.Compare(b.Prio, a.Prio), cmp.Compare(a.Job.Submitted.Unix(), b.Job.Submitted.Unix()), cmp.Compare(a.Job.Number, b.Job.Number))
}
