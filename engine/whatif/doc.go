// Package whatif recomputes the job order, the plan and the forecast of a snapshot under another policy.
// The result says which jobs start earlier or later.
//
// A Case is a snapshot under one policy. The policy is the cluster's own policy, the cluster's own policy
// with changes, or a Variant. Changes can be other weights, other share trees or other resources. A Variant
// ranks jobs by a method that the scheduler does not have. The function Compare compares two cases with the
// same jobs.
//
// Its files:
//   - whatif.go: a Case is a snapshot under a policy
//   - compare.go: Compare compares two cases
//   - override.go: override tickets for a user, project, department or job (qconf, qalter -ot)
//   - rank.go: sets the variant of a case (the next four files)
//   - linear.go: Linear ranks by simple sums
//   - fairshare.go: Fairshare ranks by the fairshare factor of PBS, over the share tree
//   - formula.go: Formula ranks by a job_sort_formula, as PBS evaluates it
//   - given.go: Given ranks by an order that, for example, another program made
//   - usage.go: the fairshare_usage_res of PBS that counts usage as usage_weight_list of sched_conf(5) does
package whatif
