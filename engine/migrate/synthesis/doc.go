// Package synthesis finds a job_sort_formula of PBS that orders jobs as a Grid Engine policy does. To test a
// formula, the package sorts the jobs of every recorded run twice: by the rules of Grid Engine, and by the
// rules of PBS. Then the package compares the two job orders.
//
// Grid Engine normalizes urgency and tickets over all jobs, see sge_priority(5). It divides the urgency of a
// job by the difference between the greatest and the least urgency of all jobs. It divides the tickets of a
// task by the greatest number of tickets that any task has. A PBS formula can use only the values of one job,
// so it cannot compute these two divisors. The function Candidates makes formulas of these kinds:
//
//   - plain: uses only values that PBS itself has, and constants
//   - frozen: the divisors are constants from a recorded run; a hook computes values such as tickets when
//     users submit jobs
//   - fitted: like frozen, but with the weights that keep the recorded orders best
//   - renewed: like frozen, but a periodic job updates the constants and the values
//   - refreshed: qprism computes the place of each job, and sends it to PBS again and again
//
// Its files, in the order of the steps:
//   - synthesis.go, build.go: a candidate; the candidates for a history
//   - plain.go, fit.go: the candidate that needs only PBS's own numbers; the candidate whose weights fit
//     the history best
//   - run.go, constant.go: a history of runs; numbers that a formula cannot know
//   - account.go, census.go, population.go: shares; which jobs waited or ran at which time
//   - tickets.go, most_tickets.go: tickets as a hook counts them; the most tickets that a task has
//   - tree_files.go, program.go: the fairshare tree; the hook and the periodic job
//   - translate.go: a run as PBS would see it with the candidate
//   - prove.go, agreement.go, proof.go: compares the job orders of both systems; the result
//   - choose.go, outcome.go: chooses the best candidate; compares forecasts under both systems
package synthesis
