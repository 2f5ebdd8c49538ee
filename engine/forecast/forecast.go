package forecast

import (
	"cmp"
	"container/heap"
	"slices"
	"strings"
	"time"

	"qprism/engine/model"
	"qprism/engine/room"
)

// A Planner plans one scheduler run of a snapshot at a moment, without changing the snapshot. If reasons is false, the
// plan only has the decisions that start or reserve. A Planner is for one forecast only: schedule.Runs makes one that
// keeps the scheduler's memory from call to call, and that counts ended tasks in its first call. Package schedule
// imports this package. This package imports no scheduler.
type Planner func(s *model.Snapshot, at time.Time, reasons bool) *model.Plan

// Options of a forecast.
type Options struct {
	At       time.Time            // of the first run
	Plan     Planner              // called for each run
	Quirks   model.Quirks         // of the release, for the decay of usage
	Estimate time.Duration        // run time of tasks without a limit; zero for default_duration
	History  *History             // earlier run times of tasks; nil to use the limits
	Latency  time.Duration        // usual time between the end of a task and the moment at which the scheduler knows
	LastRun  time.Time            // the run before; if the next one is due soon, the forecast begins with it
	MostRuns int                  // limit of the work; zero for DefaultRuns
	Stop     func() bool          // asked before each run whether to stop; may be nil
	Enough   func(*Forecast) bool // asked whether the starts so far are enough, if only starts are wanted; may be nil
}

// Found reports whether Enough is satisfied.
func (o *Options) Found(f *Forecast) bool { return o.Enough != nil && o.Enough(f) }

// DefaultRuns limits a forecast, because calendars may open and close queues for ever.
const DefaultRuns = 100_000

// A Forecast has the starts of the runs.
type Forecast struct {
	Running []Start // running tasks at the beginning
	Starts  []Start
	Stops   []Stop // times of suspension by a queue or calendar
	// Waits are tasks that the last run let wait or reserved for, with reasons. After a stop, they have no reasons. With
	// Enough, the list is incomplete.
	Waits  []model.Decision
	Runs   int
	Last   time.Time // moment of the last run
	Ending Ending
}

// A Start is the predicted start of a task.
type Start struct {
	Job, Task uint32
	ID        string    // PBS: the job's id
	At, End   time.Time // End is zero if the task never ends
	Window              // zero for PBS
	Slots     []model.Grant
}

// A Stop is a time in which a task is suspended; Until is zero if it never goes on.
type Stop struct {
	Job, Task uint32
	At, Until time.Time
}

// A Window is the range of possible times of a start. It results from the scheduler's interval and delays.
// Each task that must end first widens the range.
type Window struct{ Earliest, Latest time.Time }

// An Ending says why a forecast ended.
type Ending string

// The endings.
const (
	AllStarted  Ending = "every job has started"
	OnlyHeld    Ending = "every job has started, except jobs that are held or in error"
	NothingEnds Ending = "no known event lets another job start"
	Bounded     Ending = "the bound on runs was reached"
	Stopped     Ending = "stopped"
)

// Run simulates scheduler runs from a snapshot on: one every schedule_interval, and one sooner after a job
// ends, with flush_finish_sec. It skips runs that probably start nothing (unsettled).
func Run(s *model.Snapshot, o Options) *Forecast {
	p := newPlay(s, o)
	for p.goesOn() {
		p.run()
		if !p.advance() {
			break
		}
	}
	p.waits()
	return &p.forecast
}

// waits notes what the last run let wait. If its plan has no reasons, waits plans this run again: to a run, tasks that
// started at its own moment still wait. After a stop, waits notes the waiting tasks without reasons.
func (p *play) waits() {
	switch p.forecast.Ending {
	case NothingEnds, OnlyHeld:
		if p.Enough == nil && !p.reasons {
			p.plan = p.Plan(p.cluster.Snapshot, p.now, true)
		}
	case Stopped:
		if p.Enough == nil {
			p.forecast.Waits = p.waiting()
			return
		}
	}
	if p.plan != nil {
		p.forecast.Waits = slices.DeleteFunc(slices.Clone(p.plan.Decisions), func(d model.Decision) bool {
			return d.Verdict == model.Now || p.hasStarted(&d)
		})
	}
}

