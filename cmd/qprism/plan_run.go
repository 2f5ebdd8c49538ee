package main

import (
	"time"

	"qprism/engine/forecast"
	"qprism/engine/model"
	"qprism/engine/schedule"
)

// plan plans the run at a moment.
func (s *subject) plan(at time.Time) *model.Plan {
	return schedule.Run(s.Snapshot, schedule.Options{At: at, Quirks: s.look.Quirks})
}

// planner plans one run after the other, as a scheduler that keeps what it remembers from run to run.
func (s *subject) planner() forecast.Planner {
	memory := &schedule.Memory{}
	return func(now *model.Snapshot, at time.Time) *model.Plan {
		return schedule.Run(now, schedule.Options{At: at, Quirks: s.look.Quirks, Memory: memory})
	}
}
