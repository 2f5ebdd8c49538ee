// Package control contains the code that the commands push, drive, serve and doctor share: a shell on the
// cluster, locks, and the stop file. While the stop file exists, qprism push changes no jobs, and qprism
// drive only undoes its earlier changes.
//
// Its files:
//   - shell.go: Shell runs commands in one shell on the cluster
//   - control.go: makes the exporter.Controller for this process; checks the stop file
package control
