// Package explain defines the explanation of a job's place in the queue. An explanation shows every number
// with the parts from which the scheduler computes it. It also names policies that do not affect the order,
// because they give all jobs the same value. An explanation of two jobs names changes that would reverse
// their order.
//
// Its files:
//   - explain.go: a Scene is one run; an Explanation has every number of a job
//   - term.go, compare.go: a Term is a number with parts; a Comparison has two jobs
//   - flip.go, change.go: a Flip is a Change that reverses the order of two jobs
//   - pair.go, search.go: Settle tries changes; the smallest change that is enough
package explain
