// Package place searches for a place where one task can run at a moment, by queue_conf(5), host_conf(5),
// complex(5) and sge_resource_quota(5). It has the checks that all searches share, and the search for a
// sequential job. Package parallel searches for jobs with several slots.
//
// An Attempt is the search for one task. Its steps:
//
//  1. Check once for each category what depends on neither time nor load: access lists, projects, queue
//     lists, parallel environments and forced attributes.
//  2. Check that each layer has enough: the global host, the host and the queue instance.
//  3. Check that resource quotas allow the task.
//  4. For a sequential job, take one slot of the best queue instance.
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
