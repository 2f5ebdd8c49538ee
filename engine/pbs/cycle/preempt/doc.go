// Package preempt finds the jobs that the PBS scheduler stops so that a job of a higher preempt priority
// can start.
//
// In a copy of the world it ends one running job after the other until the job fits. Then it lets those go
// on that were not in the way.
//
//   - preempt.go: the search for victims, and preempt_order
//   - candidates.go: which running jobs have to do with the reason for which a job waits
package preempt
