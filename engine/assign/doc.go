// Package assign finds priorities that put the jobs of a scheduler into a wanted order. A priority is the one number of a job that can
// be set from outside and of which higher is sooner: -p of Grid Engine and of PBS, or a resource that a formula of PBS reads.
//
// The scheduler ranks a job by a sum, what it computes itself plus the weighted priority, and jobs of equal sums in an order of
// its own. A priority that several jobs share keeps the order that the scheduler gives them anyway. Steer changes as few jobs as
// possible, to as few distinct priorities as possible: each is a command.
//
// Its files:
//   - even.go: even moves changed jobs that share their priority with no other apart, evenly in the room between the others
//   - exact.go: Limits of the exact search
//   - fewest.go: fewest finds priorities that put jobs into the order given and change as few of them as possible
//   - gentle.go: gentle moves each priority of changed jobs as near to 0, the usual default, as the order permits
//   - scale.go: A Waiting is a pending job as the scheduler ranks it
//   - margin.go: settled plans priorities, but leaves an order alone whose jobs keep half of the margin
//   - share.go: A shared is an assignment of priorities, and how many priorities changed jobs have in it
//   - steer.go: A Steering says which priorities steer the scheduler's order, and how far
package assign
