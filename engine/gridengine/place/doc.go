// Package place finds a place for one task at a moment: what every search checks, and the search for a
// sequential job.
//
// An Attempt is the search for one task. Checks that depend on neither time nor load come first, and are
// made once for a category: access lists, projects, queue lists, parallel environments, forced attributes.
// Then each layer is asked whether it has enough, from the cluster as a whole down to the queue instance,
// and resource quotas are counted. A sequential job takes one slot of the best queue instance. Jobs of
// several slots are the work of package parallel.
//
//   - attempt.go: Run is what all searches of a run share; Attempt is the search for one task, with its
//     reasons
//   - order.go: the order in which hosts and queue instances are tried, queue_sort_method
//   - static.go: checks of a host and a queue instance that hold at any time
//   - clusterqueue.go: checks of a cluster queue as a whole
//   - fit.go: whether a layer has enough of what the job asks for, or when it will
//   - quota.go: whether resource quotas allow it, sge_resource_quota(5)
//   - advance.go: what an advance reservation has left for the jobs that name it
//   - sequential.go: the search through the queue instances for a job of one slot
//   - barrier.go: what keeps a job out of a queue instance for good
//   - tied.go: queue instances that were as good as the one that was taken
package place
