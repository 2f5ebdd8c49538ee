// Package lastrun recomputes the last scheduler run before a snapshot. The package finds the time of this run
// and the numbers that the run computed. The master does not store all numbers of a run. So for some tasks,
// the master later shows numbers that this run did not compute. For example, it shows numbers of an earlier
// run. For each number that the master shows, such as the prio of a task, the package also decides whether
// this run computed it.
//
// Files for the time of the run:
//   - moment.go: finds the time of the run (a Moment) from the schedule file, the numbers and start times
//     of jobs, or the scheduler's messages
//   - traced.go: the time of the run for releases whose messages have times in microseconds
//   - fraction.go: the fraction of a second, for such releases
//   - later.go: jobs that users submitted in the same second, but after the run
//   - begun.go: tasks that an earlier run of the same second started
//   - look.go: Look chooses the time for which the most printed numbers agree
//
// Files for the run:
//   - view.go: a View is a recomputed run; a Row is one task of it
//   - input.go: the inputs of the run
//   - order.go: the order of altered jobs, from the printed tickets
//   - replay.go: repeats the starts of the run, in dispatch order
//   - userlimit.go: maxujobs, sched_conf(5)
//   - cleared.go: whether the run set the numbers of waiting jobs to 0 (report_pjob_tickets)
//
// Files for the comparison:
//   - field.go: a Field is a number that the master prints for a task
//   - agreement.go: counts the printed numbers that equal the recomputed ones
package lastrun
