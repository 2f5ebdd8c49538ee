// Package gridengine steers Grid Engine's own order through -p: the calls of qalter(1) that set it, and what qalter and
// qstat(1) answer. Of all that goes into a job's priority (sge_priority(5)) only -p can be set from outside without side
// effects.
//
// One step of a drive:
//
//  1. drive.Session takes the locks of the cluster and goes on with its drive, or begins one. The cluster is captured.
//  2. The watchdog hears that the drive lives, and says whether it had given back what was taken (drive.Beat).
//  3. dispatch.Decide applies the rules of the site and of the program to the wanted order: which jobs must not start now, where they
//     may, which hosts come first, who comes first because he has waited for too long. assign.Steer finds the -p of all that may start.
//  4. Dispatcher.Steer looks at what the jobs have, and compares that with what they shall have and with the claims: what differs is
//     claimed with what it was, told to the watchdog, and sent, one call of qalter for all jobs that get the same. Started jobs get
//     their requests back; what somebody else changed is left to him; what was sent without an answer, and may still arrive, is put
//     right once more, behind it. To give everything back is the same with nothing wanted.
//  5. The scheduler is asked for a run (qconf -tsm). Whether all arrived the next step sees.
//  6. PBS: the same with -p alone (package pbs); its scheduler begins a cycle by itself.
//
// # Files
//
//   - amend.go: The attributes of claims
//   - drift.go: A Drift says what moved jobs out of their places between a push and the run after it
//   - drive.go: A Dispatcher gives waiting jobs what they shall have
//   - held.go: A Look is what the master says of jobs that are driven, at one moment
//   - owed.go: owed are the calls that give back what may be taken
//   - qalter.go: Priorities sets -p through qalter(1) and reads it back through qstat(1)
//   - qstat.go: listing is qstat -xml -pri of all jobs
//   - whose.go: Whose asks qstat -j, which alone prints the second of a submission
package gridengine
