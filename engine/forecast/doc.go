// Package forecast plays scheduler runs forward in virtual time, and says when every waiting task starts if
// no job is submitted. It carries out a plan on a copy of the snapshot, ends tasks when their time is over,
// and plans again after schedule_interval, or sooner with flush_finish_sec.
//
// # Files
//
//   - forecast.go: Run plays the runs; a Forecast has their starts
//   - apply.go: a Cluster carries out plans
//   - runtime.go: a Clock says how long tasks run
//   - meter.go: what running tasks use is charged to the share tree
//   - history.go: a History has run times of ended tasks
//   - suspend.go: tasks that a queue or calendar suspends
//   - booked.go: the bookings of a plan, for pictures
package forecast
