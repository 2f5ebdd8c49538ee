// Package simulate simulates cycles of the PBS scheduler in virtual time. The package plans a cycle with
// package cycle, starts the planned jobs in a copy of the snapshot, and continues with the next event.
//
// Its files:
//   - forecast.go: Forecast plans cycle after cycle until all jobs have started
//   - cluster.go: a Cluster is a copy of a snapshot in which planned jobs start and running jobs end
//   - booked.go: running and planned jobs as bookings of processors
package simulate
