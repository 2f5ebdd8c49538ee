// Package forecast predicts when every waiting task starts if no user submits another job. For this
// prediction, it simulates the later scheduler runs.
//
// Its steps:
//
//  1. Plan a scheduler run on a copy of the snapshot, and start the planned jobs in this copy.
//  2. Move the time to the next run. If this run started a task, the next run is schedule_interval later
//     (sched_conf(5)). As long as job_load_adjustments count for a new task (load_adjustment_decay_time), the
//     next run is also schedule_interval later. In all other cases, and always if no slot is free, skip the runs
//     before the next event. An event is the end of a task, a change by a calendar, the start or end of an
//     advance reservation, or the start time of a job (-a). The forecast assumes that the skipped runs start
//     no task, although prio changes with time.
//  3. If flush_finish_sec is set, the end of a task can make the next run come sooner. The run then comes at
//     most flush_finish_sec after the scheduler knows of the end.
//  4. End the tasks whose run time is over, and go back to step 1.
//
// Its files:
//
//   - forecast.go: Run simulates the scheduler runs; a Forecast has the start of each task
//   - apply.go: a Cluster is a copy of the snapshot in which planned jobs start and ended jobs leave
//   - runtime.go: a Clock says how long tasks run
//   - meter.go: adds the usage of running tasks to the share tree
//   - history.go: a History has run times of ended tasks
//   - suspend.go: tasks that a queue or calendar suspends
//   - booked.go: all bookings of a plan, for diagrams
package forecast
