// Package parallel finds slots for a parallel job, now or at a later time. The package chooses the parallel
// environment and the number of slots, as sge_pe(5) and PE_RANGE_ALG of sched_conf(5) define.
//
// Its steps:
//
//  1. AssignParallel tries each parallel environment whose name matches the job's request, such as "mpi*".
//     For a start now, it chooses the parallel environment in which the job gets the most slots. For a
//     reservation, the first parallel environment that fits decides the start time. AssignParallel tries the
//     other parallel environments only at this start time (rule D13).
//  2. For a start now, the package searches for the largest possible number of slots in the job's range.
//  3. For a reservation, the package considers only two kinds of bookings: bookings of slots, and bookings of
//     consumables that the job requests (rule D12). The package tries the times at which such a booking
//     begins or ends. It tries the latest time first, and then goes backward in time. At each time, it tries
//     the smallest number of slots in the job's range. If the job does not fit at a time, the package stops,
//     and tries no earlier time. Before this time, there can be a gap between bookings. The package does not
//     find this gap, even if the job fits into it (rule D11). The start time is the earliest of the tried
//     times at which the job fits. Then the package looks for the largest number of slots that are free at
//     the start time.
//  4. In steps 1 to 3, a try tests whether N slots are free at a time T. A try collects slots
//     host by host, as the allocation rule of the parallel environment defines.
//
// Its files:
//   - parallel.go: the choice of the parallel environment; one try: list hosts, visit them, collect slots
//   - slots.go: the slots that a resource, a layer and the quotas leave
//   - threshold.go: the slots that the load thresholds of a host leave
//   - master.go: the place of the master task, and requests for it only (-scope)
//   - harvest.go: takes slots from the queue instances of one host
//   - skip.go: hosts and queues that an exhausted quota rule removes from the rest of a try
//   - range.go: which numbers of slots in a range a search tries, and in which order
//   - weights.go: chooses how to search a range, by the costs of earlier searches
//   - reserve.go: the start times that a search tries for a reservation
//   - sweep.go: the slots of all hosts at each moment, so that most moments need no try
//   - shortage.go: why there are too few slots
package parallel
