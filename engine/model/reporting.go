package model

import "time"

// A Reporting is the reporting file, reporting(5): job events, ended tasks, and the share tree over time.
type Reporting struct {
	Events []JobEvent
	Ended  []EndedTask    // acct records, as in the accounting file; a long job has one a day
	Shares []ShareReport  // sharelog records: each node at each time
	Others map[string]int // number of other records, by type: host, queue, host_consumable …
}

// A JobEvent is a change of a job: a new_job or job_log record.
type JobEvent struct {
	At time.Time
	// "new", "pending", "sent", "delivered", "suspended", "held", "released", "deleted", "finished", "error" …
	Event      string
	Job, Task  uint32 // Task is 0 for the whole job
	Process    string // pe_taskid, empty for none
	State      string // after the event
	User, Host string // who caused it and where; "scheduler", "master", "execution daemon" for the system itself
	Submitted  time.Time
	Name       string
	Owner      string
	Group      string
	Project    string
	Department string
	Account    string
	Priority   int // -p
	Message    string
}
