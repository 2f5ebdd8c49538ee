// Package formula evaluates the formulas that administrators write to order hosts and jobs.
//
// For Grid Engine, the function Load evaluates a load_formula of sched_conf(5), and a dynamic limit of
// sge_resource_quota(5). A formula of Grid Engine is a sum of terms. A term has one operand, or two operands
// with an operator between them. An operand is a resource or a number.
//
// For PBS, the type Job evaluates job_sort_formula of pbs_sched_attributes(7B), and fairshare_usage_res of
// sched_config. A formula of PBS is one Python expression. It can use values of one job, such as its
// requests. The type Job gives a value to each name in the formula, as PBS does. The subpackage "python"
// computes the expression. The type Job also says whether the result of the expression is a number. If the
// result is not a number, the scheduler crashes. The function Validate finds formulas that the server
// refuses.
//
// Its files:
//   - job.go: Job evaluates a job_sort_formula or fairshare_usage_res
//   - names.go: Names are the resources of a server
//   - number.go: prints numbers as PBS does, with at most four decimals
//   - server.go: Validate checks a formula as qmgr and the server do
//   - load.go: Load evaluates a load_formula
package formula
