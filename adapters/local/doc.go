// Package local runs commands on this machine, as package ssh runs them elsewhere.
//
// Its files:
//   - local.go: Host is this machine
//   - lock.go: A LockedError says that somebody else holds a lock
package local
