// Package split makes the lists of one scheduler run (type Lists). It puts the tasks of a snapshot into these
// lists, for example into Running or Pending. Only running, finished and pending tasks take part in the run
// (rule R1).
//
// A snapshot shows the state after the last scheduler run. The function Jobs restores the state before this
// run (rule R5). Tasks that started in the run become pending again. Tasks that ended after the run become
// running again.
//
// Waiting tasks that cannot start go into the list Blocked. A blocked task has a hold or an error, or waits
// for its start time or for another job. The limits max_aj_instances and -tc say how many tasks of an array
// job can run at the same time. The waiting tasks that exceed such a limit are also blocked (rule R3). After
// the run, qstat prints 0 for the priority, tickets and urgency of blocked tasks (rule R36).
//
// The list Pending also has the tasks of users who reached maxujobs. These tasks get tickets (rule Q14),
// because a run checks maxujobs only after it has distributed the tickets (package "schedule").
//
// Two goroutines work at the same time, each on one half of the jobs. First they look once at each job (type survey):
// they find its place in the order, whether it has begun tasks, and whether it was altered. Then they put the tasks of
// the jobs, in this order, into lists.
//
// Its files:
//   - split.go: Jobs puts the tasks into lists; an Entry is a job with its tasks in one list
//   - altered.go: finds jobs that users altered since the run, by the printed npprior
//   - counted.go: numbers that a run with PROFILE=1 writes into the messages file
//   - ended.go: the run before a given moment, from the messages file; tasks that ended since that run
//   - filter.go: JC_FILTER of params hides some waiting jobs from the run if more jobs wait than slots are
//     free
//   - slots.go: free slots before and after the run
package split
