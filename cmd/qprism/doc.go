// Command qprism tells administrators of Grid Engine and PBS clusters why the queue is in this order. It
// reads the output of the cluster's own commands, and recomputes every priority, ticket and share to the last
// printed digit.
//
// Its files:
//   - main.go: runs a command line, and turns its error into an exit status
package main
