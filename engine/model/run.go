package model

import "time"

// A RunRecord is one section of the schedule file: what one scheduler run noted.
type RunRecord struct {
	Lines    []ScheduleLine
	Complete bool // a separator closed the section, or another one follows
	// Advance are lines that requests for advance reservations wrote behind the run's own: the tasks that each reckoned with, and
	// as job 0 what it booked.
	Advance []ScheduleLine
}

// A ScheduleLine is one line of the schedule file: job:task:state:start:duration:level:object:resource:amount.
type ScheduleLine struct {
	Job, Task uint32
	State     string        // RUNNING, SUSPENDED, MIGRATING, STARTING, RESERVING
	Start     time.Time     // the zero Unix time is a value of its own: a reservation at time 0
	Duration  time.Duration // the fifth field is a duration, whatever the manual page says
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
