package main

import (
	"time"

	"qprism/engine/forecast"
	"qprism/engine/model"
	"qprism/engine/schedule"
	"qprism/engine/split"
)

// plan plans the run at a moment.
func (s gridEngine) plan(at time.Time) *model.Plan {
	return schedule.Run(split.Unburied(s.Snapshot, at), schedule.Options{At: at, Quirks: s.look.Quirks})
}

// planner plans one run after the other, as a scheduler that keeps what it remembers from run to run.
func (s gridEngine) planner() forecast.Planner {
	memory, first := &schedule.Memory{}, true
	return func(now *model.Snapshot, at time.Time) *model.Plan {
		if first {
			now, first = split.Unburied(now, at), false
		}
		return schedule.Run(now, schedule.Options{At: at, Quirks: s.look.Quirks, Memory: memory})
	}
}
