// Package formula computes the formulas that administrators write to order hosts and jobs.
//
// Load is the arithmetic of Grid Engine: load_formula of sched_conf(5), and dynamic limits of
// sge_resource_quota(5). It is a sum of terms. A term is a resource or number, or two of them with an
// operator.
//
// Job is the arithmetic of PBS: job_sort_formula, pbs_sched_attributes(7B), and fairshare_usage_res of
// sched_config. It is one Python expression over the numbers of a job. Package python knows the language. Job
// knows the rules of PBS: the names, how values are passed, what the server refuses, and which formulas stop
// the scheduler.
//
// Its files:
//   - job.go: Job evaluates a job_sort_formula or fairshare_usage_res
//   - names.go: Names are the resources of a server
//   - number.go: how PBS prints numbers, with at most four decimals
//   - server.go: Validate checks a formula as qmgr and the server do
//   - load.go: Load evaluates a load_formula
package formula
