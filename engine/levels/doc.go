// Package levels finds out how to steer a scheduler's order through one number of each job, a level, of which higher is
// sooner: -p of Grid Engine, or a resource that a formula of PBS reads.
//
// The scheduler ranks a job by a sum, what it computes itself plus the weighted level, and jobs of equal sums in an order of
// its own. A level that several jobs share keeps the order that the scheduler gives them anyway. Steer changes as few jobs as
// possible and takes as few levels as possible.
//
// Its files:
//   - exact.go: Limits of the exact search
//   - fewest.go: fewest finds levels that put jobs into the order given and change as few of them as possible
//   - gentle.go: gentle moves each level of changed jobs as near to 0, the usual default, as the order permits
//   - level.go: A Waiting is a pending job as the scheduler ranks it
//   - margin.go: settled plans levels, but leaves an order alone whose jobs keep half of the margin
//   - share.go: A shared is an assignment of levels, and how many levels changed jobs have in it
//   - steer.go: A Steering says which levels steer the scheduler's order, and how far
package levels
