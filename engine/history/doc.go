// Package history follows jobs and a cluster over time, through consecutive snapshots. It computes the
// place of each waiting job, the cause of its wait, and the waiting time by cause. Package diff
// compares the order in which jobs started with the expected one.
//
// A snapshot does not say why a job waits. A run planned on the snapshot does. Standings reads the plan, job by
// job. Between two snapshots, the package assumes the cause of the earlier one.
//
// Its files:
//   - standing.go: Standings gives place and cause of every waiting job in a plan
//   - cause.go: the cause of each decision
//   - printed.go: Printed gives places from the printed priorities, if no run can be planned
//   - wait.go: a Wait is the waiting time of a job, by cause
package history
