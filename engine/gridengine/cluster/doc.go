// Package cluster is the scheduler's copy of the cluster in one run: what there is, what runs, and what
// jobs ask for.
//
// A Cluster is made from a snapshot. It has layers of resources (package resource): the cluster as a whole,
// hosts, queue instances, parallel environments, counters of quota rules, advance reservations. Running
// tasks are debited, and booked until their expected end. Calendars, thresholds and states close queue
// instances. Manual pages: queue_conf(5), host_conf(5), sge_pe(5), sge_resource_quota(5), qrsub(1).
//
// # What there is
//
//   - cluster.go: Cluster, its hosts and its queue instances
//   - pe.go: PE is a parallel environment with its allocation rule
//   - quota.go: QuotaSet is an enabled resource quota set; Counter counts what one rule limits
//   - advance.go: Advance is an advance reservation
//   - granted.go: what advance reservations were granted, where the snapshot does not say it
//
// # What jobs ask for
//
//   - category.go: Category holds the jobs that ask for the same, and what the run learns of them
//   - eligibility.go: Eligibility says where a category may go at all, and lasts from run to run
//   - scopes.go: requests of the master task alone, or of the other tasks alone (-scope)
//
// # What runs, and what is open
//
//   - running.go: RunningTask is a task that has slots
//   - debit.go: Debit is what one task takes from the layers of its places
//   - calendar.go: calendars book the times in which queue instances are closed
//   - load.go: load, corrected for jobs that started lately, ranks the hosts
//   - threshold.go: load_thresholds and suspend_thresholds
//   - open.go: which queue instances can start jobs, and which can only be reserved
//   - reasons.go: why a queue instance is closed, and what a category met so far
package cluster
