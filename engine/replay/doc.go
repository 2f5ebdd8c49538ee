// Package replay plays a recorded period again under a policy: which jobs would have waited, how long and
// why, and who would have got which usage.
//
// A Record comes from snapshots and accounting: when each job came, how long each task ran, which jobs were
// altered or withdrawn. A replay starts at the first snapshot, and makes a scheduler run at the moment of
// each. Tasks keep their length wherever they start, and jobs come at their recorded time. The cluster stays
// that of the first snapshot, except for queue states. Usage grows by slots and time.
//
// Its files:
//   - record.go: a Record is what happened in a period
//   - moment.go: the differences between two snapshots
//   - play.go: plays the period under a policy
//   - outcome.go: an Outcome is the result of a period
//   - grid.go: ParseGrid reads the policies to try
package replay
