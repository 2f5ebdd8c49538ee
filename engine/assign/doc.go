// Package assign finds priorities that make a scheduler run jobs in a wanted order. A priority is a number
// that a user or administrator can set: -p of qalter(1), or a resource in a PBS formula. A job with a
// higher priority runs sooner.
//
// The scheduler ranks a job by a sum: the priority multiplied by its weight, plus other terms of the job.
// If two jobs have equal sums, the scheduler keeps its own order of these jobs. So several jobs can have
// the same priority without a change of their order. qprism needs a command for each different priority.
// Therefore Steer changes as few jobs as possible, and uses as few different priorities as possible.
//
// Its files, in the order of the steps:
//   - steer.go: Steer changes priorities until the order is right; a Steering is the result
//   - scale.go: a Waiting is a pending job; a Scale is the worth and the range of priorities
//   - fewest.go: the fewest changes for an order
//   - exact.go: an exact search for few jobs, and its limits
//   - share.go: jobs that share a priority
//   - margin.go: keeps an order that still has half of the margin
//   - gentle.go: moves changed priorities as near to 0 as possible
//   - even.go: spreads changed priorities evenly between the others
package assign
