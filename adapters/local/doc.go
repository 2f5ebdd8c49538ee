// Package local runs commands on the machine that qprism runs on. Its type Host runs a command in the same
// way as a Client of package ssh.
//
// Its files:
//   - local.go: Host is this machine
//   - lock.go: Lock takes a lock file
package local
