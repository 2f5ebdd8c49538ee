// Package forecast predicts when every waiting task starts if no user submits a job. It plays scheduler
// runs forward in virtual time.
//
// Its steps:
//
//  1. Plan a run on a copy of the snapshot, and carry out the plan.
//  2. Let time pass until schedule_interval is over, or flush_finish_sec after a task has ended
//     (sched_conf(5)).
//  3. End the tasks whose time is over, and repeat from step 1.
//
// Its files:
//
//   - forecast.go: Run plays the runs; a Forecast has their starts
//   - apply.go: a Cluster carries out plans
//   - runtime.go: a Clock says how long tasks run
//   - meter.go: what running tasks use is charged to the share tree
//   - history.go: a History has run times of ended tasks
//   - suspend.go: tasks that a queue or calendar suspends
//   - booked.go: the bookings of a plan, for pictures
package forecast
