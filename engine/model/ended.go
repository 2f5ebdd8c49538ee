package model

import (
	"strings"
	"time"
)

// An EndedTask is one record of the accounting file, accounting(5): a task that has ended.
type EndedTask struct {
	Job, Task  uint32 // Task is 1 if the job is no array
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

	Submitted, Started, Ended time.Time // Started and Ended are zero if the task never ran

	Failed, ExitStatus int
	Wallclock          time.Duration
	CPU                float64 // seconds
	Memory             float64 // gigabyte seconds
	IO                 float64 // gigabytes
	MaxVMem            float64 // bytes
	Category           string  // the requests, as -l, -pe, -q … options
	Reservation        uint32  // -ar
}

// AsJob is the job of the task, as its record shows it: without tasks, and with the requests of its category,
// which are options of qsub. Without a category it has the granted PE and slots. An amount is 0 if the
// request is no number.
func (t *EndedTask) AsJob() Job {
	j := Job{Number: t.Job, Name: t.Name, Owner: t.Owner, Group: t.Group, Project: t.Project,
		Department: t.Department, Account: t.Account,
		Submitted: t.Submitted, Array: t.Array, Reservation: t.Reservation, PE: t.PE}
	if n := uint32(max(t.Slots, 1)); t.PE != "" {
		j.PERange = []Range{{Min: n, Max: n, Step: 1}}
	}
	words := strings.Fields(t.Category)
	for i := 0; i+1 < len(words); i++ {
		switch value := words[i+1]; words[i] {
		case "-l":
			list := &j.Hard
			if i > 0 && words[i-1] == "-soft" {
				list = &j.Soft
			}
			*list = requestsOf(value)
		case "-q":
			j.HardQueues = strings.Split(value, ",")
		case "-masterq":
			j.MasterQueues = strings.Split(value, ",")
		case "-pe":
			if i+2 < len(words) {
				j.PE, j.PERange = value, rangesOf(words[i+2])
			}
		case "-ckpt":
			j.Checkpoint = value
		default:
			continue
		}
		i++ // a value is no option
	}
	return j
}

func requestsOf(text string) (list []Request) {
	for part := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(part, "=")
		r := Request{Resource: name, Value: value}
		r.Amount, _ = ParseNumber(value)
		list = append(list, r)
	}
	return list
}

// rangesOf leaves out what is no range.
func rangesOf(text string) (list []Range) {
	for part := range strings.SplitSeq(text, ",") {
		if r, err := parseTaskRange(part); err == nil {
			list = append(list, r)
		}
	}
	return list
}
