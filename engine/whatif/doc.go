// Package whatif recomputes order, plan and forecast of a snapshot under another policy, and says which
// jobs start earlier or later.
//
// A Case is a snapshot under one policy. There are three kinds of policy: the cluster's own one, one with
// other weights, trees or resources, and a Variant. A Variant ranks jobs in a way that the scheduler does
// not have. Compare compares two cases with the same jobs.
//
// Its files:
//   - whatif.go: a Case is a snapshot under a policy
//   - compare.go: Compare compares two cases
//   - override.go: override tickets for a user, project, department or job (qconf, qalter -ot)
//   - rank.go: sets the variant of a case, one of the following
//   - linear.go: Linear ranks by simple sums
//   - fairshare.go: Fairshare ranks by the fairshare factor of PBS, over the share tree
//   - formula.go: Formula ranks by a job_sort_formula, as PBS evaluates it
//   - given.go: Given takes an order from outside, such as from another program
//   - usage.go: fairshare_usage_res of PBS that equals usage_weight_list of sched_conf(5)
package whatif
