// Package diff compares two orders: the order in which jobs were expected to start, and the order in which
// they started. It also finds the cause of each inversion. An inversion is a pair of tasks that did not start
// in the expected order.
//
// The steps of Compare:
//
//  1. observe.go finds the jobs that started between two snapshots. It reads these jobs from the schedule
//     file (PBS: the scheduler log), the reporting file, the later snapshot and the accounting file. step.go
//     finds the scheduler run that started each job.
//  2. state.go computes the state of the cluster before each run, from the earlier of the two snapshots.
//  3. ranking.go and foreseen.go compute the expected order of starts. It follows the dispatch order, a plan or
//     a forecast.
//  4. figures.go measures how much the expected order differs from the order in which the jobs started.
//  5. The two tasks of an inversion are called early and late. These names follow the order of the real
//     starts: the early task started first. In the expected order, the late task was first. For each
//     inversion, the package uses a new plan of one scheduler run: the run in which the early task started.
//     cause.go says why the late task had to wait. quirk.go says whether undocumented behavior of the release
//     (a quirk) caused the inversion. If the expected order is a prediction, a change in the cluster after
//     the prediction can be the cause. change.go finds this change.
//
// Its other files:
//   - diff.go: Compare, its Options, and a Run; id.go: ids of PBS jobs
//   - series.go: a Series compares the runs between consecutive snapshots
//   - memory.go: the usage that a PBS scheduler knew before a run, but had not yet written to a file
//   - since.go: which of the changes between the two snapshots happened before the run
//   - recorded.go: causes that the scheduler itself recorded
//   - passed.go: a Bypass is a task that started before tasks that were expected first; it says why those
//     tasks waited
//   - standing.go: an order in which a task's place is found quickly
package diff
