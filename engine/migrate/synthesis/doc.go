// Package synthesis finds a job_sort_formula of PBS that orders jobs as a Grid Engine policy does, and proves
// how well: both engines compute the order of every run of a history, and the two orders are compared.
//
// sge_priority(5) adds three numbers between 0 and 1:
//
//	prio = weight_priority·npprior + weight_urgency·nurg + weight_ticket·ntckts
//
// npprior depends on the job only. The other two are normalized over all waiting and running jobs, and
// tickets depend on the other waiting jobs. A PBS formula sees only its own job. So candidates differ: some
// freeze the contributions of other jobs, some let a hook compute them at submission, and some update them
// with a periodic job.
//
// Its files, in the order of the steps:
//   - synthesis.go: candidates, their terms, resources and constants
//   - run.go: a history of scheduler runs, computed by Grid Engine's engine
//   - build.go: the candidates for a history; plain.go, fit.go: candidates made in other ways
//   - constant.go: numbers that Grid Engine normalizes by, unknown to a formula
//   - account.go, census.go, population.go: who has shares; which jobs were there when
//   - tickets.go: tickets as a hook can count them; most_tickets.go: the most tickets of a task
//   - tree_files.go: the fairshare tree to install
//   - program.go: hook and periodic job, with the policy in them
//   - translate.go: a run as PBS would see it with the candidate
//   - prove.go, agreement.go: both orders of each run compared; proof.go: the result
//   - choose.go: the best candidate, made again from the whole history
//   - outcome.go: forecasts under both systems compared
package synthesis
