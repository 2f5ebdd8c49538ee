// Package gridengine steers Grid Engine's own order through -p: the calls of qalter(1) that set it, and what qalter and
// qstat(1) answer. Of all that goes into a job's priority (sge_priority(5)) only -p can be set from outside without side
// effects.
//
// One step of a drive:
//
//  1. drive.Session takes the locks of the cluster and goes on with its drive, or begins one. The cluster is captured.
//  2. Settle looks at what the claims of earlier steps are about and what the master has: started jobs get their requests back, others
//     are held again, what somebody else changed is left to him, and what was sent without an answer, and may still arrive, is put right
//     once more, behind it. It is the only way back: after a start, after a cut, and when everything is given back.
//  3. Jobs that are owned and not held yet get the hold (qalter -h o), stored before it is sent. What is not held afterwards is not
//     owned.
//  4. dispatch.Decide lifts the holds in the snapshot, plans a run in the wanted order, narrows each start to hosts and queues, and says
//     which hosts fill first where an allocation rule leaves a choice. The narrowed run is planned in the scheduler's order and with the
//     starts in reverse; what differs is left. Where others wait too, the run after that is planned as if the next task of each host had
//     ended (ahead): what takes one place there is started the same way.
//  5. Each start is one call, all of it or nothing: qalter -l …,hostname=…,qname=… -h O JOB. -q would not do, for no command empties it
//     again. The old list is stored first. The next run is awaited; then 2.
//  6. PBS: the scheduler's switch is the one thing that is claimed. A cycle is planned without preemption and sent as qrun -H, and read
//     back.
//
// # Files
//
//   - drift.go: A Drift says what moved jobs out of their places between a push and the run after it
//   - drive.go: A Dispatcher decides which job starts where, under the scheduler
//   - held.go: The attributes of claims
//   - qalter.go: Priorities sets -p through qalter(1) and reads it back through qstat(1)
//   - qstat.go: listing is qstat -xml -pri of all jobs
//   - settle.go: Settle gives back what starts took, whether or not they happened, and finds out what became of them
//   - whose.go: Whose asks qstat -j, which alone prints the second of a submission
package gridengine
