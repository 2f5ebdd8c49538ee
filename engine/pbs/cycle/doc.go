// Package cycle plans one cycle of the PBS scheduler, as pbs_sched(8B) does it: which jobs start and where,
// which vnodes are kept for later starts, which jobs are preempted, and why the others wait. Run is a function
// of a snapshot, a moment, and what the scheduler remembers of earlier cycles. Its steps:
//
//  1. load reads the snapshot into a cluster.World, in the order in which the scheduler reads it.
//  2. Jobs of stopped queues and of entities without shares are passed over. A reservation that waits to be
//     confirmed takes the whole cycle.
//  3. fairshare charges running jobs and lets usage decay. Each job gets its preempt priority and the value
//     of job_sort_formula.
//  4. order sorts the jobs and says which one is next.
//  5. search looks for vnodes where the job can start now. It checks limits, primetime, resources and planned
//     starts.
//  6. What fits starts. Else preempt looks for jobs to stop. Else, with strict_ordering, search plans a later
//     start for a top job.
//  7. A job that does not start has the first condition that it failed, in the words of the log: see reason.
//
// The packages below build on each other, in this order: reason (why a job does not run), resource (amounts,
// select, place), clock (primetime and dedicated time), limit, cluster, load, order, search, preempt.
//
// # Files
//
//   - cycle.go: Run, its Options, and the loop over the jobs
//   - rate.go, charge.go: preempt priorities, job_sort_formula, and what fairshare charges running jobs
//   - record.go: decisions of the plan
//   - notes.go: what a plan leaves out or guesses; what changes because the formula is computed once
//   - lineup.go: the order of jobs before anything starts
//   - certainty.go: how far that order depends on estimated charges
//   - idle.go: whether a job could start on an idle cluster; jobs that the scheduler ignores
package cycle
