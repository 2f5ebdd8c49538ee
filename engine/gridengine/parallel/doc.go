// Package parallel finds slots for a parallel job, now or at a later time. It chooses the parallel
// environment and the number of slots of a range. It follows sge_pe(5), and PE_RANGE_ALG of sched_conf(5).
//
// Assign tries each parallel environment that the job names. For a start it looks for the most slots of the
// range. For a reservation it first looks for the earliest time with the least number of slots, then for the
// most slots at that time. A try is for one number of slots at one moment. It collects slots host by host, by
// the allocation rule.
//
//   - parallel.go: the choice of the parallel environment; one try: list hosts, visit them, collect slots
//   - slots.go: the slots that a resource, a layer and the quotas leave
//   - threshold.go: the slots that the load thresholds of a host leave
//   - master.go: the place of the master task, and requests for it only (-scope)
//   - harvest.go: takes slots from the queue instances of one host
//   - skip.go: hosts and queues that a used up quota rule removes from the rest of a try
//   - range.go: which numbers of a range are tried, in which order
//   - weights.go: costs of earlier searches choose the next way through a range
//   - reserve.go: the moments that are tried for a reservation
//   - sweep.go: the slots of all hosts at each moment, so that most moments need no try
//   - shortage.go: why there are too few slots
package parallel
