// Package drive keeps what a program takes from a cluster that it drives: holds of jobs, requests, the scheduler's switch. What
// is taken is stored as a claim before it is, with what it was before, and the claim is forgotten when that is back. So after
// any interruption the claims say what to look at, the master what it has, and both together what to give back.
//
// A Session is one process that has the cluster. What one system's commands are called, and in which order things are taken
// and given back, is for exporter/gridengine and exporter/pbs.
//
// Its files:
//   - drive.go: A Journal keeps drives
//   - watchdog.go: Beat says that this process lives, and hears whether the watchdog gave back what was taken
package drive
