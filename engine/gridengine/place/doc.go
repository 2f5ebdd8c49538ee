// Package place searches for a place where one task can run at a moment, by queue_conf(5), host_conf(5),
// complex(5) and sge_resource_quota(5). It has the checks that all searches share, and the search for a
// sequential job. Package parallel searches for jobs with several slots.
//
// An Attempt is the search for one task. Its steps:
//
//  1. Check that the global host has enough.
//  2. For each queue instance in order, check that resource quotas allow the task, and what depends on neither
//     time nor load: access lists, projects, queue lists, parallel environments and forced attributes. For a
//     start, the run checks this once for each category of several jobs.
//  3. Check that the host and the queue instance have enough.
//  4. For a sequential job, take one slot of the best queue instance: for a start the first one, or the one
//     that breaks the fewest soft requests; for a reservation the one that is free first.
//
// Its files:
//   - attempt.go: Run is the state that searches share; Attempt is the search for one task, with its
//     reasons
//   - order.go: the order of hosts and queue instances, queue_sort_method
//   - static.go: checks of a host and a queue instance that hold at any time
//   - clusterqueue.go: checks of a cluster queue as a whole
//   - fit.go: whether a layer has enough for the requests, or from when
//   - quota.go: whether resource quotas allow it, sge_resource_quota(5)
//   - advance.go: free resources of an advance reservation, for jobs that name it
//   - sequential.go: the search for a job of one slot
//   - barrier.go: reasons that keep a job out of a queue instance for ever
//   - tied.go: queue instances that were as good as the chosen one
package place
