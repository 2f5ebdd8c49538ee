// Package forecast plays scheduler runs forward in virtual time: what a run starts ends after its time, and makes room
// for the next. It says when every waiting task would start if nothing else were submitted.
//
// A forecast carries a plan out on a copy of the snapshot, ends tasks when their time is over, and plans again at the next interval, or
// sooner after flush_finish_sec.
//
// # Files
//
//   - apply.go: Apply carries out what a plan starts, in its order
//   - booked.go: Booked is a plan with all that can be known of its bookings
//   - forecast.go: A Forecast is what the runs started
//   - history.go: A History knows how long tasks that have ended ran
//   - runtime.go: A Clock says how long tasks run
//   - suspend.go: suspended are the letters of a queue instance whose tasks stand still
package forecast
