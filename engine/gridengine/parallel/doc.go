// Package parallel finds slots for a parallel job: in one of its parallel environments, in the numbers of
// its range, now or at the first time at which they are free. It follows sge_pe(5), and PE_RANGE_ALG of
// sched_conf(5).
//
// Assign tries each parallel environment that the job names. For a start it looks for the most slots of the
// range; for a reservation for the time at which the least number is free, and then for the most at that
// time. Each try of one number at one moment collects slots host by host, by the allocation rule.
//
//   - parallel.go: the choice of the parallel environment, and one try: hosts are listed, visited, and
//     their slots collected
//   - slots.go: how many slots a resource, a layer and the quotas leave
//   - threshold.go: how many slots the load thresholds of a host leave
//   - master.go: where the master task goes, and requests of it alone (-scope)
//   - harvest.go: slots are taken from the queue instances of one host
//   - skip.go: what a used up quota rule takes out of the rest of a try
//   - range.go: which numbers of a range are tried, and in which order
//   - weights.go: what earlier searches of ranges cost decides the next way through a range
//   - reserve.go: the moments that are tried for a reservation
//   - sweep.go: how many slots all hosts have at each moment, so that most moments need no try
//   - shortage.go: why there are too few slots
package parallel
