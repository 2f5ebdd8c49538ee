// Package synthesis finds a job_sort_formula of PBS that orders jobs as a Grid Engine policy does, and
// proves how well it does: on every run of a history both orders are computed, by the engines of both
// systems, and held against each other.
//
// sge_priority(5) blends three numbers between 0 and 1:
//
//	prio = weight_priority·npprior + weight_urgency·nurg + weight_ticket·ntckts
//
// The first is a function of the job. The other two are normalized over all jobs that wait or run, and
// tickets depend on who else waits; a formula of PBS knows nothing but its own job. Candidates differ in
// what they do about that: they freeze what other jobs contribute, let a hook note at submission what is
// known then, or have a periodic job bring it up to date.
//
// Its files, in the order of the steps:
//   - synthesis.go: candidates, their terms, resources and constants
//   - run.go: a history of scheduler runs, as Grid Engine's engine computes them
//   - build.go: the candidates for a history; plain.go, fit.go: those that are made otherwise
//   - constant.go: what Grid Engine normalizes by in a run, and a formula cannot know
//   - account.go, census.go, population.go: who has shares; which jobs were there when
//   - tickets.go: tickets as a hook can count them; most_tickets.go: the most tickets of a task
//   - tree_files.go: the fairshare tree as it is installed
//   - program.go: hook and periodic job, with the policy in them
//   - translate.go: a run as PBS would see it with the candidate installed
//   - prove.go, agreement.go: both orders of each run compared; proof.go: what comes out
//   - choose.go: the best candidate, and the same one made of the whole history
//   - outcome.go: forecasts under both systems compared
package synthesis
