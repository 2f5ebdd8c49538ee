// Package pbs changes the order in which PBS starts jobs, in one of four ways:
//
//   - Resource (resource.go): qalter(1B) sets a hidden resource that job_sort_formula reads. The scheduler
//     still chooses vnodes, and applies limits and backfill.
//   - Priority (priority.go): qalter sets the priority -p. This works only if job_sort_formula contains
//     job_priority.
//   - Swaps (swaps.go): qorder(1B) exchanges the places of two jobs in a queue. The place in the queue
//     matters only between jobs that are otherwise equal.
//   - Starts (starts.go): this way needs scheduling = false, which an operator sets with qmgr. Then the
//     scheduler starts no jobs itself. qrun(8B) starts jobs in the wanted order, and the scheduler only chooses the vnodes of
//     each job.
//
// Its other files:
//   - way.go: the common part of the four ways
//   - answers.go: reads error messages of commands; asks whether the user is a manager or operator
//   - qstat.go: asks for values, owners and submission times of jobs
//   - dispatcher.go: Dispatcher makes the changes of qprism drive: it sets -p of waiting jobs
package pbs
