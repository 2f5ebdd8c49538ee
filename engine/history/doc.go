// Package history describes the waiting jobs of a cluster over time, from consecutive snapshots. For each
// snapshot, the package computes the place of each waiting job in the dispatch order, and why the job waits.
// The package also adds up the waiting time of each job by cause. Package engine/diff, not this package,
// compares the actual order of job starts with the expected order.
//
// A snapshot does not say why a job waits. Therefore qprism simulates a scheduler run at the time of the
// snapshot. From this simulated run, the function Standings finds the cause of each wait. For the time between two
// snapshots, the package assumes the cause that it found for the earlier snapshot.
//
// Its files:
//   - standing.go: Standings gives place and cause of every waiting job in a plan
//   - cause.go: the cause of each decision
//   - printed.go: Printed gives places from the printed priorities, if no run can be planned
//   - wait.go: a Wait is the waiting time of a job, by cause
package history
