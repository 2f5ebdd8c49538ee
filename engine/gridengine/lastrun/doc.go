// Package lastrun recomputes the last scheduler run before a snapshot was taken: when it was, what it computed, and what the master
// shows of it afterwards.
//
// Its files:
//   - agreement.go: An Agreement counts the printed numbers that a view gives back
//   - cleared.go: clearedWaiting reports whether the run cleared what the master shows of all jobs that wait, as the first run does that
//     finds report_pjob_tickets off in a changed configuration
//   - field.go: A Field is one of the numbers that the master prints of a task
//   - fraction.go: A fractions is what printed contributions say of the part of a second in which a run that counts microseconds took
//     place
//   - input.go: Input is what the view's run computes from
//   - later.go: mostLater bounds the jobs of one second that are tried as the first one after the run
//   - look.go: Look recomputes the last run of a snapshot, at the moment that fits it best
//   - moment.go: A Moment is when the last scheduler run before the snapshot took place, to the second
//   - order.go: Ordered is the view with the jobs in the order that the printed tickets imply, where more numbers come out so
//   - replay.go: replay goes through the starts of the run in dispatch order, to know what each task had when it started and what stands
//     for a job's waiting tasks afterwards
//   - traced.go: tracedMoments are the last runs of a release whose messages count microseconds, the latest first
//   - userlimit.go: A userLimit is maxujobs, sched_conf(5)
//   - view.go: A View is one scheduler run recomputed from the snapshot that was taken after it
package lastrun
