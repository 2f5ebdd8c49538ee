// Package search finds vnodes on which a job or reservation can start, as the PBS scheduler does,
// pbs_sched(8B). If the package finds no vnodes, it says why.
//
// Its steps:
//
//  1. A job must meet some conditions to start. The function Try tests these conditions in the same order as
//     the scheduler. Try stops at the first condition that the job does not meet.
//  2. Then Try looks for vnodes, chunk by chunk. Usually, Try checks one vnode after the other, also within
//     placement sets. If at least one host of the cluster has several vnodes, Try checks host by host, for
//     all jobs. If no host has several vnodes, Try checks host by host only for jobs with place=pack and
//     several chunks. If no host has several vnodes, Try checks bucket by bucket for most jobs with place=excl.
//     A bucket is a group of equal vnodes. The function UsesBuckets has the exceptions, such as jobs in a reservation.
//  3. A vnode must have enough resources until the job ends. So the search also subtracts the resources of
//     planned starts in the calendar.
//
// Its files:
//   - try.go: the conditions, in order
//   - class.go: jobs with the same requests fail for the same reason
//   - count.go: how many times requests fit on one vnode, and on a set of vnodes
//   - search.go: searches vnode by vnode, with or without placement sets
//   - host.go: searches host by host
//   - bucket.go: searches bucket by bucket
//   - shrink.go: shorter times for jobs with min_walltime
//   - estimate.go: PlanTop finds the start of a top job and books it
//   - fit.go: the free resources on each vnode, for explanations
package search
