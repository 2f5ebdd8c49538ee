// Package limit compares running jobs with the limits of server and queues: max_run, max_run_res and their
// soft forms, pbs_server_attributes(7B).
//
// Counts has the running amounts of each user, group and project. Tests lists the hard limits in the
// scheduler's order. Soft limits only set bits, which lower a job's preempt priority.
//
//   - limit.go: all of it
package limit
