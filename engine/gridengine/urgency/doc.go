// Package urgency computes the urgency of running and pending jobs, by sge_priority(5) and sched_conf(5). It
// is the sum of three contributions: requested resources, waiting time and deadline. Then it is normalized to
// between 0 and 1 (R7).
//
// Its files:
//   - urgency.go: Compute gives the urgency of each job
//   - parts.go: the contribution of each request
package urgency
