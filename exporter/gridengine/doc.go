// Package gridengine changes the order of waiting jobs on a Grid Engine cluster. A push changes only the
// priority -p (qalter(1)). A drive also changes holds and requests. Of all terms in sge_priority(5), only
// -p has no side effects.
//
// Steps of a drive:
//
//  1. drive.Session takes the locks of the cluster, and continues the drive of this cluster or begins a new
//     drive. The drive captures the cluster.
//  2. drive.Beat tells the watchdog that the drive is still running. drive.Beat also asks whether the
//     watchdog has restored the old values of all jobs.
//  3. dispatch.Decide applies the rules of the site to the wanted order. assign.Steer finds the priority -p
//     of each job that may start.
//  4. Dispatcher.Steer compares the wanted values with the jobs' values and with the claims. For each
//     difference, Dispatcher.Steer stores a claim with the old value, and tells the watchdog how to restore
//     this value. Then it sends the wanted values: one qalter call for all jobs with the same change. It
//     also restores the requests of started jobs.
//  5. qconf -tsm asks for a scheduler run. The next step of the drive checks the result.
//
// To restore all old values, a drive makes the same step without wanted values.
//
// Its files:
//   - qalter.go: Priorities sets -p and reads the answers of qalter
//   - qstat.go: reads -p, the order of waiting jobs, owners and rights
//   - drift.go: Drift explains an unexpected order
//   - dispatcher.go: Dispatcher makes a step of a drive, and restores everything
//   - look.go: Look asks for the values of driven jobs
//   - amend.go: compares these values with the wanted values
//   - watchdog.go: the commands for the watchdog
package gridengine
