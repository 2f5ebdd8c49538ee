// Package replay plays a recorded period again under another policy. It says which jobs would have waited,
// how long and why, and who would have got which usage.
//
// A Record comes from snapshots and accounting. It says when each job came, how long each task ran, and
// which jobs were altered or withdrawn.
//
// A replay begins with the first snapshot, and plans a scheduler run at the moment of each snapshot. A task
// runs as long as it did, wherever it starts. A job comes at its recorded time. The cluster does not
// change, except for queue states. Usage is slots multiplied by time.
//
// Its files:
//   - record.go: a Record is what happened in a period
//   - moment.go: the differences between two snapshots
//   - play.go: plays the period under a policy
//   - outcome.go: an Outcome is the result of a period
//   - grid.go: ParseGrid reads the policies to try
package replay
