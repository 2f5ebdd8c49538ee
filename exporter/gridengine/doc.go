// Package gridengine steers Grid Engine: a push by -p of qalter(1) only, a drive also by holds and requests.
// -p is the only term of a job's priority (sge_priority(5)) that can be set without side effects.
//
// A step of a drive:
//
// 1. drive.Session takes the locks of the cluster, and continues its drive or begins one. The cluster is
// captured. 2. drive.Beat tells the watchdog that the drive lives, and asks whether it has restored
// everything. 3. dispatch.Decide applies rules to the wanted order. assign.Steer finds the -p of all jobs
// that may start. 4. Dispatcher.Steer compares the jobs' values, the wanted values and the claims. It claims
// each difference, tells the
//
//	watchdog, and sends it, with one call of qalter for all jobs that get the same. Started jobs get their requests
//	back. To restore everything is the same step with no wanted values.
//
// 5. qconf -tsm asks for a scheduler run. The next step checks the result.
//
// Its files:
//   - qalter.go: Priorities sets -p and reads the answers of qalter
//   - qstat.go: reads -p, the order of waiting jobs, owners and rights
//   - drift.go: Drift explains an unexpected order
//   - dispatcher.go: Dispatcher makes a step of a drive, and restores everything
//   - look.go: Look asks for the values of driven jobs
//   - amend.go: compares them with the wanted values
//   - watchdog.go: the commands for the watchdog
package gridengine
