// Package local runs commands on the machine that qprism runs on. The type Host has the same method Run as
// an SSH connection (package ssh).
//
// Its files:
//   - local.go: Host is this machine
//   - lock.go: Lock takes a lock file
package local
