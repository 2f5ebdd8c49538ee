// Package gridengine changes the order of waiting jobs on a Grid Engine cluster. A push uses -p of
// qalter(1) only. A drive also uses holds and requests. -p is the only term of sge_priority(5) that has no
// side effects.
//
// Steps of a drive:
//
//  1. drive.Session takes the locks of the cluster, and continues its drive or begins one. The drive
//     captures the cluster.
//  2. drive.Beat tells the watchdog that the drive lives. It asks whether the watchdog has restored
//     everything.
//  3. dispatch.Decide applies rules to the wanted order. assign.Steer finds the -p of all jobs that may
//     start.
//  4. Dispatcher.Steer compares the wanted values with the jobs' values and with the claims. It claims each
//     difference and tells the watchdog. Then it sends the differences: one qalter call for all jobs with
//     the same change. It restores the requests of started jobs.
//  5. qconf -tsm asks for a scheduler run. The next step checks the result.
//
// To restore everything, a drive makes the same step without wanted values.
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
