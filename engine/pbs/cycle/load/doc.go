// Package load reads a snapshot into a cluster.World. The package reads objects in the same order as the
// PBS scheduler: policy, server, vnodes, queues, jobs queue by queue, reservations. The order of reading
// decides between equally good choices. It also decides the number of each resource (package resource).
//
// Its files:
//   - load.go: Read, with server and queues, sums and the first calendar
//   - vnodes.go: vnodes and their hosts
//   - jobs.go: jobs, how long they keep their vnodes, and when they were preempted
//   - reservations.go: reservations, and each occurrence of standing ones
package load
