// Package diff compares the expected order of job starts with the actual one, and finds the cause of each
// inversion.
//
// The steps of Compare:
//
//  1. observe.go gathers the starts between two snapshots. The starts come from the schedule file or
//     scheduler log, the reporting file, start times and accounting. step.go divides the starts into
//     scheduler runs.
//  2. state.go computes the state of the cluster before each run, from the earlier snapshot.
//  3. ranking.go and foreseen.go compute the expected order, from the dispatch order, a plan or a forecast.
//  4. figures.go measures how much the two orders differ.
//  5. For each inversion, the package plans the run again. cause.go says why the late task waited. quirk.go
//     says whether undocumented behavior of the release (a quirk) caused the inversion. change.go lists the changes in the cluster
//     since the prediction.
//
// Its other files:
//   - diff.go: Compare, its Options, and a Run; id.go: ids of PBS jobs
//   - series.go: a Series compares one snapshot after the other
//   - memory.go: what a PBS scheduler remembered before a step
//   - since.go: the changes between the snapshot and the run
//   - recorded.go: causes that the scheduler itself recorded
//   - passed.go: a Bypass is a task that started before others, and why these had to wait
//   - standing.go: an order with fast access to a task's place
package diff
