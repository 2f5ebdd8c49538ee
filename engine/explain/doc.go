// Package explain says why a job has its place in the queue. It shows every number that orders jobs as a tree
// of its parts. It names policies that give all jobs the same value, the jobs that shaped a normalized
// number, and changes that would reverse the order of two jobs.
//
// This package has the common part. engine/gridengine/explain and engine/pbs/explain have the rules of each
// system.
//
// Its files:
//   - explain.go: a Scene is a run; an Explanation has all that orders a job
//   - term.go: a Term is a number and the terms that it is made of
//   - compare.go: a Comparison says which of two jobs comes first, and why
//   - flip.go: a Flip is a point at which the order of two jobs reverses
//   - change.go: a Change is one change of a snapshot
//   - duel.go: a Contest has two waiting jobs; Settle tries the changes
//   - search.go: finds the smallest amount of a change that reverses the order
package explain
