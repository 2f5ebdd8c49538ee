// Package drive stores the old values of jobs that the command qprism drive changes: priorities, holds and
// requests. With them, qprism can restore the jobs.
//
// Before qprism changes a value of a job, it stores a claim with the old value. After it has restored the
// old value, it deletes the claim. So after any interruption, the claims and the master's values show which
// values qprism must restore. The packages exporter/gridengine and exporter/pbs send the commands.
//
// Its files:
//   - drive.go: a Session is one process of qprism drive, with its claims and commands
//   - watchdog.go: tells the watchdog on the host that the process is alive, and how to restore the jobs if
//     it dies
package drive
