// Package formula computes what administrators write to order hosts and jobs.
//
// Load is the arithmetic of Grid Engine: load_formula in sched_conf(5), and the dynamic limits of sge_resource_quota(5),
// sums of terms, each a resource or a number, or two of them with an operator between.
//
// Job is that of PBS: job_sort_formula, pbs_sched_attributes(7B), and fairshare_usage_res of sched_config, each one
// expression of Python over the numbers of a job. Package python below knows the language, Job what PBS makes of it:
// which names there are, how their values are handed over, what the server refuses, and which formulas stop the
// scheduler.
//
// Its files:
//   - job.go: A Job is a job_sort_formula, or a fairshare_usage_res, as the scheduler evaluates it
//   - load.go: Load computes the formula for one host, whose value of a resource, without any "$", value knows
//   - names.go: Names are the resources that a server knows
//   - number.go: Digits is the number of decimals with which PBS prints a number, at most four
//   - server.go: serverNames are variables of the server's own program, which a formula can reach by accident
package formula
