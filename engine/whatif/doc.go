// Package whatif recomputes order, plan and forecast of a snapshot under another policy, and says who gains
// and who loses.
//
// A Case is a snapshot under one policy. That is its own policy, one with other weights, trees or resources,
// or a Variant that ranks jobs in a way unknown to the scheduler. Compare compares two cases with the same
// jobs.
//
// Its files:
//   - whatif.go: a Case is a snapshot under a policy
//   - compare.go: Compare compares two cases
//   - override.go: override tickets for a user, project, department or job (qconf, qalter -ot)
//   - rank.go: sets the variant of a case, one of the following
//   - linear.go: Linear: sums that anybody can follow
//   - fairshare.go: Fairshare: the fairshare factor of PBS, over the share tree
//   - formula.go: Formula: a job_sort_formula, as PBS evaluates it
//   - given.go: Given: an order from outside, such as another program
//   - usage.go: fairshare_usage_res of PBS that equals usage_weight_list of sched_conf(5)
package whatif
