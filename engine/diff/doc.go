// Package diff holds the order in which jobs were expected to start against the one in which they did, and
// finds for each pair that came the other way round why it did.
//
// The steps of Compare:
//
//   - What started between two snapshots is gathered from all that tells of it: the schedule file or the
//     scheduler's log, the reporting file, start times, accounting (observe), and split into scheduler runs
//     (step).
//   - The state of the cluster before each run is made of the earlier snapshot: what had ended by then has,
//     what earlier runs started runs (state).
//   - Expected is the order in which the run tries the tasks, what its plan starts, or what a forecast does
//     (ranking, foreseen).
//   - The two orders are compared in figures, and pair by pair: the run is planned again, which says why
//     the one had to wait (cause), whether it would have without a quirk of the release (quirk), and what
//     changed since the prediction (change).
//
// Its files:
//   - diff.go: A Task is one task of a job
//   - cause.go: A Cause says why of two tasks the one that was expected later started first
//   - change.go: ifAltered looks whether what was done to one of the two tasks at some time between the two
//     snapshots turns them round, if it was done before the run
//   - figures.go: Figures say in numbers how two orders compare
//   - foreseen.go: A foresight is a forecast that is held against what happened
//   - id.go: taskOf reads the id of a PBS job
//   - memory.go: A memory is what a PBS scheduler knew after the last cycle before a step
//   - observe.go: observe gathers what started between two snapshots, by time
//   - passed.go: A Bypass is a task that started in a run before others that were expected first, and why
//     these had to wait
//   - quirk.go: quirk finds the quirk of the release without which the run does not start the early task
//     and let the late one wait
//   - ranking.go: ranking lists the waiting tasks of a snapshot in the order in which a run at a moment
//     tries them
//   - recorded.go: recorded is why a task waited by what the scheduler recorded of the run
//   - series.go: A Series compares the runs between snapshots that come one after the other
//   - since.go: settle finds the state that the run had
//   - standing.go: A standing is an order in which a task's place is found at once
//   - state.go: stateBefore is the state that a run finds
//   - step.go: A step is one scheduler run between two snapshots
package diff
