// Package retrace recomputes a recorded cycle of the PBS scheduler and compares it with what the master wrote.
// It compares formula values, the order of jobs, starts, vnodes, reasons and predicted starts with the
// scheduler's log and the accounting file, and the numbers of the fairshare tree with pbsfs.
//
// First it makes the state of the cluster when the cycle began. It plays accounting records forward from a
// snapshot before the cycle, or takes them back from one after it. It tries each possible state, the likeliest
// first, until everything agrees with the log. Then it varies what no file tells, within its bounds: charges
// of running jobs, a priority by its formula's value, a job that ended in the same second. The report names
// what it assumed.
//
// If nothing agrees in full, the best state counts. A difference is *input missing* only where a doubt about
// one job reaches it: the job itself, and what was decided after it. See doubt.go.
//
// # Files
//
//   - retrace.go: Run recomputes a cycle from each possible state, the likeliest first
//   - state.go: a state of the cluster when the cycle began, played forward from a snapshot before it
//   - takenback.go: the same, taken back from a snapshot after it
//   - complete.go: what a snapshot after the cycle adds to a state
//   - second.go: which records of the second in which the cycle began came before it
//   - job.go: jobs as accounting records tell of them
//   - settle.go: what follows from jobs and reservations, such as amounts that are assigned
//   - trial.go, variants.go, charges.go: states that can have been as well
//   - side.go: what log and plan tell of a cycle
//   - compare.go, doubt.go: what differs, and which missing information can explain it
//   - gap.go: what is compared, and what a bundle lacks for that
//   - tree.go: the fairshare tree beside what pbsfs printed
//   - recorded.go: a recorded cycle as a plan
package retrace
