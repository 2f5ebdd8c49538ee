package diff

import (
	"time"

	"qprism/engine/forecast"
	"qprism/engine/model"
)

// compareForecast compares what a forecast from each snapshot but the last foresees with all that started until the last one.
// The errors of one after the other are their trend.
func compareForecast(snapshots []*model.Snapshot, o Options) (runs []Run) {
	if len(snapshots) < 2 || o.Forecast == nil {
		return nil
	}
	all := series(snapshots, o)
	for _, from := range snapshots[:len(snapshots)-1] {
		f := foresight{from: from, at: from.TakenAt, of: map[Task]*step{}}
		if !o.At.IsZero() && len(runs) == 0 {
			f.at = o.At
		}
		for _, s := range all {
			if !s.before.TakenAt.Before(from.TakenAt) {
				f.add(s)
			}
		}
		f.expected = ranking(from, f.at, o.Quirks, nil)
		f.order = stand(f.expected)
		r := Run{At: f.at}
		r.fill(foreseen(o.Forecast(from, f.at), f.expected), f.starts, f.last.seen)
		r.explain(o.MostPairs, f.cause)
		runs = append(runs, r)
	}
	return runs
}

// A foresight is a forecast that is held against what happened.
type foresight struct {
	from     *model.Snapshot
	at       time.Time
	expected []place // the order in which tasks were to be tried
	order    *standing
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
		d := s.decide(s.Release)
		return d.waits(d.about(late))
	case now.ahead(late, early):
		return s.cause(late, early)
	case f.order.ahead(late, early):
		return Cause{Kind: Changed, Detail: s.whatChanged(f.from, f.at, late, early)}
	}
	return Cause{Kind: RunTime, Detail: "what the early one waited for came free sooner"}
}
