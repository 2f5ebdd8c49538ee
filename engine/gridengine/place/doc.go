// Package place finds a place for one task at a moment. It has the checks of every search, and the search for
// a sequential job. Package parallel searches for jobs of several slots.
//
// An Attempt is the search for one task. Its steps:
//
// 1. Checks that depend on neither time nor load, once for a category: access lists, projects, queue lists,
// parallel
//
//	environments, forced attributes.
//
// 2. Each layer must have enough: the global host, the host, the queue instance. 3. Resource quotas must
// allow it. 4. A sequential job takes one slot of the best queue instance.
//
// Its files:
//   - attempt.go: Run is the state that searches share; Attempt is the search for one task, with its reasons
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
