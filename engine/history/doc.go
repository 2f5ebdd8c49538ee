// Package history tells what happened to jobs and to a cluster over time, from consecutive snapshots: where each waiting
// job stood and why it waited, and how its waiting time divides into causes. Who started before whom is found by package diff.
//
// A snapshot alone does not say why a job waits. A run planned over it does (model.Plan): Standings reads it off the plan,
// job by job. What holds between two snapshots is taken to be what the earlier one shows.
//
// Its files:
//   - cause.go: A judge finds the cause of each decision, in the order of the plan
//   - printed.go: Printed says where waiting jobs stand by the priorities that the master printed, where no run can be planned
//   - standing.go: Standings says of every waiting job where it stands in a plan
//   - wait.go: A Wait is the time that a job waited, by cause
package history
