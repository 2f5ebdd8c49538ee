// Package retrace recomputes a recorded PBS cycle, and compares it with the scheduler's log, the accounting
// file and pbsfs(8B). It compares formula values, job order, starts, vnodes, reasons, predicted starts and
// the fairshare tree.
//
// Its steps:
//
//  1. Compute the state of the cluster at the start of the cycle. For this, play accounting records forward
//     from an earlier snapshot, or undo them from a later one.
//  2. Try each possible state, the likeliest first, until the plan agrees with the log.
//  3. If no state agrees, vary facts that no file contains, within their bounds. Such facts are charges of running
//     jobs, a priority behind a formula value, and a job that ended in the same second. The report names
//     the assumptions.
//  4. If still no state agrees in full, take the state with the fewest differences. A difference is "input
//     missing" only if a missing fact about some job can cause it (doubt.go). A missing fact
//     affects that job, and the decisions after it.
//
// Its files:
//   - retrace.go: Run recomputes a cycle from each possible state, the likeliest first
//   - state.go: the state at the start of the cycle, from a snapshot before it
//   - takenback.go: the same, from a snapshot after it
//   - complete.go: facts from a snapshot after the cycle
//   - second.go: which records of the cycle's first second came before it
//   - job.go: jobs from accounting records
//   - settle.go: sums that follow from jobs and reservations, such as assigned amounts
//   - trial.go, variants.go, charges.go: other possible states
//   - side.go: decisions of a cycle, from the log and from the plan
//   - compare.go, doubt.go: the differences, and the missing information that can explain them
//   - gap.go: the compared fields, and what a bundle lacks for them
//   - tree.go: the fairshare tree and the output of pbsfs
//   - recorded.go: a recorded cycle as a plan
package retrace
