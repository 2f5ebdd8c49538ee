// Package load reads a snapshot into a cluster.World. The package reads the objects in the same order as the
// PBS scheduler: the policy, the server, the vnodes, the queues, the jobs, and the reservations. It reads all
// jobs of one queue before the jobs of the next queue. If two objects are equally good, the scheduler chooses
// the object that it read first. The order of reading also determines the index of each resource in
// resource.Table.
//
// Its files:
//   - load.go: Read, with server and queues, sums and the first calendar
//   - vnodes.go: vnodes and their hosts
//   - jobs.go: jobs, how long they keep their vnodes, and when they were preempted
//   - reservations.go: reservations, and each occurrence of standing ones
package load
