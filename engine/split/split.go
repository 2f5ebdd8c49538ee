// Package split sorts the tasks of a snapshot into the lists of one scheduler run, by ge-priorities section 3.2 of the
// project's notes: only running, finished and pending tasks take part in priorities; all others are invisible there.
package split

import (
	"qprism/engine/model"
)

// An Entry is a job in one list, with those of its tasks that are in that list. A job can be in several lists.
type Entry struct {
	Job     *model.Job
	Tasks   []Task        // enrolled tasks, one by one
	Waiting []model.Range // numbers of tasks that are not enrolled
}

// A Task is an enrolled task: the master keeps an object of its own for it.
type Task struct {
	Number uint32
	Usage  []model.Amount // scaled usage, in the order in which the host reports it
}

// Lists are the lists of one scheduler run that priorities look at.
type Lists struct {
	Running, Finished, Pending []Entry
}

// Count is how many task numbers the ranges hold.
func Count(ranges []model.Range) int {
	n := 0
	for _, r := range ranges {
		n += int((r.Max-r.Min)/max(r.Step, 1)) + 1
	}
	return n
}

// First is the smallest position of the ranges: the first number of the first one.
func First(ranges []model.Range) (number uint32, ok bool) {
	if len(ranges) == 0 {
		return 0, false
	}
	return ranges[0].Min, true
}
