// Package drive stores what a drive changes on a cluster: priorities, holds, requests. Before a job is
// altered, a claim stores its old value. When the value is restored, the claim is dropped. So after any
// interruption the claims and the master's values together show what to restore.
//
// exporter/gridengine and exporter/pbs send the commands.
//
//   - drive.go: a Session is one process that drives a cluster, with its claims and commands
//   - watchdog.go: tells the watchdog on the host that the process lives, and what to restore if it dies
package drive
