// Package search looks for vnodes on which a job or reservation can start. If there are none, it says why.
//
// Try tests the conditions in the scheduler's order and stops at the first that fails. Then it looks for
// vnodes chunk by chunk. It goes host by host if hosts have several vnodes, by placement sets, or by buckets
// of equal vnodes for jobs that want vnodes exclusively. A vnode must have room until the job ends, beside
// all planned starts in the calendar.
//
//   - try.go: the conditions, in order
//   - class.go: jobs with the same requests fail for the same reason
//   - count.go: how often requests fit into a stock, and into a set of vnodes
//   - search.go: vnode by vnode, alone or in placement sets
//   - host.go: host by host
//   - bucket.go: bucket by bucket
//   - shrink.go: shorter times for jobs with min_walltime
//   - estimate.go: PlanTop finds the start of a top job and books it
//   - fit.go: the room on each vnode, for explanations
package search
