// Package schedule plans one scheduler run of Grid Engine: which tasks start and where, which ones get a
// reservation and when, and why the others wait. It follows sched_conf(5), down to the quirks of the
// release.
//
// Dispatch has the steps of a run. Each step has its package:
//
//   - The cluster is copied, running tasks are debited and booked, and queue instances are closed (package
//     cluster, which books with package utilization).
//   - The order in which the scheduler holds things comes from earlier runs (package memory).
//   - Jobs are tried in the order of their priorities, an array task by task. Jobs that ask for the same
//     are of one category; once one of them fails, the others are not tried.
//   - An attempt looks for a place now and, for a job with -R y, for a later time (package place; for jobs
//     of several slots package parallel).
//   - What was found is booked. Queue instances that it fills, suspends or overloads are closed.
//   - What does not start keeps its reasons as data: kind, level, object, what was asked and offered, and
//     whether time helps.
//
// # A run, and one after the other
//
//   - schedule.go: Run plans a run, by Options; Dispatch does so with known priorities
//   - runs.go: Runs plans one run after the other
//   - pending.go: the jobs that wait, in dispatch order
//   - dispatch.go: the pending jobs are tried one by one
//   - search.go: one job is tried now, then for a reservation
//   - book.go: what was found is booked, and full queue instances are closed
//
// # Why others wait
//
//   - explain.go: why a job was not tried, or not reserved for
//   - binding.go: a note on jobs that ask to be tied to processors
//   - gate.go: Gate knows which queue instances never take a job, whatever is free there
//   - idle.go: Idle is the cluster with nothing in its way: what does not fit there can never run
package schedule
