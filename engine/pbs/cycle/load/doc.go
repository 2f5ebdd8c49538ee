// Package load reads a snapshot into a cluster.World. The package reads objects in the same order as the
// PBS scheduler: policy, server, vnodes, queues, jobs queue by queue, reservations. The order of reading
// decides between equally good choices, and numbers the resources.
//
// Its files:
//   - load.go: Read, with server and queues, sums and the first calendar
//   - vnodes.go: vnodes and their hosts
//   - jobs.go: jobs, when they have their vnodes, and when they were preempted
//   - reservations.go: reservations, and each occurrence of standing ones
package load
