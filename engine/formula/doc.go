// Package formula evaluates the formulas that administrators write to order hosts and jobs.
//
// For Grid Engine, the function Load evaluates a load_formula of sched_conf(5), and a dynamic limit of
// sge_resource_quota(5). A formula of Grid Engine is a sum of terms. A term is a resource or a number, or
// two of these with an operator between them.
//
// For PBS, the type Job evaluates job_sort_formula of pbs_sched_attributes(7B), and fairshare_usage_res of
// sched_config. A formula of PBS is one Python expression. It can use values of one job, such as its
// requests. The subpackage "python" computes the expression. The type Job applies the rules of PBS. These
// rules say which names a formula may use, how PBS passes the values of these names, and which formulas the
// server refuses. The type Job also recognizes formulas that make the scheduler crash.
//
// Its files:
//   - job.go: Job evaluates a job_sort_formula or fairshare_usage_res
//   - names.go: Names are the resources of a server
//   - number.go: prints numbers as PBS does, with at most four decimals
//   - server.go: Validate checks a formula as qmgr and the server do
//   - load.go: Load evaluates a load_formula
package formula
