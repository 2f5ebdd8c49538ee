package diff

import (
	"slices"
	"strings"
	"time"

	"qprism/engine/forecast"
	"qprism/engine/model"
	"qprism/engine/pbs/accounting"
)

// compareForecast compares what a forecast from each snapshot but the last foresees with all that started
// until the last one. The errors of one after the other are their trend.
func compareForecast(snapshots []*model.Snapshot, o Options) (runs []Run) {
	if len(snapshots) < 2 || o.Forecast == nil {
		return nil
	}
	all := stepsOf(snapshots, o)
	for _, from := range snapshots[:len(snapshots)-1] {
		f := foresee(from, all, o)
		r := f.compared()
		r.explain(o.MostPairs, f.cause)
		runs = append(runs, r)
		o.At = time.Time{} // it is the moment of the first run
	}
	return runs
}

// stepsOf are the runs between the first snapshot and the last one.
func stepsOf(snapshots []*model.Snapshot, o Options) (all []*step) {
	series := NewSeries(o)
	for _, s := range snapshots {
		all = append(all, series.steps(s)...)
	}
	return all
}

// foresee makes a forecast from a snapshot, and collects what started since.
func foresee(from *model.Snapshot, all []*step, o Options) *foresight {
	f := &foresight{from: from, at: from.TakenAt, of: map[Task]*step{}, ran: map[Task]bool{}}
	if !o.At.IsZero() {
		f.at = o.At
	}
	for _, s := range all {
		if !s.before.TakenAt.Before(from.TakenAt) {
			f.add(s)
		}
	}
	f.expected = ranking(from, f.at, o.Quirks, nil)
	f.order = stand(f.expected)
	f.forecast = o.Forecast(from, f.at)
	for _, one := range f.forecast.Running {
		f.ran[Task{one.Job, max(one.Task, 1)}] = true
	}
	return f
}

// compared is the forecast's order and what started.
func (f *foresight) compared() Run {
	r := Run{At: f.at}
	r.fill(foreseen(f.forecast, f.expected), f.starts, f.last.seen)
	return r
}

// A foresight is a forecast that is held against what happened.
type foresight struct {
	from     *model.Snapshot
	at       time.Time
	expected []place // the order in which tasks were to be tried
	order    *standing
	forecast *forecast.Forecast
	ran      map[Task]bool // in the snapshot
	starts   []start
	of       map[Task]*step // that started a task
	last     *step
}

func (f *foresight) add(s *step) {
	from := len(f.starts)
	for _, one := range s.starts {
		if f.of[one.task] == nil {
			one.rank += int32(from)
			f.of[one.task] = s
			f.starts = append(f.starts, one)
		}
	}
	f.last = s
}

// foreseen is the order of a forecast: what starts, by time, then what does not.
func foreseen(c *forecast.Forecast, tried []place) (list []place) {
	started := map[Task]bool{}
	for _, s := range c.Starts {
		if t := (Task{s.Job, s.Task}); !started[t] {
			started[t] = true
			list = append(list, place{task: t, at: s.At})
		}
	}
	for _, p := range tried {
		if p.rest == nil && !started[p.task] {
			p.last = true
			list = append(list, p)
		}
	}
	return list
}

// cause finds why the early task started first although a forecast had it later.
func (f *foresight) cause(late, early Task) Cause {
	s := f.of[early]
	now := s.foundOrder("now", s.Quirks)
	switch {
	case now.place(late) < 0:
		return s.whyItWaited(late)
	case now.ahead(late, early):
		return s.cause(late, early)
	case f.order.place(early) < 0 && wasHeld(f.from, f.at, early):
		return Cause{Kind: Held, Detail: "of the early task, no longer held"}
	case f.order.ahead(late, early):
		return Cause{Kind: Changed, Detail: s.whatChanged(f.from, f.at, late, early)}
	}
	if t, ok := f.madeRoom(s, early); ok {
		return Cause{Kind: RunTime, Detail: "ended sooner than predicted", Over: t}
	}
	return Cause{Kind: Unknown, Detail: "the forecast let the early task wait; no file shows why it started"}
}

// wasHeld reports whether a task was held at a moment, or waited for another job or a time.
func wasHeld(s *model.Snapshot, at time.Time, t Task) bool {
	j := jobsOf(s).of(t)
	return j != nil && (heldOrFailed(j, t) || len(j.Predecessors) > 0 || j.ExecutionTime.After(at))
}

// stateOf is the state that the master prints of a task that waits.
func stateOf(j *model.Job, t Task) string {
	if j.PBS != nil {
		return j.PBS.State
	}
	for _, w := range j.Tasks {
		if w.Started.IsZero() && (len(w.IDs) == 0 || holds(w.IDs, t.Number)) {
			return w.State
		}
	}
	return ""
}

// madeRoom finds a task that ended before the early one started, although it still runs in the forecast.
// The early task got a place of that task.
func (f *foresight) madeRoom(s *step, early Task) (Task, bool) {
	given, runs := map[string]bool{}, map[Task]bool{}
	for _, one := range s.starts {
		if one.task == early {
			placesOf(one.granted(), given)
		}
	}
	for one := range startsOf(s.state) {
		runs[one.task] = runs[one.task] || one.ended.IsZero()
	}
	for _, one := range slices.Concat(f.forecast.Running, f.forecast.Starts) {
		t := Task{one.Job, max(one.Task, 1)}
		over := !runs[t] && (f.ran[t] || f.of[t] != nil && f.of[t].at.Before(s.at))
		if over && !one.At.After(s.at) && (one.End.IsZero() || one.End.After(s.at)) &&
			slices.ContainsFunc(one.Slots, func(g model.Grant) bool { return given[placeOf(g)] }) {
			return t, true
		}
	}
	return Task{}, false
}

// granted are the places that a task was given.
func (s *start) granted() []model.Grant {
	if s.placed != "" {
		return accounting.Grants(s.placed)
	}
	return s.slots
}

func placesOf(grants []model.Grant, places map[string]bool) {
	for _, g := range grants {
		places[placeOf(g)] = true
	}
}

// placeOf is the host of a queue instance, or a vnode.
func placeOf(g model.Grant) string {
	_, host, found := strings.Cut(g.Instance, "@")
	if !found {
		return g.Instance
	}
	return host
}
