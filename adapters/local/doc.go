// Package local runs commands on the machine that qprism runs on. Its Host has the same methods as the
// hosts of package ssh.
//
// Its files:
//   - local.go: Host is this machine
//   - lock.go: Lock takes a lock file
package local
