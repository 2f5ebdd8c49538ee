// Package explain says why a job has its place in the queue. Every number is a tree of its parts. It names
// policies that give all jobs the same value, and changes that would reverse the order of two jobs.
// engine/gridengine/explain and engine/pbs/explain have the rules of each system.
//
//   - explain.go: a Scene is a run; an Explanation has all that orders a job
//   - term.go: a Term is a number and the terms that it is made of
//   - compare.go: a Comparison says which of two jobs comes first, and why
//   - flip.go, change.go: a Flip reverses the order; a Change is one change
//   - duel.go: a Contest has two waiting jobs; Settle tries the changes
//   - search.go: finds the smallest amount that reverses the order
package explain
