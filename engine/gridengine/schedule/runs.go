package schedule

import (
	"time"

	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// Runs makes a planner of one run after the other of one that plans a single run: it remembers what a
// scheduler does from run to run. The tasks that ended since the last recorded run are still counted by the
// first run, and by no later one.
func Runs(plan func(s *model.Snapshot, at time.Time, memory *Memory) *model.Plan) func(s *model.Snapshot,
	at time.Time) *model.Plan {
	memory, first := &Memory{}, true
	return func(s *model.Snapshot, at time.Time) *model.Plan {
		if first {
			s, first = split.Unburied(s, at), false
		}
		return plan(s, at, memory)
	}
}
