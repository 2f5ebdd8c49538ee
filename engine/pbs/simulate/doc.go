// Package simulate simulates cycles of the PBS scheduler in virtual time. It plans a cycle with package
// engine/pbs/cycle, and starts the planned jobs in a copy of the snapshot. Then it moves the time to the next
// event, such as the end of a job, and plans the next cycle.
//
// Its files:
//   - forecast.go: Forecast plans cycle after cycle until all jobs have started
//   - cluster.go: a Cluster is a copy of a snapshot in which planned jobs start and running jobs end
//   - booked.go: running and planned jobs as bookings of processors
package simulate
