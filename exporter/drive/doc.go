// Package drive records the old values of jobs that a drive changes (priorities, holds and requests), so
// that qprism can restore these values.
//
// Before a drive alters a job, the drive stores the old value in a claim. When the drive restores the old
// value, it deletes the claim. So after any interruption, the claims and the master's values show which
// values qprism must restore. The packages exporter/gridengine and exporter/pbs send the commands.
//
// Its files:
//   - drive.go: a Session is one process that drives a cluster, with its claims and commands
//   - watchdog.go: tells the watchdog on the host that the process lives, and what to restore if it dies
package drive
