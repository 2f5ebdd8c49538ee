// Package cycle plans one cycle of the PBS scheduler, pbs_sched(8B): which jobs start and where, which vnodes
// are kept for later starts, which jobs are preempted, and why the others wait. Run needs a snapshot, a
// moment, and the scheduler's memory of earlier cycles. Its steps:
//
// 1. load reads the snapshot into a cluster.World, in the scheduler's order. 2. Jobs of stopped queues, and
// of entities without shares, are skipped. A reservation that waits for confirmation
//
//	takes the whole cycle.
//
// 3. fairshare charges running jobs and decays usage. Each job gets its preempt priority and its
// job_sort_formula. 4. order sorts the jobs and chooses the next one. 5. search looks for vnodes where the
// job can start now, within limits, primetime, resources and planned starts. 6. If vnodes are found, the job
// starts. Else preempt looks for jobs to stop. Else, with strict_ordering, search
//
//	plans a later start for a top job.
//
// 7. A job that does not start gets the first condition that it failed, in the words of the log (reason).
//
// The packages below build on each other in this order: reason (why a job does not run), resource (amounts,
// select, place), clock (primetime, dedicated time), limit, cluster, load, order, search, preempt.
//
// # Files
//
//   - cycle.go: Run, its Options, and the loop over the jobs
//   - rate.go, charge.go: preempt priorities, job_sort_formula, and the charges of running jobs
//   - recall.go: what the log tells of earlier cycles
//   - record.go: decisions of the plan
//   - notes.go: what a plan leaves out or guesses; the effect of computing the formula once
//   - lineup.go: the order of jobs before anything starts
//   - certainty.go: how much that order depends on estimated charges
//   - idle.go: whether a job could start on an idle cluster; jobs that the scheduler ignores
package cycle
