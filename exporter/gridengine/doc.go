// Package gridengine changes the order of waiting jobs on a Grid Engine cluster. The command qprism push
// changes only the priority -p (qalter(1)). The command qprism drive also changes holds and requests. A
// change of -p changes only the numbers of one job. A change of any other term in sge_priority(5) can also
// change the numbers of other jobs.
//
// qprism drive repeats these steps:
//
//  1. drive.Session takes qprism's locks for the cluster, so that no other qprism changes this cluster. A
//     model.Drive is the record of the values that qprism drive changes. Each claim in this record has one
//     old value. drive.Session continues the unfinished Drive of this cluster, or begins a new Drive. Then
//     qprism captures the cluster.
//  2. drive.Beat tells the watchdog that qprism is still running. The watchdog is a process on the host
//     (package adapters/shell). If qprism dies, the watchdog restores the old values of all jobs, except -p.
//     drive.Beat also asks whether the watchdog has restored values.
//  3. dispatch.Decide applies the rules of the site to the wanted order. For each job that may start,
//     assign.Steer computes the new priority -p that gives this order.
//  4. Dispatcher.Steer compares the wanted values with the jobs' values and with the claims. For each
//     difference, Dispatcher.Steer stores a claim with the old value. For all values except -p, it tells the
//     watchdog how to restore the old value. Then Dispatcher.Steer sends the wanted values: one qalter call
//     for all jobs with the same change. It also restores the old requests of jobs that have started.
//  5. The command qconf -tsm asks for a scheduler run. When qprism repeats these steps, it checks the result
//     of the changes.
//
// To restore all old values, qprism does these steps without wanted values. Then Dispatcher.Steer (step 4)
// restores the old value of each claim.
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
