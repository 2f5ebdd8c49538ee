package whatif

import (
	"reflect"
	"slices"
	"time"

	"qprism/engine/forecast"
	"qprism/engine/gridengine/memory"
	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/schedule"
	"qprism/engine/gridengine/split"
	"qprism/engine/model"
	"qprism/engine/pbs/cycle"
	"qprism/engine/pbs/simulate"
)

// A Case is a snapshot under a policy.
type Case struct {
	Snapshot *model.Snapshot
	Quirks   model.Quirks
	Variant  Variant // nil for the scheduler's own order

	Overrides []Override // Grid Engine: extra override tickets
	Until     time.Time  // when the overrides end; zero for never

	Made func() *Made // its run at a moment, if it already exists; nil if not
}

// A Variant ranks the waiting jobs of Grid Engine: greater values first, jobs of equal value by submission. A
// job without a value never passes a job with a value.
type Variant func(in Input) map[uint32]float64

// An Input of a variant is one run, with all numbers that the scheduler computed.
type Input struct {
	Snapshot *model.Snapshot
	At       time.Time
	Lists    split.Lists
	Result   *priority.Result
}

// Order lists the waiting jobs in dispatch order of a run at a moment, each at the place of its first task.
func (c *Case) Order(at time.Time) (jobs []uint32) {
	if c.Snapshot.PBS != nil {
		for _, d := range cycle.Order(c.Snapshot, cycle.Options{At: at}) {
			jobs = append(jobs, d.Job)
		}
		return firstOnes(jobs)
	}
	return c.rank(c.overridden(split.WithEndedTasks(c.Snapshot, at), at), at).order()
}

// order lists the waiting jobs, each where its first task is.
func (in Input) order() (jobs []uint32) {
	for _, j := range in.Result.Pending {
		jobs = append(jobs, j.Job.Number)
	}
	return firstOnes(jobs)
}

// firstOnes are numbers, each where it is first.
func firstOnes(all []uint32) (once []uint32) {
	seen := make(map[uint32]bool, len(all))
	for _, number := range all {
		if !seen[number] {
			seen[number] = true
			once = append(once, number)
		}
	}
	return once
}

// A Made run has the dispatch order and the decisions of a run. Other cases of the same snapshot can be
// compared with it.
type Made struct {
	at    time.Time
	order []uint32
	plan  *model.Plan
	past  *schedule.Past
}

// Run computes the run at a moment.
func (c *Case) Run(at time.Time) *Made { return &c.first(at, c.past(at)).Made }

// past is what runs before the snapshot did, by the case's policy; nil for PBS.
func (c *Case) past(at time.Time) *schedule.Past {
	if c.Snapshot.PBS != nil {
		return nil
	}
	if c.Made != nil {
		if made := c.Made(); made.at.Equal(at) {
			return made.past
		}
	}
	return memory.NewPast(c.overridden(split.WithEndedTasks(c.Snapshot, at), at))
}

// A firstRun is the run at a moment, and what plans the runs behind it.
type firstRun struct {
	Made
	of   *Case
	next forecast.Planner // nil for PBS, and where the run was made before
}

// first makes the run at a moment. That of Grid Engine is ranked once, for its order too.
func (c *Case) first(at time.Time, past *schedule.Past) *firstRun {
	f := &firstRun{of: c, Made: Made{at: at, past: past}}
	if c.Made != nil {
		if made := c.Made(); made.at.Equal(at) {
			f.Made = *made
			return f
		}
	}
	if c.Snapshot.PBS != nil {
		f.order, f.plan = c.Order(at), c.planner(nil, nil)(c.Snapshot, at, false)
		return f
	}
	f.next = c.planner(func(in Input) {
		if f.order == nil {
			f.order = in.order()
		}
	}, past)
	f.plan = f.next(c.Snapshot, at, false)
	return f
}

