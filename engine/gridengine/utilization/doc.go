// Package utilization books amounts of a resource over time, in whole seconds, as the resource utilization diagram of
// Grid Engine's scheduler does.
//
//   - seconds.go: moments and durations in the scheduler's seconds
//   - diagram.go: Diagram is the amount in use over time: what is booked, the most in a time, and the first gap
package utilization