// hasStarted reports whether the task of a decision has started: its start can have closed its own queue instance.
func (p *play) hasStarted(d *model.Decision) bool {
	j := p.cluster.Job(d.Job)
	return j != nil && model.CountOf(d.Tasks) == 1 && started(j, d.Tasks[0].Min) >= 0
}

// waiting lists the tasks that have not started, without reasons.
func (p *play) waiting() (list []model.Decision) {
	for i := range p.cluster.Jobs {
		j := &p.cluster.Jobs[i]
		for k := range j.Tasks {
			if t := &j.Tasks[k]; t.Started.IsZero() {
				list = append(list, model.Decision{Job: j.Number, Tasks: t.IDs, Verdict: model.Never})
			}
		}
	}
	return list
}

// A play is a forecast that is being made.
type play struct {
	Options
	cluster  *Cluster
	clock    Clock
	now      time.Time
	window   Window // in which the run takes place
	ends     endings
	plan     *model.Plan
	reasons  bool                     // the plan has reasons
	started  time.Time                // when a task last started
	change   time.Time                // when a calendar, a reservation or an -a time lets something happen next
	still    map[taskID]rest          // tasks that their queue suspends
	kept     map[taskID]time.Duration // what is left of those that went back to wait, and go on where they were
	meter    *meter
	forecast Forecast
}

func newPlay(s *model.Snapshot, o Options) *play {
	if o.MostRuns == 0 {
		o.MostRuns = DefaultRuns
	}
	p := &play{Options: o, cluster: NewCluster(s), clock: NewClock(&s.Policy, o.Estimate),
		still: map[taskID]rest{}, kept: map[taskID]time.Duration{}}
	p.clock.History = o.History
	p.meter = newMeter(p.cluster, o.Quirks)
	p.window = Window{o.At.Truncate(time.Second), o.At.Add(p.interval() + p.slowest())}
	p.now = model.Latest(o.At, p.due())
	p.cluster.EachRunning(func(j *model.Job, t *model.Task) {
		p.expect(j, t)
		p.started = model.Latest(p.started, t.Started)
	})
	heap.Init(&p.ends)
	p.cluster.switched = true
	p.stand(p.now, p.window)
	return p
}

// longestAwaited is the longest schedule_interval for which a forecast begins with the next regular run. With a longer
// interval, events usually cause the runs (flush_submit_sec, flush_finish_sec).
const longestAwaited = 10 * time.Minute

// due is the moment of the next regular run: one interval after the last run. It is zero if no run is known in the
// interval before the forecast, or if the interval is above longestAwaited.
func (p *play) due() time.Time {
	interval := p.interval()
	if p.LastRun.IsZero() || interval > longestAwaited || p.LastRun.After(p.At) || p.At.Sub(p.LastRun) > interval {
		return time.Time{}
	}
	return p.LastRun.Add(interval)
}

// expect notes when a running task ends.
func (p *play) expect(j *model.Job, t *model.Task) {
	on := p.cluster.hold(t.Granted, 0)
	length, limit := p.clock.lengths(j, on, p.now.Sub(t.Started))
	end, killed := p.future(add(t.Started, length)), p.future(add(t.Started, limit))
	number := t.IDs[0].Min
	p.forecast.Running = append(p.forecast.Running,
		Start{Job: j.Number, Task: number, At: t.Started, End: end, Slots: t.Granted})
	if !end.IsZero() {
		window := Window{end, end.Add(p.slowest())}
		p.ends = append(p.ends, &ending{end.Add(p.Latency), j.Number, number, window, p.heard(killed)})
	}
}

// future replaces an end that has passed by the next moment. The first run still sees such a task.
func (p *play) future(end time.Time) time.Time {
	if !end.IsZero() && !end.After(p.now) {
		return p.now.Add(1)
	}
	return end
}

// heard is when the scheduler knows of an end; zero for none.
func (p *play) heard(end time.Time) time.Time {
	if end.IsZero() {
		return end
	}
	return end.Add(p.Latency)
}

