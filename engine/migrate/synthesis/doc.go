// Package synthesis finds a job_sort_formula of PBS that orders jobs as a Grid Engine policy does, and proves how well it
// does: on every run of a history both orders are computed, by the engines of both systems, and held against each other.
//
// sge_priority(5) blends three numbers between 0 and 1:
//
//	prio = weight_priority·npprior + weight_urgency·nurg + weight_ticket·ntckts
//
// The first is a function of the job. The other two are normalized over all jobs that wait or run, and tickets depend on who
// else waits; a formula of PBS knows nothing but its own job. Candidates differ in what they do about that: they freeze what
// other jobs contribute, let a hook note at submission what is known then, or have a periodic job bring it up to date.
//
// Its files:
//   - synthesis.go: A Policy is one of the three parts of a Grid Engine priority
//   - agreement.go: Agree compares two orders of jobs
//   - account.go: An account is what a user, project or department is given
//   - build.go: Candidates makes the candidates for the policy of a history
//   - choose.go: Best is the proof of the candidate that orders the runs best which it was made from, among those that need no more than
//     the most that is given
//   - constant.go: A scale holds what Grid Engine normalizes by in one run, and a formula cannot know
//   - crowd.go: A crowd is who is there at one moment
//   - fit.go: fitted is the candidate with the pieces of the frozen one, each with a weight of its own that makes the orders of the
//     history come out best
//   - idle.go: idle is the name of a node without shares that has used a little where nobody else has used anything
//   - most.go: mostTickets is the most tickets of a task, as the periodic job reckons it from what PBS knows
//   - off.go: Off is the bound on the error of a policy's term over all runs of a history, held out or not
//   - outcome.go: Play forecasts the end of a history under Grid Engine and under a candidate
//   - plain.go: plain is the candidate that needs nothing but PBS
//   - program.go: program is a program with the policy in it
//   - proof.go: A Proof says how well a candidate orders jobs as Grid Engine does
//   - prove.go: Prove computes the order of each run of a history under Grid Engine and under a candidate
//   - refit.go: refit is the candidate as a whole history makes it
//   - run.go: A Run is one scheduler run of a history, as Grid Engine's engine computes it
//   - tickets.go: A till gives out functional and override tickets as sge_priority(5) says, to the jobs of a crowd
//   - translate.go: translate is the last run of a history as PBS would see it if the candidate had been installed before the history
//     began
package synthesis
