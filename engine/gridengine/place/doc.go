// Package place searches for a host and queue instance where one task can run, now or later. It follows
// queue_conf(5), host_conf(5), complex(5) and sge_resource_quota(5). The package contains the checks that all
// searches need, and the search for a sequential job. Package engine/gridengine/parallel contains the search
// for a parallel job.
//
// An Attempt is the search for a place for one task. Its steps:
//
//  1. Check that the global host has enough resources.
//  2. For each queue instance, check that resource quotas allow the task. Also check the static conditions,
//     which do not depend on time and load: access lists, projects, queue lists, parallel environments and
//     forced attributes. The jobs of a category have the same requests, and the same rights to use hosts and
//     queues. So the package checks the static conditions for the first job of a category only, and remembers
//     the result for the other jobs.
//  3. Check that the host and the queue instance have enough resources. If a search for a start now fails
//     there, the package remembers the host or the queue instance (Cache). For the rest of the run, searches
//     for a start of other jobs of the category omit these places. The package remembers places only if the
//     category has more than one job (Attempt.Cached).
//  4. For a sequential job, take one slot of the best queue instance. For a start now, the best queue
//     instance is the first that fits. If the job has soft requests, the best queue instance violates the
//     fewest soft requests. For a reservation, the best queue instance is the first that becomes free. The
//     package ignores gaps between bookings (rule D11).
//
// Its files:
//   - attempt.go: Run is the state that searches share; Attempt is the search for one task, with the
//     reasons if it finds no place
//   - order.go: the order of hosts and queue instances, queue_sort_method
//   - static.go: checks of a host and a queue instance that do not depend on time
//   - clusterqueue.go: checks of a cluster queue as a whole
//   - fit.go: whether a layer (a place with resources) has enough for the requests, now or at a later time
//   - quota.go: whether resource quotas allow the task, sge_resource_quota(5)
//   - advance.go: free resources of an advance reservation, for jobs that name it
//   - sequential.go: the search for a job of one slot
//   - barrier.go: reasons that keep a job out of a queue instance for ever
//   - tied.go: queue instances that were as good as the chosen one
package place
