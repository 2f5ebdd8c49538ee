// Package utilization books amounts of a resource over time, in whole seconds. It works like the resource
// utilization diagram of Grid Engine's scheduler, so later starts are found at the same moments.
//
//   - seconds.go: moments and durations in the scheduler's seconds
//   - diagram.go: Diagram is the amount in use over time: bookings, the maximum in a window, the first gap
package utilization
