// Package parallel finds slots for a parallel job, now or at a later time. It chooses the parallel
// environment and the number of slots, by sge_pe(5) and by PE_RANGE_ALG of sched_conf(5).
//
// Its steps:
//
//  1. AssignParallel tries each parallel environment that the job names.
//  2. For a start, it searches for the most slots of the job's range.
//  3. For a reservation, it starts when all bookings have ended, and goes back until the fewest slots of the
//     range no longer fit. Therefore the scheduler misses earlier gaps (rule D11). Then it searches for the
//     most slots at that time.
//  4. Each try is for one number of slots at one moment. It collects slots host by host, by the allocation
//     rule.
//
// Its files:
//   - parallel.go: the choice of the parallel environment; one try: list hosts, visit them, collect slots
//   - slots.go: the slots that a resource, a layer and the quotas leave
//   - threshold.go: the slots that the load thresholds of a host leave
//   - master.go: the place of the master task, and requests for it only (-scope)
//   - harvest.go: takes slots from the queue instances of one host
//   - skip.go: hosts and queues that an exhausted quota rule removes from the rest of a try
//   - range.go: which numbers of a range are tried, in which order
//   - weights.go: costs of earlier searches choose the next way through a range
//   - reserve.go: the moments that are tried for a reservation
//   - sweep.go: the slots of all hosts at each moment, so that most moments need no try
//   - shortage.go: why there are too few slots
package parallel
