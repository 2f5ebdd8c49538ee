// Package split sorts the tasks of a snapshot into the lists of one scheduler run: running, finished and
// pending. Only tasks in these lists get priorities. The run ignores all other tasks.
//
// Its files:
//   - split.go: Jobs sorts the tasks; an Entry is a job with its tasks in one list
//   - altered.go: finds jobs that users altered since the run, by the printed npprior
//   - counted.go: numbers that a run with PROFILE=1 writes into the messages file
//   - ended.go: the run before a given moment, from the messages file; tasks that ended since that run
//   - filter.go: JC_FILTER of params hides some waiting jobs from the run if more jobs wait than slots are
//     free
//   - slots.go: free slots before and after the run
package split
