// Package search finds vnodes on which a job or reservation can start, as the PBS scheduler does,
// pbs_sched(8B). If the package finds no vnodes, it says why.
//
// Its steps:
//
//  1. A job must meet some conditions to start. The function Try tests these conditions in the same order as
//     the scheduler. Try stops at the first condition that the job does not meet.
//  2. Then Try looks for vnodes. Usually, Try takes one chunk after the other, and checks vnode by vnode, also
//     within placement sets. Host by host means: Try places all chunks that fit on one host, and then goes to
//     the next host. If at least one host of the cluster has several vnodes, Try checks host by host for all
//     jobs. If each host has only one vnode, Try checks host by host only for jobs with place=pack and
//     several chunks. A bucket is a group of equal vnodes. For most jobs with place=excl, Try checks bucket
//     by bucket, but only if each host has one vnode. The function UsesBuckets has the exceptions, such as
//     jobs in a reservation.
//  3. A vnode must have enough resources until the job ends. cluster.Calendar has the planned starts of other
//     jobs. If such a start is before the end of the job, the search subtracts its resources from the free
//     resources of the vnode.
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
