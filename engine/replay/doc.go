// Package replay simulates a recorded period under another policy. A replay says which jobs would have
// waited, how long and why. A replay also says how much usage each user would have had.
//
// A Record is made from snapshots and accounting. A Record says when users submitted each job, how long
// each task ran, and which jobs users altered or deleted.
//
// A replay begins with the first snapshot of the period, and plans a scheduler run for the time of each
// snapshot. In a replay, each job has its recorded submission time. Each task has its recorded run time,
// even if it starts on another host. The hosts and queues do not change, except for the states of queues.
// Usage is slots multiplied by time.
//
// Its files:
//   - record.go: a Record has the jobs and tasks of a period
//   - moment.go: the differences between two snapshots
//   - play.go: simulates the period under a policy
//   - outcome.go: an Outcome is the result of a replay
//   - grid.go: ParseGrid reads the policies to try
package replay
