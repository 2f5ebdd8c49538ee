package delay

import (
	"time"

	"qprism/engine/model"
)

// Work is what comes before a job, in slot-hours, of PBS in processor-hours. What nothing ends is counted, not added.
type Work struct {
	Jobs           int     `json:"jobs"`
	Tasks          int     `json:"tasks"`               // that wait; PBS counts no tasks
	Hours          float64 `json:"slot_hours"`          // of those
	Endless        int     `json:"tasks_without_limit"` // of those
	Running        float64 `json:"running_slot_hours"`  // what runs has to go
	RunningEndless int     `json:"running_tasks_without_limit"`
}

// Wait adds tasks that wait, each of so many slots or processors.
func (w *Work) Wait(tasks int, size float64, length time.Duration) {
	if length == model.Forever {
		w.Endless += tasks
	} else {
		w.Hours += float64(tasks) * size * length.Hours()
	}
}

// Run adds a task that runs.
func (w *Work) Run(size float64, started, at time.Time, length time.Duration) {
	if length == model.Forever {
		w.RunningEndless++
	} else {
		w.Running += size * max(started.Add(length).Sub(at), 0).Hours()
	}
}
