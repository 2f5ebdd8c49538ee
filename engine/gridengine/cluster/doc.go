// Package cluster is the scheduler's copy of the cluster in one run: the places, the running tasks, and the
// requests of jobs. Manual pages: queue_conf(5), host_conf(5), sge_pe(5), sge_resource_quota(5), qrsub(1).
//
// A Cluster comes from a snapshot. It has a layer of resources for each place: the global host, hosts, queue
// instances, parallel environments, quota rules, advance reservations. Running tasks are debited now, and
// booked until their expected end. Calendars, thresholds and states close queue instances.
//
// Places:
//   - cluster.go: Cluster, its hosts and its queue instances
//   - pe.go: PE is a parallel environment with its allocation rule
//   - quota.go: QuotaSet is an enabled resource quota set; Counter counts for one rule
//   - advance.go: Advance is an advance reservation
//   - granted.go: the grants of advance reservations, if the snapshot lacks them
//
// Requests:
//   - category.go: Category holds the jobs with the same requests
//   - eligibility.go: Eligibility is where a category may run by configuration; it lasts from run to run
//   - scopes.go: requests of the master task or of the other tasks only (-scope)
//
// Running tasks and open queues:
//   - running.go: RunningTask is a task that has slots
//   - debit.go: what one task takes from the layers of its places
//   - calendar.go: when calendars close queue instances
//   - load.go: load, corrected for jobs that started recently, ranks the hosts
//   - threshold.go: load_thresholds and suspend_thresholds
//   - open.go: which queue instances can start jobs, and which can only get reservations
//   - reasons.go: why a queue instance is closed
package cluster
