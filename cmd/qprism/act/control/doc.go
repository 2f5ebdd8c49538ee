// Package control provides what push, drive, serve and doctor share: a shell on the cluster, locks, and the
// stop file.
//
// Its files:
//   - shell.go: Shell runs commands in one shell on the cluster
//   - control.go: this process as an exporter.Controller; the stop file
package control
