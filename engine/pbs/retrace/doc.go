// Package retrace recomputes a recorded PBS cycle, and compares it with the scheduler's log, the accounting
// file and pbsfs(8B). The comparison includes formula values, job order, starts, vnodes, reasons, predicted
// starts and the fairshare tree.
//
// Its steps:
//
//  1. The package computes the possible states of the cluster at the start of the cycle. To get these states,
//     it applies the accounting records to an earlier snapshot, or undoes these records in a later snapshot.
//  2. The package plans the cycle from each possible state, the most likely state first, until the plan
//     agrees with the log.
//  3. If no plan agrees, the package guesses facts that are in no file, and tries the possible values. The
//     scheduler may already have charged a part of the usage of a running job: the package guesses this part.
//     It also guesses whether a job ended just before the cycle. Some jobs are only in the accounting file,
//     which has no priorities. The package also guesses the priorities of these jobs. The report names the
//     guessed facts.
//  4. If no plan agrees with the log in full, the package takes the plan with the fewest differences. The
//     report calls a difference "input missing" only if a missing fact about a job can cause the difference
//     (doubt.go). A missing fact about a job can change the decisions about this job, and about all jobs that
//     the cycle tries after this job.
//
// Its files:
//   - retrace.go: Run recomputes a cycle from each possible state, the likeliest first
//   - state.go: the state at the start of the cycle, from a snapshot before the cycle
//   - takenback.go: the same state, from a snapshot after the cycle
//   - complete.go: adds facts from a snapshot after the cycle to an earlier state
//   - second.go: which records in the first second of the cycle came before the cycle
//   - job.go: jobs from accounting records
//   - settle.go: sums that follow from jobs and reservations, such as assigned amounts
//   - trial.go, variants.go, charges.go: other possible states
//   - side.go: decisions of a cycle, from the log and from the plan
//   - compare.go, doubt.go: the differences, and the missing information that can explain them
//   - gap.go: the compared fields; the files that a bundle lacks, and the fields that need them
//   - tree.go: the fairshare tree and the output of pbsfs
//   - recorded.go: a recorded cycle as a plan
package retrace
