// Package audit recomputes the last scheduler run before a snapshot. The audit compares each recomputed
// number with the number that the master printed, digit by digit. The audit puts every difference into one
// of three classes:
//
//   - stale: the master printed the number of an earlier run
//   - input missing: the bundle lacks a file that is necessary to compute the number; the audit names the
//     file
//   - unexplained: all other differences
//
// Its steps:
//
//  1. lastrun.Moments infers the time of the run, in whole seconds.
//  2. split.Jobs restores the state before the run: tasks that started in this run become waiting tasks
//     again.
//  3. urgency.Compute, ticket.Distribute and priority.Compute repeat the computations of the run. They add
//     numbers in the same order as the master, because the last bit of a sum can decide which of two jobs is
//     first.
//  4. lastrun.View selects the numbers that the master shows after a run. The master computes more numbers
//     than it shows.
//  5. The audit writes each recomputed number in the master's format, and compares it with the printed
//     number.
//  6. The audit calls a difference "stale" or "input missing" only if it finds the cause.
//
// Its files:
//   - audit.go: Run, and the report
//   - revive.go: restores tasks that ended since the run (accounting, an earlier snapshot, finished tasks
//     of qstat -j)
//   - altered.go: finds jobs whose -p changed since the run; their printed npprior still belongs to the old
//     -p
//   - undone.go: undoes alterations, new and released holds, and deletions since the run; the old values come
//     from an earlier snapshot
//   - reordered.go: moves altered jobs (JB_version, -p, -js, -ar) in the scheduler's list, if the printed
//     tickets then agree
//   - earlier.go: numbers of the run before the last run, from an earlier snapshot
//   - rounded.go: last digits that differ because no command prints all digits of the usage
//   - rushed.go: several runs in the second of the snapshot; a printed 0 may then belong to no run, because
//     each run first sets the numbers to 0
//   - gap.go: a Gap is an input that the bundle lacks, and the numbers that need this input
package audit