// goesOn reports whether another run is made.
func (p *play) goesOn() bool {
	switch {
	case p.Stop != nil && p.Stop():
		p.forecast.Ending = Stopped
	case p.forecast.Runs >= p.MostRuns:
		p.forecast.Ending = Bounded
	case p.Found(&p.forecast):
		p.forecast.Ending = Stopped
	default:
		return true
	}
	return false
}

// run makes one scheduler run, and carries out what it starts.
func (p *play) run() {
	p.change = p.cluster.Settle(p.now)
	p.stand(p.now, p.window)
	p.meter.charge(p.cluster.Snapshot, p.now)
	p.reasons = p.Enough == nil && p.forecast.Runs == p.MostRuns-1
	p.plan = p.Plan(p.cluster.Snapshot, p.now, p.reasons)
	p.forecast.Runs++
	p.forecast.Last = p.now
	for _, s := range p.cluster.Apply(p.plan) {
		length, limit := p.length(s)
		end := add(s.At, length)
		p.meter.begin(s.Job, s.Task, s.At)
		if !end.IsZero() {
			window := Window{p.window.Earliest.Add(length), p.window.Latest.Add(length + p.slowest())}
			killed := p.heard(add(s.At, limit))
			heap.Push(&p.ends, &ending{end.Add(p.Latency), s.Job.Number, s.Task, window, killed})
		}
		p.forecast.Starts = room.Append(p.forecast.Starts, Start{Job: s.Job.Number, Task: s.Task,
			At: s.At, End: end, Slots: s.Slots,
			Window: p.window})
		p.started = p.now
	}
	p.stand(p.now, p.window)
}

// length returns how long a starting task runs, and its limit. A task that goes on runs for what it has left.
func (p *play) length(s Started) (length, limit time.Duration) {
	length, limit = p.clock.lengths(s.Job, s.On, 0)
	id := taskID{s.Job.Number, s.Task}
	if left, ok := p.kept[id]; ok {
		delete(p.kept, id)
		return left, limit
	}
	return length, limit
}

// advance goes to the next run that can differ from this one. It ends the tasks that end before that. It
// returns false if there is no such run.
func (p *play) advance() bool {
	next := p.next()
	switch left := p.left(); {
	case left == nothing:
		p.forecast.Ending = AllStarted
		p.resumeAll()
	case left == stuck:
		p.forecast.Ending = OnlyHeld
	case next.IsZero():
		p.forecast.Ending = NothingEnds
	default:
		p.now = next
		p.move(p.endTasks())
		return true
	}
	return false
}

// endTasks ends the tasks whose end the scheduler knows by now. all is the window of all these ends together.
func (p *play) endTasks() (all Window) {
	for len(p.ends) > 0 && !p.ends[0].at.After(p.now) {
		e := heap.Pop(&p.ends).(*ending)
		delete(p.still, taskID{e.job, e.task})
		p.meter.end(taskID{e.job, e.task}, e.at.Add(-p.Latency))
		p.cluster.End(e.job, e.task)
		p.stand(e.at, e.window)
		all = all.with(e.window)
	}
	return all
}

// resumeAll ends more tasks until suspended tasks go on: then their ends are known, too.
func (p *play) resumeAll() {
	for len(p.still) > 0 && len(p.ends) > 0 {
		p.now = p.ends[0].at
		p.endTasks()
	}
}

// with is a window that has another one in it, too.
func (w Window) with(o Window) Window {
	return Window{model.Earliest(w.Earliest, o.Earliest), model.Latest(w.Latest, o.Latest)}
}

// move sets the window of the next run. The cause is the window of the ends that let this run start tasks. The run
// comes at most one interval, or flush_finish_sec, and one second later.
func (p *play) move(cause Window) {
	if !p.change.IsZero() && !p.change.After(p.now) {
		cause = cause.with(Window{p.change, p.change})
	}
	if cause.Earliest.IsZero() { // only the run before lets this run start tasks
		cause = p.window
	}
	wait := p.interval()
	if flush := p.cluster.Policy.FlushFinish; flush > 0 {
		wait = min(wait, flush)
	}
	p.window = Window{model.Latest(cause.Earliest, p.window.Earliest), cause.Latest.Add(wait + time.Second)}
	if p.now.Before(p.window.Earliest) {
		p.window.Earliest = p.now
	}
	p.window.Latest = model.Latest(p.window.Latest, p.now)
}

