// Package limit checks whether a job may start within the limits of server and queues: max_run, max_run_res
// and their soft forms, pbs_server_attributes(7B).
//
// Counts has the running amounts of each user, group and project. Tests lists the hard limits in the
// scheduler's order. A soft limit never stops a job: it only lowers the preempt priority of the job.
//
// Its files:
//   - limit.go: counts, hard limits and soft limits
package limit
