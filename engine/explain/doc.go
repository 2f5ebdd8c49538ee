// Package explain says why a job is where it is in the queue: every number that orders jobs as a tree of what it is made of, which policies
// tell no two jobs apart and why, which other job shaped a normalized number, and what would change the order. The systems' own halves are
// engine/gridengine/explain and engine/pbs/explain; here is what their answers share.
//
// Its files:
//   - explain.go: a Scene is a run in which jobs are explained; an Explanation is all that orders a job
//   - term.go: a Term is a number of a derivation, and the terms that it is made of
//   - compare.go: a Comparison says which of two jobs comes first, by what, and what would change that
//   - flip.go: a Flip is a point at which one job passes another one
//   - change.go: a Change is one thing changed in a snapshot, for the order of two jobs
//   - duel.go: a Contest is two waiting jobs by the rules of one system; Settle tries what puts the second one first
//   - search.go: a Sample is the order after a change by some amount, and how the smallest amount is found
//   - explain.go: An Explanation is all that orders a job, the most important first
//   - ahead.go: ahead is the job that comes next before a waiting one of Grid Engine, of those that the run did not start
//   - change.go: A Change is one thing changed in a snapshot, for the order of two jobs
//   - compare.go: A Comparison says which of two jobs comes first, by what, and what would change that
//   - compare_pbs.go: rowsPBS sets side by side what the cycle sorts by
//   - duel.go: A gridDuel is a duel in a run of Grid Engine
//   - duel_pbs.go: A pbsDuel is a duel in a cycle of PBS
//   - faults.go: Faults say which faults of the release shape a job's priority
//   - flip.go: A Flip is a point at which one job passes another one
//   - gridengine.go: An actor is one task in the run
//   - pbs.go: standOf finds the job of an id
//   - search.go: A sample is the order after a change by some amount
//   - term.go: A Term is a number of a derivation, and the terms that it is made of
//   - tickets.go: derivation is how the tickets of a task came about
package explain
