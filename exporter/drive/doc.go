// Package drive keeps what a drive takes from a cluster: priorities, holds, requests. A claim stores what a
// job had before it is altered, and is forgotten when that is back. So after any interruption the claims
// say what to look at, the master what it has, and both together what to give back.
//
// exporter/gridengine and exporter/pbs send the commands of their systems.
//
//   - drive.go: Session is one process that drives a cluster; its claims and commands
//   - watchdog.go: tells the watchdog on the host that the process lives, and what to give back if it falls
//     silent
package drive
