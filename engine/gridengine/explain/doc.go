// Package explain derives every number that orders the jobs of a run of Grid Engine, sets two jobs side by
// side, and tries what would change their order. The numbers are those of engine/gridengine/priority
// (sge_priority(5), sched_conf(5), share_tree(5)).
//
// Its files:
//   - scene.go: a Scene is one run; Explain and Compare
//   - prio.go: prio, urgency and what they are made of
//   - tickets.go: how the tickets of a task came about
//   - inert.go: policies that tell no two jobs apart
//   - ahead.go: the job next before a waiting one, and what passing it takes
//   - compare.go: the contributions of two jobs side by side
//   - duel.go: what would change the order of the next run
//   - faults.go: which faults of the release shape a job's priority
//   - change.go: a snapshot after one change
package explain
