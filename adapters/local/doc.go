// Package local runs commands on the machine that qprism runs on. The type Host and the type ssh.Client have
// the same method Run, so callers can use either type.
//
// Its files:
//   - local.go: Host is this machine
//   - lock.go: Lock takes a lock file
package local
