// Package control has the common parts of the commands push, drive, serve and doctor: a shell on the
// cluster, locks, and the stop file. While the stop file exists, qprism push changes no jobs, and qprism
// drive only restores the values that it changed.
//
// Its files:
//   - shell.go: Shell runs commands in one shell on the cluster
//   - control.go: makes the exporter.Controller for this process; checks the stop file
package control
