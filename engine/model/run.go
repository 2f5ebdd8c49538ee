package model

import "time"

// A RunRecord is one section of the schedule file: the record of one scheduler run.
type RunRecord struct {
	Lines    []ScheduleLine
	Complete bool // a separator ends the section, or another section follows
	// Advance are lines of requests for advance reservations, after the run's own: the tasks that each
	// request considered, and its bookings, as job 0.
	Advance []ScheduleLine
}

// A ScheduleLine is one line of the schedule file: job:task:state:start:duration:level:object:resource:amount.
type ScheduleLine struct {
	Job, Task uint32
	State     string        // RUNNING, SUSPENDED, MIGRATING, STARTING, RESERVING
	Start     time.Time     // Unix time 0 is a valid value: a reservation at time 0
	Duration  time.Duration // the fifth field is a duration, unlike in the manual page
	Level     string        // P, G, H, Q, L
	Object    string
	Resource  string
	Amount    float64
}

// A TraceLine is a scheduler line of the messages file.
type TraceLine struct {
	At   time.Time
	Text string
}