// slowest is the longest time until a scheduler knows of the end of a task: twice the usual time.
func (p *play) slowest() time.Duration { return 2 * p.Latency }

// interval is the time between runs.
func (p *play) interval() time.Duration {
	if interval := p.cluster.Policy.ScheduleInterval; interval > 0 {
		return interval
	}
	return shortest
}

// What is left to start.
type remainder int

const (
	nothing remainder = iota
	stuck             // held by hand, or in error
	waiting
)

func (p *play) left() remainder {
	most := nothing
	for i := range p.cluster.Jobs {
		j := &p.cluster.Jobs[i]
		for k := range j.Tasks {
			t := &j.Tasks[k]
			switch {
			case !t.Started.IsZero():
			case strings.Contains(t.State, "E"), held(t) && len(j.Predecessors)+len(j.ArrayPredecessor) == 0:
				most = max(most, stuck)
			default:
				return waiting
			}
		}
	}
	return most
}

// next is the moment of the next run that can differ. It is the very next run if this run started something that may let
// another task start, or that weighs on the load of its host, and a slot is free. Else it is the first run after an event.
func (p *play) next() time.Time {
	interval := p.interval()
	tick := p.now.Add(interval)
	if p.unsettled() {
		return p.flushed(tick)
	}
	event := p.change
	if len(p.ends) > 0 {
		event = model.Earliest(event, p.ends[0].at)
	}
	if event.IsZero() {
		return event
	}
	if late := event.Sub(tick); late > 0 {
		tick = tick.Add((late + interval - 1) / interval * interval)
	}
	return p.flushed(tick)
}

// shortest is the time between runs where the policy does not tell any.
const shortest = time.Second

// unsettled reports whether the next run can start something although nothing happens before it. A "no" is only an
// assumption: prio changes with time (waiting time, deadline, decay of usage). In another order, a run can make other
// reservations and start other jobs.
func (p *play) unsettled() bool {
	policy := &p.cluster.Policy
	weighs := len(policy.LoadAdjustments) > 0 && p.now.Before(p.started.Add(policy.LoadAdjustmentDecay))
	return (p.started.Equal(p.now) || weighs) && !p.cluster.full()
}

// flushed is a run's moment, or an earlier one where the end of a task pulls the run forward.
func (p *play) flushed(tick time.Time) time.Time {
	flush := p.cluster.Policy.FlushFinish
	if flush <= 0 || len(p.ends) == 0 {
		return tick
	}
	pulled := p.ends[0].at.Add(max(0, flush-time.Second))
	if !pulled.After(p.now) { // a task that ended at its start must not cause another run at this moment
		return tick
	}
	return model.Earliest(tick, pulled)
}

// An ending is when a running task ends.
type ending struct {
	at        time.Time // when the scheduler knows of the end
	job, task uint32
	window    Window    // from the earliest end to the latest moment at which the scheduler knows of it
	killed    time.Time // the same as at, for the limit of run time; zero for no limit
}

// endings are a heap, the first one on top.
type endings []*ending

func (e endings) Len() int      { return len(e) }
func (e endings) Swap(i, k int) { e[i], e[k] = e[k], e[i] }
func (e endings) Less(i, k int) bool {
	if first := e[i].at.Compare(e[k].at); first != 0 {
		return first < 0
	}
	return cmp.Or(cmp.Compare(e[i].job, e[k].job), cmp.Compare(e[i].task, e[k].task)) < 0
}
func (e *endings) Push(x any) { *e = append(*e, x.(*ending)) }
func (e *endings) Pop() any {
	last := len(*e) - 1
	x := (*e)[last]
	(*e)[last] = nil
	*e = (*e)[:last]
	return x
}
