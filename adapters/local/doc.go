// Package local runs commands on this machine, with the interface of package ssh.
//
// Its files:
//   - local.go: Host is this machine
//   - lock.go: Lock takes a lock file
package local
