// Package act lists the commands that change a cluster, or prepare a change: push, drive, serve, doctor and
// init. The packages in its subfolders implement these commands. The tests of this package run several of
// these commands against real masters.
//
// Its files:
//   - group.go: the list of commands, and their JSON types
package act
