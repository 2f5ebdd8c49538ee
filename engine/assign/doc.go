// Package assign finds priorities that give a wanted job order. A priority is the number that a user or
// administrator can set: -p of Grid Engine and PBS, or a resource in a PBS formula. Higher is sooner.
//
// The scheduler ranks a job by a sum: its own terms plus the weighted priority. Equal sums keep the
// scheduler's own order, so jobs can share a priority. Steer changes as few jobs as possible, to as few
// different priorities as possible, because each one costs a command.
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
