// Package simulate plays cycles of the PBS scheduler forward in virtual time. It plans a cycle with package
// cycle, carries it out on a copy of the cluster, and goes on to the next event.
//
//   - forecast.go: Forecast plans cycle after cycle until all jobs have started
//   - cluster.go: a Cluster is a snapshot on which plans are carried out
//   - booked.go: running and planned jobs as bookings of processors
package simulate
