// Package split sorts the tasks of a snapshot into the lists of one scheduler run: only running, finished and pending
// tasks take part in priorities; all others are invisible there.
//
// Its files:
//   - split.go: An Entry is a job in one list, with those of its tasks that are in that list
//   - altered.go: PrintedPriority is the -p that the printed npprior of a job is made of
//   - counted.go: Counted are the numbers that a run writes at its end, with PROFILE=1
//   - ended.go: PreviousRun is the moment of the scheduler run before, as the messages file shows it
//   - filter.go: Filtered reports whether the scheduler has JC_FILTER set in params
//   - slots.go: slotsOn are the slots of a task, where its master task is on a usable queue instance
package split
