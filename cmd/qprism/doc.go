// Command qprism tells the administrators of Grid Engine and PBS clusters why the queue is in this order: it reads what a
// cluster's own commands print and recomputes every priority, ticket and share to the last printed digit.
//
// Its files:
//   - main.go: execute runs a command line and makes an exit status of its error
package main
