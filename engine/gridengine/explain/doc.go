// Package explain shows how Grid Engine computes every number that orders jobs in a scheduler run. It
// follows sge_priority(5), sched_conf(5) and share_tree(5). The package also compares two jobs, and
// searches for changes that would reverse the order of these jobs.
//
// Its files:
//   - scene.go: a Scene is one run; Explain and Compare
//   - prio.go: prio, urgency and their parts
//   - tickets.go: how a task got its tickets
//   - inert.go: policies that give all jobs the same value
//   - ahead.go: the job directly before a waiting job, and how the waiting job can pass it
//   - compare.go: the contributions of two jobs side by side
//   - pair.go: changes that would reverse the order in the next run
//   - faults.go: which quirks of the release change a job's priority
//   - change.go: a snapshot after one change
package explain
