// Package order sorts the jobs of a cycle and says which one the PBS scheduler tries next.
//
// Jobs are sorted by preempt priority, preempted ones, formula, fairshare, sort keys and arrival. The
// comparison of entities is not transitive. So the steps of the C library's merge sort are part of the
// result.
//
//   - order.go: the comparison of two jobs and of two entities
//   - next.go: the next job, also by_queue and round_robin
package order
