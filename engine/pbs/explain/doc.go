// Package explain derives everything by which a cycle of PBS orders jobs, sets two jobs side by side, and
// tries what would change their order. The numbers are those of engine/pbs/cycle (pbs_sched(8B),
// pbs_sched_config(5)).
//
// Its files:
//   - scene.go: a Scene is one cycle; Explain and Compare
//   - criteria.go: what each criterion compares of a job
//   - formula.go: the terms of job_sort_formula, and the levels of the fairshare tree
//   - inert.go: what tells no two jobs apart
//   - compare.go: two jobs side by side
//   - duel.go: what would change the order of the next cycle
//   - change.go: a snapshot after one change
package explain
