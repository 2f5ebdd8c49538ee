// Package check predicts the effect of a job_sort_formula on the jobs of a PBS cluster, before an
// administrator sets this formula. The package answers four questions:
//
//   - Does the server accept the formula?
//   - Does the scheduler crash when it evaluates the formula?
//   - Which value does the formula give to each job?
//   - Which terms have the same value for all jobs?
//
// Its files, in the order of the steps:
//   - check.go: Formula makes the Report
//   - text.go: problems of the text itself
//   - jobs.go: the jobs that the scheduler evaluates, in its order
//   - survive.go: results that are no number, and exceptions: both can make the scheduler crash
//   - values.go: zeros, ties, and values under the threshold, among waiting jobs
//   - terms.go: terms with the same value for all jobs
//   - fairshare.go: formulas in which more usage raises the value of a job, or more shares lower it
package check
