// Package load reads a snapshot into a cluster.World, in the order in which the PBS scheduler reads its
// cluster: policy, server, vnodes, queues, jobs queue by queue, reservations. The order matters: it breaks
// ties, and it numbers resources.
//
//   - load.go: Read, with server and queues, sums and the first calendar
//   - vnodes.go: vnodes and their hosts
//   - jobs.go: jobs, from when to when they have their vnodes, and when they were preempted
//   - reservations.go: reservations, and each occurrence of standing ones
package load
