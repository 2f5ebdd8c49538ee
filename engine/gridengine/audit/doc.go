// Package audit recomputes the last scheduler run before a snapshot, and compares each number with the
// master's, digit by digit. Every difference is in one of three classes:
//
//   - stale: the master printed the number of an earlier run
//   - input missing: the bundle lacks a file; the audit names it
//   - unexplained: all else
//
// Its steps:
//
// 1. lastrun.Moments infers the second in which the run took place. 2. split.Jobs turns the clock back: tasks
// that started in that run wait again. 3. urgency.Compute, ticket.Distribute and priority.Compute repeat the
// run's sums in the master's order of
//
//	operations. The last bit can decide a tie.
//
// 4. lastrun.View adds what the master shows afterwards. It stores less than it computes. 5. Each printed
// number is compared in its printed form. 6. A difference is excused only if a file shows the cause. If the
// bundle has that file, the audit checks it.
//
// # Files
//
//   - audit.go: Run, and the report
//   - revive.go: puts back tasks that ended since the run (accounting, an earlier snapshot, finished tasks of qstat -j)
//   - altered.go: finds a -p that changed since the run; the printed npprior still has the old one
//   - undone.go: takes back alterations, holds, releases and deletions since the run, by an earlier snapshot
//   - reordered.go: moves jobs altered since (JB_version, -p, -js, -ar) in the list, if all tickets then agree
//   - earlier.go: numbers of the run before, from an earlier snapshot
//   - rounded.go: last digits that depend on usage no command prints in full
//   - rushed.go: several runs in the second of the snapshot; zeros may belong to none of them
//   - gap.go: a Gap is an input that the bundle lacks, and the fields that this affects
package audit
