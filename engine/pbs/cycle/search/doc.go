// Package search finds vnodes on which a job or reservation can start, as the PBS scheduler does,
// pbs_sched(8B). If the package finds no vnodes, it says why.
//
// Its steps:
//
//  1. A job must meet some conditions to start. The function Try tests these conditions in the same order as
//     the scheduler. It stops at the first condition that the job does not meet.
//  2. If the job meets all these conditions, the function Try looks for vnodes. There are three kinds of
//     searches. A vnode-by-vnode search takes one chunk after the other. For each chunk, it takes the first
//     vnode on which the chunk fits. A host-by-host search places as many chunks as possible on one host.
//     Then it goes to the next host. A bucket is a group of equal vnodes. A bucket-by-bucket search takes
//     vnodes of one bucket, and then goes to the next bucket. If there are placement sets, each kind of
//     search looks in one set after the other.
//  3. The kind of search depends on the cluster and the job. If at least one host of the cluster has several
//     vnodes, the function uses the host-by-host search for all jobs. If each host has only one vnode, the
//     kind of search depends on the job. For jobs with place=pack and several chunks, the function uses the
//     host-by-host search. For most jobs with place=excl, it uses the bucket-by-bucket search. The function
//     UsesBuckets has the exceptions, such as jobs in a reservation. For all other jobs, the function Try
//     uses the vnode-by-vnode search.
//  4. A vnode must have enough resources until the job ends. Before this time, other jobs and reservations
//     can start on the vnode. cluster.Calendar has their planned starts. The search subtracts the resources
//     of these jobs and reservations from the free resources of the vnode.
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
