// Package preempt chooses the running jobs that the PBS scheduler stops, so that a job with a higher
// preempt priority can start. The option preempt_order of pbs_sched(8B) says how the scheduler stops a job:
// suspend, checkpoint, requeue or delete. The package obeys this option.
//
// The package works on a copy of the cluster.World. In this copy, it stops one running job after the other
// until the waiting job fits. Then it starts the waiting job in the copy. For each stopped job, the package
// tests whether this job can run beside the waiting job. If so, the result leaves out this job.
//
// Its files:
//   - preempt.go: searches for jobs to stop; preempt_order
//   - candidates.go: the running jobs whose end may let the waiting job start
package preempt
