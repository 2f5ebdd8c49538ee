// Package urgency computes the urgency of running and pending jobs, as sge_priority(5) and sched_conf(5) define it: the
// sum of what their requests, their waiting time and their deadline contribute.
//
// Its files:
//   - urgency.go: A Value is the urgency of one job
//   - parts.go: A Part is what one request contributes to the urgency of a job
package urgency
