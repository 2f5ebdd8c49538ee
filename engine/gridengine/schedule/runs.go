package schedule

import (
	"time"

	"qprism/engine/forecast"
	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// Runs turns a planner of single runs into a planner of consecutive runs. It keeps the scheduler's memory
// from run to run. Tasks that ended since the last recorded run count in the first run only.
func Runs(plan func(s *model.Snapshot, at time.Time, memory *Memory, reasons bool) *model.Plan) forecast.Planner {
	memory, first := &Memory{}, true
	return func(s *model.Snapshot, at time.Time, reasons bool) *model.Plan {
		if first {
			s, first = split.WithEndedTasks(s, at), false
		}
		return plan(s, at, memory, reasons)
	}
}
