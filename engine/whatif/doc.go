// Package whatif recomputes order, plan and forecast of a snapshot under another policy, and says who gains and who loses by
// it.
//
// A Case is a snapshot under one policy: its own, one with other weights, trees or resources, or a Variant that ranks jobs in a
// way that the scheduler does not know. Compare holds two cases of the same jobs against each other.
//
// Its files:
//   - whatif.go: A Case is a snapshot under a policy
//   - compare.go: Compare compares two cases with the same jobs
//   - fairshare.go: Fairshare ranks the jobs of a Grid Engine by the factor that PBS computes of its tree
//   - formula.go: Formula ranks jobs by a formula, evaluated as PBS evaluates its job_sort_formula
//   - given.go: Given ranks jobs in an order that somebody else made, such as another program
//   - linear.go: Linear is the scheme that critics of the built-in one have asked for
//   - override.go: An Override gives a user, project, department or job override tickets, as qconf and qalter -ot do
//   - rank.go: RankLinear makes a case rank jobs by Linear
//   - usage.go: UsageResource is the fairshare_usage_res (pbs_sched(8B)) with which PBS charges what usage_weight_list weighs
//     (sched_conf(5)), as unit for each unit of Grid Engine
package whatif
