package explain

import (
	"time"

	"qprism/engine/explain"
	"qprism/engine/model"
	"qprism/engine/pbs/criteria"
	"qprism/engine/pbs/cycle"
)

// A Scene is one cycle, for explanations of its jobs.
type Scene struct {
	snapshot *model.Snapshot
	at       time.Time
	source   string
	lineup   *cycle.Lineup
}

// New orders the jobs of the cycle at a moment. If the moment is zero, it is that of the snapshot.
func New(s *model.Snapshot, at time.Time) *Scene {
	sc := &Scene{snapshot: s, at: at, source: "--now"}
	if at.IsZero() {
		sc.at, sc.source = s.TakenAt.Truncate(time.Second), "the bundle's own time"
	}
	sc.lineup = cycle.LineUp(s, sc.at)
	return sc
}

// Run is the moment of the cycle, and its source.
func (sc *Scene) Run() (at time.Time, source string) { return sc.at, sc.source }

// Faults is empty: qprism has no quirks of PBS that depend on the release.
func (sc *Scene) Faults(string) []string { return nil }

// Compare says which of two jobs comes first, and what would change that.
func (sc *Scene) Compare(idA, idB string) (*explain.Comparison, error) {
	a, b, err := explain.Both(sc, idA, idB)
	if err != nil {
		return nil, err
	}
	c := explain.Of(a, b, sc.at)
	return c, sc.compare(c, idA, idB)
}

// valuesOf finds the job of an id.
func (sc *Scene) valuesOf(id string) (*criteria.JobValues, error) {
	if s := sc.lineup.Find(id); s != nil {
		return s, nil
	}
	for i := range sc.snapshot.Jobs {
		if j := &sc.snapshot.Jobs[i]; j.PBS != nil && j.PBS.ID == id {
			return &criteria.JobValues{Rating: model.Rating{ID: id}, Job: j}, nil
		}
	}
	return nil, explain.UnknownJob(id)
}

func (sc *Scene) Explain(id string) (*explain.Explanation, error) {
	s, err := sc.valuesOf(id)
	if err != nil {
		return nil, err
	}
	e := &explain.Explanation{Job: s.Job, At: sc.at, ID: s.ID, State: stateOf(s), Place: s.Place,
		Waiting: sc.considered(), Inert: sc.inert(), Ahead: sc.ahead(s.Place)}
	if s.Queue == "" {
		e.Notes = append(e.Notes, "The scheduler does not look at the job: its state is "+s.Job.PBS.State+
			", or its queue is not an execution queue.")
		return e, nil
	}
	e.Criteria = sc.criteria(s)
	e.PassedOver = s.Why
	if s.Place == 0 && len(s.Why) == 0 && e.State == explain.NotInRun {
		e.Notes = append(e.Notes, "The cycle does not consider the job: its state is "+s.Job.PBS.State+".")
	}
	if sc.lineup.Policy.RoundRobin {
		e.Notes = append(e.Notes,
			"round_robin takes one job of each queue in turn, from queues of the highest priority "+
				"first; the following orders the jobs of one queue.")
	}
	e.Notes = append(e.Notes, sc.lineup.Notes...)
	return e, nil
}

func stateOf(s *criteria.JobValues) explain.State {
	switch {
	case s.Place > 0:
		return explain.Pending
	case s.Job.PBS.State == "R" || s.Job.PBS.State == "E":
		return explain.Running
	}
	return explain.NotInRun
}

func (sc *Scene) considered() (n int) {
	for i := range sc.lineup.Jobs {
		if sc.lineup.Jobs[i].Place > 0 {
			n++
		}
	}
	return n
}

// ahead is the job that comes next before another one in the lineup.
func (sc *Scene) ahead(place int) *explain.Neighbour {
	if place < 2 {
		return nil
	}
	l := sc.lineup
	before, s := &l.Jobs[place-2], &l.Jobs[place-1]
	n := &explain.Neighbour{ID: before.ID, Owner: before.Job.Owner}
	c := criteria.Decides(l.Criteria(), before, s)
	if c == nil {
		return n
	}
	if n.Decided = c.Name; c.Kind == criteria.Formula {
		n.By = float64(before.Formula) - float64(s.Formula)
	}
	return n
}