// forecast is the case's forecast. It begins with the run that is made already, where it finds the snapshot
// as that did.
func (f *firstRun) forecast(o forecast.Options) *forecast.Forecast {
	if f.next == nil {
		return f.of.Forecast(o)
	}
	begun := false
	o.Quirks = f.of.Quirks
	o.Enough = func(*forecast.Forecast) bool { return false } // a comparison needs only starts, but all
	o.Plan = func(s *model.Snapshot, at time.Time, reasons bool) *model.Plan {
		if !begun {
			begun = true
			if at.Equal(f.at) && unchanged(s, f.of.Snapshot) {
				return f.plan
			}
			f.next = f.of.planner(nil, f.past)
		}
		return f.next(s, at, reasons)
	}
	return forecast.Run(f.of.Snapshot, o)
}

// unchanged reports whether a forecast left a snapshot as it is before its first run. Jobs that only wait never change
// before it.
func unchanged(s, before *model.Snapshot) bool {
	now, then := *s, *before
	now.Jobs, then.Jobs = begun(s), begun(before)
	return len(s.Jobs) == len(before.Jobs) && reflect.DeepEqual(&now, &then)
}

// begun lists the jobs with a started task.
func begun(s *model.Snapshot) (list []model.Job) {
	for i := range s.Jobs {
		if slices.ContainsFunc(s.Jobs[i].Tasks, func(t model.Task) bool { return !t.Started.IsZero() }) {
			list = append(list, s.Jobs[i])
		}
	}
	return list
}

// Forecast simulates runs from a moment on.
func (c *Case) Forecast(o forecast.Options) *forecast.Forecast {
	if c.Snapshot.PBS != nil {
		return simulate.Forecast(c.Snapshot, o)
	}
	o.Plan, o.Quirks = c.planner(nil, nil), c.Quirks
	return forecast.Run(c.Snapshot, o)
}

// Runs plans consecutive runs under the case's policy.
func (c *Case) Runs() forecast.Planner { return c.planner(nil, nil) }

// planner plans one run after the other, and hands each to ranked when its jobs are; nil for nobody. The
// past is that of another case, nil for none.
func (c *Case) planner(ranked func(Input), past *schedule.Past) forecast.Planner {
	if c.Snapshot.PBS != nil {
		return func(s *model.Snapshot, at time.Time, _ bool) *model.Plan { return cycle.Run(s, cycle.Options{At: at}) }
	}
	return schedule.Runs(func(s *model.Snapshot, at time.Time, memory *schedule.Memory, reasons bool) *model.Plan {
		s = c.overridden(s, at)
		in := c.rank(s, at)
		if ranked != nil {
			ranked(in)
		}
		before := past
		past = nil // later runs know what this one does
		return schedule.Dispatch(s, in.Lists, in.Result,
			schedule.Options{At: at, Quirks: c.Quirks, Memory: memory, Past: before, Brief: !reasons})
	})
}

// rank computes the priorities of a run, and puts the values of the variant in their place.
func (c *Case) rank(s *model.Snapshot, at time.Time) Input {
	lists := split.Jobs(s, at, c.Quirks, split.Assumed{Coming: true})
	in := Input{Snapshot: s, At: at, Lists: lists, Result: priority.Rank(s, lists, at, c.Quirks)}
	if c.Variant != nil {
		reorder(in.Result, c.Variant(in))
	}
	return in
}

// reorder makes values the priorities of waiting jobs, and of all their tasks.
func reorder(r *priority.Result, values map[uint32]float64) {
	least := 0.0
	for _, v := range values {
		least = min(least, v)
	}
	r.Weights = priority.Weights{Urgency: 1} // with this and Urgency.Norm, Reblend gives the value again
	for _, j := range r.Pending {
		v, known := values[j.Job.Number]
		if !known {
			v = least - 1
		}
		j.Urgency.Norm = v
		j.SetPrio(v)
	}
	priority.SortByDispatch(r.Pending)
}

// waiting is the number of a job's tasks that wait.
func waiting(e *split.Entry) int { return len(e.Tasks) + model.CountOf(e.Waiting) }
