// Package utilization records how much of a resource is booked at each time. Grid Engine's scheduler has
// the same record, its resource utilization diagram. The package counts in whole seconds, as the scheduler
// does. So the package finds the same start times as the scheduler.
//
// Its files:
//   - seconds.go: moments and durations in the scheduler's seconds
//   - diagram.go: Diagram is the amount in use over time: bookings, the maximum in a window, the first gap
package utilization
