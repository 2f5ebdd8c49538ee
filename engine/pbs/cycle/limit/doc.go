// Package limit counts running jobs against the limits of server and queues: max_run, max_run_res and their
// soft forms, pbs_server_attributes(7B).
//
// Counts has how much runs of each user, group and project. Tests lists the hard limits in the order in
// which the scheduler tests a job. Soft limits only set bits, which lower a job's preempt priority.
//
//   - limit.go: all of it
package limit
