// Package gridengine steers Grid Engine: a push through -p of qalter(1) alone, a drive also through holds
// and requests. Of all that goes into the priority of a job (sge_priority(5)), only -p can be set from
// outside without side effects.
//
// A step of a drive:
//
//  1. drive.Session takes the locks of the cluster and continues its drive, or begins one. The cluster is captured.
//  2. drive.Beat tells the watchdog that the drive lives, and hears whether it gave back what was taken.
//  3. dispatch.Decide applies rules to the wanted order: which jobs must not start now, where they may, which hosts come
//     first. assign.Steer finds the -p of all that may start.
//  4. Dispatcher.Steer compares what jobs have, what they shall have, and the claims. It claims each difference, tells the
//     watchdog, and sends it: one call of qalter for all jobs that get the same. Started jobs get their requests back.
//     Giving everything back is the same with nothing wanted.
//  5. The scheduler is asked for a run (qconf -tsm). The next step sees whether all arrived.
//
// Its files:
//   - qalter.go: Priorities sets -p, and reads what qalter answers
//   - qstat.go: reads -p, the order of waiting jobs, and whose jobs are; asks for rights
//   - drift.go: Drift explains an order that came out differently
//   - dispatcher.go: Dispatcher makes a step of a drive, and gives everything back
//   - look.go: Look asks what driven jobs have
//   - amend.go: compares that with what they shall have
//   - watchdog.go: the calls that the watchdog would make
package gridengine
