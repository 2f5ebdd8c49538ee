// Package control has the common parts of the commands push, drive, serve and doctor: a shell on the
// cluster, locks, and the stop file. While the stop file exists, no push and no drive changes jobs.
//
// Its files:
//   - shell.go: Shell runs commands in one shell on the cluster
//   - control.go: this process as an exporter.Controller; the stop file
package control
