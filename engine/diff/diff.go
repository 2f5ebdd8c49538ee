package diff

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"qprism/engine/forecast"
	"qprism/engine/model"
	"qprism/engine/order"
)

// A Task is one task of a job; 1 if the job is no array. For PBS it is a subjob.
type Task struct{ Job, Number uint32 }

func (t Task) String() string { return fmt.Sprintf("%d.%d", t.Job, t.Number) }

func compareTasks(a, b Task) int {
	return cmp.Or(cmp.Compare(a.Job, b.Job), cmp.Compare(a.Number, b.Number))
}

// A Prediction is the source of an expected order.
type Prediction string

// The predictions.
const (
	ByOrder    Prediction = "order"    // dispatch order of each run, recomputed at its moment
	ByPlan     Prediction = "plan"     // starts of a plan of each run
	ByForecast Prediction = "forecast" // starts of one forecast from the first snapshot
)

// A Variant is a release without one of its quirks.
type Variant struct {
	ID     string // of the missing quirk
	Quirks model.Quirks
}

// Options of a comparison.
type Options struct {
	Predict  Prediction
	At       time.Time    // of the run between two snapshots; zero for the moment of the first start
	Quirks   model.Quirks // for the expected order
	Release  model.Quirks // of the actual scheduler
	Variants []Variant    // of the release
	Forecast func(s *model.Snapshot, at time.Time) *forecast.Forecast
	MostRuns int // between two snapshots; zero for defaultRuns
	// Events are the job events of Grid Engine's reporting file, in order; may be empty.
	Events []model.JobEvent
	// MostPairs is the most inversions of a run that are examined one by one; zero for defaultPairs.
	MostPairs int
}

// defaultPairs and defaultRuns bound the work.
const (
	defaultPairs = 1_000_000
	defaultRuns  = 1000
)

// A Run compares one scheduler run; for a forecast, all its runs.
type Run struct {
	At       time.Time
	Items    []Item // in the expected order
	Figures  Figures
	Pairs    []Pair // inversions, by expected order of the late task, then of the early one
	Unlooked int64  // inversions that were not examined
	Lost     []Task // expected, but gone without a trace: it is unknown whether they started
	New      []Task // started, but not expected: submitted or released since
}

// An Item is a task in both orders.
type Item struct {
	Task     Task
	Expected time.Time // of a plan or forecast, zero for no start
	Started  time.Time // zero for no start
	Rank     int32     // in the expected order
	Actual   int32     // in the actual order; ties are equal, tasks that did not start come last
}

// A Pair is an inversion: Late was expected first, but Early started first.
type Pair struct {
	Late, Early Task
	Cause       Cause
}

// Compare compares the runs between each snapshot and the next.
func Compare(snapshots []*model.Snapshot, o Options) []Run {
	if o.Predict == ByForecast {
		return compareForecast(snapshots, o.bounded())
	}
	var runs []Run
	all := NewSeries(o)
	for _, s := range snapshots {
		runs = append(runs, all.Next(s, o.Events)...)
	}
	return runs
}

// bounded are options with bounds.
func (o Options) bounded() Options {
	o.MostPairs, o.MostRuns = cmp.Or(o.MostPairs, defaultPairs), cmp.Or(o.MostRuns, defaultRuns)
	return o
}

// Drift compares the runs as Compare does, by order, and a forecast from the first snapshot. It finds no causes, so the
// runs have items and figures only. The last snapshot can be the second.
func Drift(snapshots []*model.Snapshot, o Options) (tried, foreseen []Run) {
	if len(snapshots) < 2 || o.Forecast == nil {
		return nil, nil
	}
	o = o.bounded()
	all := stepsOf(snapshots, o)
	for _, one := range all {
		r := one.compared()
		r.measure()
		tried = append(tried, r)
	}
	r := foresee(snapshots[0], all, o).compared()
	r.measure()
	return tried, []Run{r}
}

// compare compares one run, and finds causes.
func (s *step) compare() Run {
	r := s.compared()
	r.explain(s.MostPairs, s.cause)
	return r
}

// compared is a run with both orders.
func (s *step) compared() Run {
	r := Run{At: s.at}
	if s.Predict == ByPlan {
		r.fill(expectedOf(s.plan(s.Quirks)), s.starts, s.seen)
	} else {
		r.fill(s.ranking(), s.starts, s.seen)
	}
	return r
}

// fill makes items of the expected order and what started.
func (r *Run) fill(expected []place, starts []start, seen func(Task) bool) {
	started := map[Task]*start{}
	for i := range starts {
		started[starts[i].task] = &starts[i]
	}
	list := single(expected, started)
	known := map[Task]bool{}
	for i, p := range list {
		if known[p.task] {
			continue // a rescheduled task may wait in two ways
		}
		known[p.task] = true
		it := Item{Task: p.task, Expected: p.at, Rank: int32(i), Actual: int32(len(starts))}
		if p.last {
			it.Rank = int32(len(list))
		}
		switch s := started[p.task]; {
		case s != nil:
			it.Started, it.Actual = s.at, s.rank
		case !seen(p.task):
			r.Lost = append(r.Lost, p.task)
			continue
		}
		r.Items = append(r.Items, it)
	}
	for _, s := range starts {
		if !known[s.task] {
			r.New = append(r.New, s.task)
		}
	}
}

// measure computes the figures.
func (r *Run) measure() (rank, actual []int32) {
	rank, actual = r.ranks()
	r.Figures = figures(r.Items, rank, actual)
	return rank, actual
}

// explain computes the figures, and finds a cause for each inversion.
func (r *Run) explain(most int, cause func(late, early Task) Cause) {
	rank, actual := r.measure()
	list := make([]order.Inversion, 0, min(r.Figures.Inversions, int64(most)))
	for inv := range order.Inversions(rank, actual) {
		if len(list) == most {
			break
		}
		list = append(list, inv)
	}
	r.Unlooked = r.Figures.Inversions - int64(len(list))
	slices.SortFunc(list, func(a, b order.Inversion) int {
		return cmp.Or(cmp.Compare(a.Late, b.Late), cmp.Compare(a.Early, b.Early))
	})
	r.Pairs = make([]Pair, 0, len(list))
	for _, inv := range list {
		late, early := r.Items[inv.Late].Task, r.Items[inv.Early].Task
		r.Pairs = append(r.Pairs, Pair{Late: late, Early: early, Cause: cause(late, early)})
	}
}

func (r *Run) ranks() (rank, actual []int32) {
	for _, it := range r.Items {
		rank, actual = append(rank, it.Rank), append(actual, it.Actual)
	}
	return rank, actual
}
