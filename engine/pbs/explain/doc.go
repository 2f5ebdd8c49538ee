// Package explain shows how PBS computes every value that orders jobs in a cycle. It follows pbs_sched(8B)
// and the file sched_config. The package also compares two jobs, and searches for changes that would reverse
// the order of these jobs.
//
// Its files:
//   - scene.go: a Scene is one cycle; Explain and Compare
//   - criteria.go: a job's value for each criterion
//   - formula.go: the terms of job_sort_formula, and the levels of the fairshare tree
//   - inert.go: criteria that give all jobs the same value
//   - compare.go: two jobs side by side
//   - pair.go: changes that would reverse the order in the next cycle
//   - change.go: a snapshot after one change
package explain
