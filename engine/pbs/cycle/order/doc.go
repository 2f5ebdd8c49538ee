// Package order sorts the jobs of a cycle, and chooses the job that the PBS scheduler tries next, as
// pbs_sched(8B) describes.
//
// The sort keys are, in this order: preempt priority, whether the job was preempted (preempted jobs come
// first), formula, fairshare, job_sort_key and arrival. In a comparison, a
// fairshare entity is equal to all entities below it in the tree. So two entities can be equal to a third
// entity, but not to each other. Then the job order depends on the sort algorithm. Therefore the package
// sorts in the same steps as the merge sort of the C library.
//
// Its files:
//   - order.go: compares two jobs, and two entities
//   - next.go: chooses the next job, also for by_queue and round_robin
package order
