// Package utilization books amounts of a resource over time, as the resource utilization diagram of Grid
// Engine's scheduler does. It counts whole seconds, so it finds later starts at the same moments as the
// scheduler.
//
// Its files:
//   - seconds.go: moments and durations in the scheduler's seconds
//   - diagram.go: Diagram is the amount in use over time: bookings, the maximum in a window, the first gap
package utilization
