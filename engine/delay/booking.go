package delay

import (
	"slices"
	"time"

	"qprism/engine/forecast"
	"qprism/engine/model"
)

// A Task is a job number and a task number.
type Task struct{ Job, Task uint32 }

// InTheWay is the plan with only the bookings that count for one decision: running and starting tasks, and
// earlier reservations.
func InTheWay(p *model.Plan, decision int) *model.Plan {
	before := map[Task]bool{}
	for _, d := range p.Decisions[:decision] {
		if d.Verdict == model.Later {
			before[Task{d.Job, model.FirstTask(d.Tasks)}] = true
		}
	}
	own := *p
	own.Lines = slices.DeleteFunc(slices.Clone(p.Lines), func(l model.ScheduleLine) bool {
		over := l.Duration != model.Forever && !l.Start.Add(l.Duration).After(p.RunAt)
		return State(l.State) == Reserving && (over || !before[Task{l.Job, l.Task}])
	})
	return &own
}

// AtTheirLimits is a plan whose bookings end at the limits of their jobs at the latest. The scheduler books
// all jobs longer by an allowance (DURATION_OFFSET), and does not know the limits of queues.
func AtTheirLimits(s *model.Snapshot, p *model.Plan, allowance time.Duration, clock forecast.Clock) *model.Plan {
	lengths := map[Task]time.Duration{}
	for _, l := range clock.SlotLines(s, p) {
		if State(l.State) == Running {
			lengths[Task{l.Job, l.Task}] = l.Duration
		}
	}
	own := *p
	own.Lines = slices.Clone(p.Lines)
	for i := range own.Lines {
		l := &own.Lines[i]
		if length, runs := lengths[Task{l.Job, l.Task}]; runs {
			l.Duration = length
			continue
		}
		if State(l.State) == Reserving { // where something else is booked until then
			l.Start = l.Start.Add(-allowance)
		}
		if l.Duration != model.Forever {
			l.Duration = max(l.Duration-allowance, 0)
		}
	}
	return &own
}
