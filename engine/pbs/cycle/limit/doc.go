// Package limit checks whether a job may start within the limits of the server and of queues,
// pbs_server_attributes(7B). The hard limits are max_run and max_run_res. The soft limits are max_run_soft
// and max_run_res_soft.
//
// For each user, group and project, the type Counts has the number of running jobs. For each resource with a
// limit, Counts also has the sum that these jobs request. The list Tests has the hard limits in the order in
// which the scheduler checks them. A job over a soft limit can start, but gets a lower preempt priority.
//
// Its files:
//   - limit.go: counts, hard limits and soft limits
package limit
