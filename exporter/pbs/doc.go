// Package pbs steers the order in which PBS starts jobs, four ways, from gentle to total:
//
//   - Resource: a hidden long resource that job_sort_formula reads is set by qalter(1B); placement, limits and backfill stay
//     the scheduler's.
//   - Priority: -p is set, where the formula reads it as job_priority.
//   - Swaps: jobs of a queue change places by qorder(1B), which decides where all else is equal.
//   - Starts: the scheduler is off, and qrun(8B) starts jobs in the wanted order, each where the scheduler would.
//
// Its files:
//   - answers.go: answers reads what a command printed
//   - drive.go: A Dispatcher gives waiting jobs the -p by which the scheduler takes them in the wanted order
//   - kind.go: SystemOf is the system of pushes of a kind, nil where they are not those of PBS
//   - priority.go: Priority steers through -p of qalter, where job_sort_formula reads it as job_priority
//   - qstat.go: listing is qstat -f of all jobs and subjobs
//   - resource.go: Resource steers through a resource of jobs that job_sort_formula reads
//   - starts.go: Starts starts jobs in the wanted order by qrun, one after the other, while the scheduler is off
//   - swaps.go: Swaps steers through the places of jobs in their queue, of which qorder exchanges two at a time
//   - whose.go: whose are the owners of jobs and their times of submission, which qstat prints in local time
package pbs
