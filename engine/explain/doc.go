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
package explain
