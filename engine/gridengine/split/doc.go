// Package split sorts the tasks of a snapshot into the lists of one scheduler run. Only running, finished and
// pending tasks get priorities. All others have no part in the run.
//
// Its files:
//   - split.go: Jobs sorts the tasks; an Entry is a job with its tasks in one list
//   - altered.go: jobs that were altered since the run, by the printed npprior
//   - counted.go: numbers that a run with PROFILE=1 writes into the messages file
//   - ended.go: the run before, from the messages file; tasks that ended since
//   - filter.go: JC_FILTER of params: waiting jobs that cannot start are hidden from the run
//   - slots.go: free slots before and after the run
package split
