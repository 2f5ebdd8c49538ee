// Package preempt chooses the running jobs that the PBS scheduler stops for a job of a higher preempt
// priority. It follows preempt_order of pbs_sched(8B).
//
// It works on a copy of the world. It ends one running job after the other until the waiting job fits. Then
// it spares each of these jobs that the waiting job does not need to stop.
//
// Its files:
//   - preempt.go: searches for jobs to stop; preempt_order
//   - candidates.go: the running jobs whose end may let the waiting job start
package preempt
