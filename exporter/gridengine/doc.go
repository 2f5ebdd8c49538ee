// Package gridengine changes the order of waiting jobs on a Grid Engine cluster. The command qprism push
// changes only the priority -p (qalter(1)). The command qprism drive also changes holds and requests. A
// change of -p changes only the numbers of one job. A change of any other term in sge_priority(5) can also
// change the numbers of other jobs.
//
// qprism drive repeats these steps:
//
//  1. drive.Session takes qprism's locks for the cluster, so that no other qprism changes this cluster. A
//     model.Drive is the record of the values that qprism drive changes. For each changed value of a job,
//     this record has a claim (model.Claim), which stores the old value. If an earlier
//     drive left a Drive of this cluster open, drive.Session continues it. Otherwise it begins a new Drive.
//     Then qprism captures the cluster.
//  2. The watchdog is a process on the host where qalter runs (package adapters/shell). If qprism dies, the
//     watchdog restores the old values of all jobs, except -p. drive.Beat tells the watchdog that qprism is
//     still running. drive.Beat also asks whether the watchdog has restored values.
//  3. dispatch.Decide applies the rules of the site to the wanted order. For each job that may start,
//     assign.Steer computes the new priority -p that gives this order.
//  4. Dispatcher.Steer compares the wanted values of each job with the present values. For each difference,
//     Dispatcher.Steer stores a claim with the old value. If somebody else changed a value that has a claim,
//     Dispatcher.Steer deletes the claim, and does not change the value. For all values except -p,
//     Dispatcher.Steer tells the watchdog how to restore the old value. Then it sends the wanted values: one
//     qalter call for all jobs with the same change. It also restores the old requests of jobs that have
//     started.
//  5. The command qconf -tsm asks for a scheduler run. The next round of these steps checks whether the
//     master has the new values.
//
// To restore all old values, qprism calls Dispatcher.Steer with no wanted value for any job. Dispatcher.Steer
// then restores the old value in each claim.
//
// Its files:
//   - qalter.go: Priorities sets -p and reads the answers of qalter
//   - qstat.go: reads -p, the order of waiting jobs, owners and rights
//   - drift.go: Drift explains why the order after a push is not as expected
//   - dispatcher.go: Dispatcher makes a step of qprism drive, and restores all old values
//   - look.go: Look asks the master for the values of jobs that qprism drive may change
//   - amend.go: compares these values with the wanted values
//   - watchdog.go: the commands for the watchdog
package gridengine
