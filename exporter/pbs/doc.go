// Package pbs steers the order in which PBS starts jobs, four ways, from gentle to total:
//
//   - Resource: a hidden long resource that job_sort_formula reads is set by qalter(1B); placement, limits
//     and backfill stay the scheduler's.
//   - Priority: -p is set, where the formula reads it as job_priority.
//   - Swaps: jobs of a queue change places by qorder(1B), which decides where all else is equal.
//   - Starts: the scheduler is off, and qrun(8B) starts jobs in the wanted order, each where the scheduler
//     would.
//
// Dispatcher is what a drive does: it keeps -p of waiting jobs as the wanted order needs them.
//
//   - way.go: what the four ways share
//   - resource.go, priority.go, swaps.go, starts.go: one way each
//   - answers.go: reads what commands complain of; asks for rights
//   - qstat.go: asks what jobs have, and whose they are
//   - dispatcher.go: Dispatcher
package pbs
