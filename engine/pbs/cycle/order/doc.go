// Package order sorts the jobs of a cycle, and says which one the PBS scheduler tries next.
//
// Jobs are sorted by preempt priority, preempted jobs first, formula, fairshare, sort keys and arrival. The
// comparison of fairshare entities is not transitive. So the result depends on the steps of the C library's
// merge sort.
//
//   - order.go: the comparison of two jobs and of two entities
//   - next.go: the next job, also for by_queue and round_robin
package order
