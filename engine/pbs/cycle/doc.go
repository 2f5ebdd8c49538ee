// Package cycle plans one cycle of the PBS scheduler, by pbs_sched(8B). It decides which jobs start and
// where, which vnodes stay free for later starts, which jobs are preempted, and why the others wait.
//
// Run needs a snapshot, a moment, and the scheduler's memory of earlier cycles. Its steps:
//
//  1. load reads the snapshot into a cluster.World, in the scheduler's order.
//  2. Run skips jobs of stopped queues and of entities without shares. If a reservation waits for
//     confirmation, the cycle only confirms it.
//  3. fairshare charges running jobs and decays usage. Each job gets its preempt priority and its
//     job_sort_formula.
//  4. order sorts the jobs and chooses the next one.
//  5. search looks for vnodes where the job can start now. It checks limits, primetime, resources and
//     planned starts.
//  6. If it finds vnodes, the job starts. If not, preempt looks for jobs to stop. If there are none and
//     strict_ordering is set, search plans a later start for a top job.
//  7. A job that does not start gets the first condition that it failed, in the words of the log (package
//     reason).
//
// The packages below build on each other in this order: reason, resource, clock, limit, cluster, load,
// order, search, preempt.
//
// Its files:
//   - cycle.go: Run, its Options, and the loop over the jobs
//   - rate.go, charge.go: preempt priorities, job_sort_formula, and the charges of running jobs
//   - recall.go: what the log says about earlier cycles
//   - record.go: decisions of the plan
//   - notes.go: what a plan omits or assumes; the effect of computing the formula once
//   - lineup.go: the order of jobs before anything starts
//   - certainty.go: how much that order depends on estimated charges
//   - idle.go: whether a job could start on an idle cluster; jobs that the scheduler ignores
package cycle
