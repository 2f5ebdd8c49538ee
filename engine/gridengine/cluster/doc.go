// Package cluster builds the scheduler's copy of the cluster for one run: the resources, the running tasks,
// and the requests of jobs. The package follows queue_conf(5), host_conf(5), sge_pe(5),
// sge_resource_quota(5) and qrsub(1).
//
// A Cluster has several lists of resources (Layers). The global host has a list. Each host, queue instance,
// parallel environment, quota rule and advance reservation has its own list. Each running task reduces the
// free amounts of resources, until the expected end of the task. Calendars, thresholds and states can close
// queue instances.
//
// Files for places:
//   - cluster.go: Cluster, its hosts and its queue instances
//   - pe.go: PE is a parallel environment with its allocation rule
//   - quota.go: QuotaSet is an enabled resource quota set; Counter counts the usage under one quota rule
//   - advance.go, granted.go: Advance is an advance reservation; its slots, if no command prints them
//
// Files for requests:
//   - category.go: Category has the jobs with the same requests
//   - eligibility.go: Eligibility says where the configuration allows a category
//   - scopes.go: requests that apply to the master task only, or to the other tasks only (-scope)
//
// Files for running tasks and open queues:
//   - running.go: RunningTask is a task that has slots
//   - debit.go: subtracts a task's requests from the layers of its places
//   - calendar.go: when calendars close queue instances
//   - load.go: ranks the hosts by load, corrected for jobs that started recently
//   - threshold.go: load_thresholds and suspend_thresholds
//   - open.go: which queue instances can start jobs, or only get reservations
//   - reasons.go: why a queue instance is closed
package cluster
