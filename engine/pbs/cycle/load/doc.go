// Package load reads a snapshot into a cluster.World. It keeps the order in which the PBS scheduler reads:
// policy, server, vnodes, queues, jobs queue by queue, reservations. This order breaks ties, and gives the
// resources their numbers.
//
// Its files:
//   - load.go: Read, with server and queues, sums and the first calendar
//   - vnodes.go: vnodes and their hosts
//   - jobs.go: jobs, when they have their vnodes, and when they were preempted
//   - reservations.go: reservations, and each occurrence of standing ones
package load
