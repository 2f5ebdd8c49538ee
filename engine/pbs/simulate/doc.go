// Package simulate plays cycles of the PBS scheduler forward in virtual time.
//
//   - forecast.go: Forecast plans cycle after cycle until all jobs have started
//   - cluster.go: a Cluster is a snapshot on which plans are carried out
//   - booked.go: running and planned jobs as bookings of processors
package simulate
