// Package preempt finds the running jobs that the PBS scheduler stops for a job of a higher preempt priority.
//
// In a copy of the world it ends one running job after the other until the job fits. Then it spares those
// that were not in the way.
//
//   - preempt.go: the search for victims, and preempt_order
//   - candidates.go: the running jobs that relate to the reason for the wait
package preempt
