package main

import (
	"time"

	"qprism/engine/forecast"
	"qprism/engine/gridengine/schedule"
	"qprism/engine/model"
)

// plan plans the run at a moment.
func (s gridEngine) plan(at time.Time) *model.Plan {
	return s.planner()(s.Snapshot, at)
}

// planner plans one run after the other.
func (s gridEngine) planner() forecast.Planner {
	return schedule.Runs(func(now *model.Snapshot, at time.Time, memory *schedule.Memory) *model.Plan {
		return schedule.Run(now, schedule.Options{At: at, Quirks: s.look.Quirks, Memory: memory})
	})
}
