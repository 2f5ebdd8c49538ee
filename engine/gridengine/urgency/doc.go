// Package urgency computes the urgency of running and pending jobs, as sge_priority(5) and sched_conf(5)
// describe. The urgency is the sum of three contributions: requested resources, waiting time and deadline.
// Then the package normalizes the urgency: the least urgency of all running and pending jobs becomes 0, and
// the greatest becomes 1 (rule R7).
//
// Its files:
//   - urgency.go: Compute computes the urgency of each job
//   - parts.go: the contribution of each request
package urgency
