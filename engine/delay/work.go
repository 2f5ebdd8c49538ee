package delay

import (
	"time"

	"qprism/engine/model"
)

// Work is the work before a job, in slot-hours, for PBS in processor-hours. Endless tasks are counted, but
// their hours are not.
type Work struct {
	Jobs           int     `json:"jobs"`
	Tasks          int     `json:"tasks"`               // waiting tasks; 0 for PBS
	Hours          float64 `json:"slot_hours"`          // of these tasks
	Endless        int     `json:"tasks_without_limit"` // of these tasks
	Running        float64 `json:"running_slot_hours"`  // the remaining work of running tasks
	RunningEndless int     `json:"running_tasks_without_limit"`
}

// Wait adds waiting tasks of a size in slots or processors.
func (w *Work) Wait(tasks int, size float64, length time.Duration) {
	if length == model.Forever {
		w.Endless += tasks
	} else {
		w.Hours += float64(tasks) * size * length.Hours()
	}
}

// Run adds a running task.
func (w *Work) Run(size float64, started, at time.Time, length time.Duration) {
	if length == model.Forever {
		w.RunningEndless++
	} else {
		w.Running += size * max(started.Add(length).Sub(at), 0).Hours()
	}
}
