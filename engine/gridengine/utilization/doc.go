// Package utilization records how much of a resource is booked at each time. Grid Engine's scheduler keeps
// the same data in its resource utilization diagram. All times are in whole seconds, as in the scheduler. So
// the package finds the same start times as the scheduler.
//
// Its files:
//   - seconds.go: moments and durations in the scheduler's seconds
//   - diagram.go: Diagram is the amount in use over time: bookings, the maximum in a window, the first gap
package utilization
