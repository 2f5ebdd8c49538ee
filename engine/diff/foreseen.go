package diff

import (
	"slices"
	"time"

	"qprism/engine/forecast"
	"qprism/engine/model"
)

// compareForecast compares what a forecast from the first snapshot foresees with all that started until the last one.
func compareForecast(snapshots []*model.Snapshot, o Options) []Run {
	if len(snapshots) < 2 || o.Forecast == nil {
		return nil
	}
	f := foresight{first: snapshots[0], of: map[Task]*step{}}
	f.at = f.first.TakenAt
	if !o.At.IsZero() {
		f.at = o.At
	}
	for i := 1; i < len(snapshots); i++ {
		for _, s := range steps(snapshots[i-1], snapshots[i], o) {
			f.add(s)
		}
	}
	f.expected = ranking(f.first, f.at, o.Quirks)
	r := Run{At: f.at}
	r.fill(foreseen(o.Forecast(f.first, f.at), f.expected), f.starts, f.seen)
	r.explain(o.MostPairs, f.cause)
	return []Run{r}
}

// A foresight is a forecast that is held against what happened.
type foresight struct {
	first    *model.Snapshot
	at       time.Time
	expected []place // the order in which tasks were to be tried
	steps    []*step
	starts   []start
	of       map[Task]*step // that started a task
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
	f.steps = append(f.steps, s)
}

// seen reports whether it is known what became of a task that did not start.
func (f *foresight) seen(t Task) bool {
	return slices.ContainsFunc(f.steps[len(f.steps)-1:], func(s *step) bool { return s.seen(t) })
}

// foreseen is the order of a forecast: what starts, by time, then what does not.
func foreseen(c *forecast.Forecast, tried []place) (list []place) {
	for _, s := range c.Starts {
		list = append(list, place{task: Task{s.Job, s.Task}, at: s.At})
	}
	known := map[Task]bool{}
	for _, p := range list {
		known[p.task] = true
	}
	for _, p := range tried {
		if !known[p.task] {
			p.last = true
			list = append(list, p)
		}
	}
	return list
}

// cause finds why the early task started first although a forecast had it later.
func (f *foresight) cause(late, early Task) Cause {
	s := f.of[early]
	now := s.ranking()
	switch {
	case placeOf(now, late) < 0:
		if d := s.decide(s.Release); d.about(late) != nil {
			return d.waits(d.about(late))
		}
		return Cause{Kind: Held, Detail: "not among the jobs of the run"}
	case ahead(now, late, early):
		return s.cause(late, early)
	case ahead(f.expected, late, early):
		return Cause{Kind: Changed, Detail: whatChanged(s.state, f.first, s.at, f.at, s.Quirks, late, early)}
	}
	return Cause{Kind: RunTime, Detail: "what the early one waited for came free sooner"}
}
