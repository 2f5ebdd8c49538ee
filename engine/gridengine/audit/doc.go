// Package audit holds every number of the last scheduler run before a snapshot against what the master itself printed, digit for digit.
//
// It excuses a number only by what the bundle shows: each excuse names the file that tells, and is checked against that file where the
// bundle has it. What ended since the run is taken from the accounting file, an earlier snapshot and qstat -j (revive.go), a -p that was
// changed since from the printed npprior (altered.go), what was altered, held, released or deleted since from an earlier snapshot of after
// the run (undone.go), the order of altered jobs from the tickets of equal ones (reordered.go), and numbers
// of the run before from an earlier snapshot (earlier.go). All else is unexplained.
//
// The way from a bundle to an audit:
//
//  1. importer.Open gives an fs.FS; gridengine.Read makes a model.Snapshot of it. What the bundle lacks, what no parser knows and what
//     was left out is part of the snapshot.
//  2. lastrun.Moments infers the second of the last scheduler run: the schedule file, time stamps on usage, contributions that grow with
//     time, the scheduler's messages.
//  3. split.Jobs turns the clock back: tasks that started in that run were still waiting. Jobs come in the order in which the
//     scheduler's mirror holds them, by their last change.
//  4. urgency.Compute, ticket.Distribute, priority.Compute: the priority phase, in the master's own order of operations. Sums are never
//     reordered, because the last bit can decide a tie.
//  5. lastrun.View adds what the master then shows: it stores less than it computes. A task that was just started keeps numbers of the
//     run before, held jobs are cleared, suspended ones frozen.
//  6. Every number that the master printed is compared as printed. A difference is *stale*, *input missing* or *unexplained*.
//  7. The audit excuses a number only by what a file shows: tasks that ended since the run (accounting, --before, the finished tasks of
//     qstat -j) are put back before it computes; a number of the run before must be that of the bundle before, where it is given; a
//     changed -p must show in npprior; altered jobs (JB_version, or a -p, -js or -ar) may have changed places in the list where all
//     tickets then agree; a last digit may be of usage that no command prints whole, by a bound that follows from the tree; and where
//     the messages file tells of several runs in the second of the snapshot, zeros may be of none. All else is *unexplained*.
//
// # Files
//
//   - altered.go: alteredSince are the jobs whose -p was changed after the run, with the one that they had in it
//   - audit.go: Options say how to audit
//   - earlier.go: Earlier is what a snapshot that was taken between the two last runs shows of the first of these
//   - gap.go: A Gap is an input that the bundle lacks, and what that costs
//   - reordered.go: reordered is the report with the altered jobs where the printed tickets put them, nil where that leaves any number
//     unexplained
//   - revive.go: revivals are the snapshot as it may have been for the run
//   - rounded.go: rounded reports whether a number of the share tree differs by no more than what usage lacks in print
//   - rushed.go: runsAround counts the runs that ended in the second in which the snapshot was taken
//   - undone.go: undone is a snapshot without what was done to its jobs since one before that was taken after the run, too
package audit
