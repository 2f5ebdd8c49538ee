// Package cycle plans one cycle of the PBS scheduler, as pbs_sched(8B) describes. The package decides which
// jobs start and where. It also decides which vnodes stay free for later starts, which jobs are preempted,
// and why the other jobs wait.
//
// The function Run needs a snapshot, the time of the cycle, and the scheduler's memory of earlier cycles. Its
// steps:
//
//  1. The subpackage "load" reads the snapshot into a cluster.World. In the World, jobs, queues and vnodes
//     have the same order as in the scheduler.
//  2. The function Run skips jobs in stopped queues and jobs of fairshare entities without shares. If a
//     reservation waits for confirmation, the cycle only handles this reservation and starts no jobs.
//  3. Package engine/pbs/fairshare adds the usage of running jobs to the fairshare tree and applies decay.
//     Run computes the preempt priority of each job and the value of job_sort_formula.
//  4. The subpackage "order" sorts the jobs and chooses the next job.
//  5. The subpackage "search" checks limits, primetime, and the resources of server and queue. Then it looks
//     for vnodes where this job can start now. This start must not delay the planned starts of other jobs.
//  6. If "search" finds vnodes, the job starts. If "search" finds no vnodes, the subpackage "preempt" looks
//     for running jobs to stop. If "preempt" finds no running jobs, and strict_ordering is set, the job can
//     become a top job. For a top job, "search" plans a later start. The number of top jobs is at most
//     backfill_depth.
//  7. For each job that does not start, the plan has the first condition that the job did not meet. The PBS
//     scheduler writes a message about this condition into its log. The subpackage "reason" makes the same
//     message for the output of qprism.
//
// The subpackages are: reason, resource, clock, limit, cluster, load, order, search, preempt. Each subpackage
// imports only subpackages that come before it in this list.
//
// Its files:
//   - cycle.go: Run, its Options, and the loop over the jobs
//   - rate.go, charge.go: preempt priorities, job_sort_formula, charged usage
//   - recall.go: what the log says about earlier cycles
//   - record.go: decisions of the plan
//   - notes.go: what a plan omits or assumes; when formula values stay the same
//   - lineup.go: the order of jobs before the cycle starts any of them
//   - certainty.go: how much the order of jobs depends on charges that qprism estimates
//   - idle.go: whether a job could start on an idle cluster; jobs that the scheduler ignores
package cycle
