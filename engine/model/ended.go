package model

import "time"

// An EndedTask is one record of the accounting file, accounting(5): a task that has ended.
type EndedTask struct {
	Job, Task  uint32 // Task is 1 for a job that is no array
	Array      bool
	Name       string
	Owner      string
	Group      string
	Project    string // empty for none
	Department string
	Account    string
	Queue      string // cluster queue of the master task
	Host       string // its host
	PE         string // empty for none
	Slots      int

	Submitted, Started, Ended time.Time // Started and Ended are zero where the task never ran

	Failed, ExitStatus int
	Wallclock          time.Duration
	CPU                float64 // seconds
	Memory             float64 // gigabyte seconds
	IO                 float64 // gigabytes
	MaxVMem            float64 // bytes
	Category           string  // the requests, as -l, -pe, -q … options
	Reservation        uint32  // -ar
}
