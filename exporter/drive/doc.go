// Package drive stores the values that jobs had before the command qprism drive changed them. The values are
// priorities, holds and requests. With the stored values, qprism can restore the jobs.
//
// Before qprism changes a value of a job, it stores the old value in a record, which is called a claim. After
// it has restored the old value, it deletes the claim. After an interruption, qprism compares the claims with
// the master's values. So it finds the values that it must restore. The packages exporter/gridengine and
// exporter/pbs send the commands that change and restore the values.
//
// Its files:
//   - drive.go: a Session is one process of qprism drive, with its claims and commands
//   - watchdog.go: tells the watchdog on the host that the process is alive, and how to restore the jobs if
//     it dies
package drive
