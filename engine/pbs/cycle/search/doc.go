// Package search finds vnodes on which a job or reservation can start, as the PBS scheduler does,
// pbs_sched(8B). If there are none, it says why.
//
// Its steps:
//
//  1. Try tests the conditions in the scheduler's order, and stops at the first that fails.
//  2. Then it looks for vnodes, chunk by chunk. There are three ways: vnode by vnode, also within placement
//     sets; host by host, if hosts have several vnodes; by buckets of equal vnodes, for jobs that want
//     vnodes exclusively.
//  3. A vnode must have enough resources until the job ends, also during all planned starts in the
//     calendar.
//
// Its files:
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
