// Package replay plays a recorded period again under a policy: what would have waited, for how long and for what, and who would have got
// what.
//
// A Record is gathered from snapshots and accounting: when each job came, how long each task ran, what was altered or withdrawn. A
// replay begins with the first snapshot, and makes a run of the scheduler at the moment of each. What ran keeps its length, wherever it
// starts; jobs come when they came. The cluster stays that of the first snapshot but for the states of queue instances; usage grows by
// slots and time.
//
// Its files:
//   - record.go: A Record is what happened in a period
//   - moment.go: A moment is what a snapshot tells that the one before did not
//   - play.go: A play is a period under a policy
//   - outcome.go: An Outcome is what came of a period
//   - grid.go: A Grid is policies to be tried
package replay
