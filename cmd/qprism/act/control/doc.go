// Package control is what push, drive, serve and doctor share to change a cluster: a shell on it, locks,
// and the stop file.
//
//   - shell.go: Shell runs commands in one shell on the cluster
//   - control.go: this process as an exporter.Controller; the stop file
package control
