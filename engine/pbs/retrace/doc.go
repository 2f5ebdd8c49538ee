// Package retrace recomputes the PBS scheduler cycle next to a snapshot and compares what comes out with
// what the master's own files tell of it: formula values, the order of jobs, starts, vnodes, reasons and
// predicted starts with the scheduler's log and the accounting file, and the numbers of the fairshare tree
// with pbsfs.
//
// The state of the cluster at the beginning of the cycle is made of the snapshot and of the accounting
// records between the two: played forward from a snapshot taken before the cycle, or taken back from one
// taken after it.
//
// It makes the state in which a recorded cycle began: accounting records are played forward from a snapshot
// before it, or taken back from one after it. Each state that can have been is tried, the likeliest first,
// until everything agrees with the log, and then what no file tells within its bounds: charges of running
// jobs, a priority by its formula's value, a job that ended in the same second. The report names what it
// took. Else the best state counts; what differs from it is *input missing* only where a doubt about one
// job (doubt.go) reaches it: the job itself, and what was decided behind it.
//
// # Files
//
//   - charges.go: chargeBounds are the charges that can be missing in the files, by entity
//   - compare.go: compare counts what agrees with an outcome, and says of the rest what no file tells that
//     can have made it
//   - complete.go: completed is a state with what a snapshot taken after the cycle shows besides
//   - doubt.go: A doubt is something that happened before a cycle and that no file tells in full, with all
//     that it can change
//   - field.go: A Field is something that the master tells and that is recomputed
//   - gap.go: cycleFields are those of the cycle, treeFields those of the fairshare tree
//   - gone.go: restore brings a reservation back that is gone, with what records from before its end tell
//     of it
//   - job.go: Substates of jobs
//   - recorded.go: Recorded is a cycle as a plan, as the log tells it
//   - retrace.go: retrace recomputes a cycle from each state in which the cluster can have been, the
//     likeliest first, until everything agrees
//   - second.go: A second is the one in which a cycle began
//   - settle.go: settle brings everything that follows from jobs and reservations to a moment
//   - side.go: A side is what the log, or a plan, tells of a cycle
//   - state.go: A state is what the cluster can have been like when a cycle began
//   - takenback.go: takenBack is the cluster before a cycle, made of a snapshot taken after it
//   - tree.go: A treeAudit compares the fairshare tree
//   - trial.go: A trial recomputes one cycle from one state after the other, and keeps the outcome with the
//     fewest differences
//   - variants.go: withPriorities gives jobs that accounting alone tells of the priority by which the
//     formula has the value of the log
package retrace
