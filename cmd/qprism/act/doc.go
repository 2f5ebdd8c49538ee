// Package act gathers the commands that change a cluster or prepare it for that: push, drive, serve, doctor
// and init. The folders below it have the commands. It has the tests that run several of them against real
// masters.
//
//   - group.go: the list of commands, and their JSON types
package act
