// Package search looks for vnodes on which a job or reservation can start, and says why there are none.
//
// Try tests the conditions in the scheduler's order and stops at the first that fails. Then it looks for
// vnodes chunk by chunk: host by host where hosts have several vnodes, in placement sets, or in buckets of
// equal vnodes for jobs that want vnodes for themselves. A vnode must have room until the job ends, beside
// everything that the calendar has for it.
//
//   - try.go: the conditions, in order
//   - class.go: jobs that ask for the same fail for the same reason
//   - count.go: how often requests fit into a stock, and into a set of vnodes
//   - search.go: vnode by vnode, alone or in placement sets
//   - host.go: host by host
//   - bucket.go: bucket by bucket
//   - shrink.go: shorter times for jobs with min_walltime
//   - estimate.go: PlanTop finds the start of a top job and books it
//   - fit.go: the room that every single vnode has
package search
