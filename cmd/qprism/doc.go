// Command qprism explains why the waiting jobs of a Grid Engine or PBS cluster are in their present order.
// qprism reads the output of the cluster's own commands. From this output, qprism recomputes every
// priority, ticket and share, to the last printed digit.
//
// Its files:
//   - main.go: runs a command line, and turns an error into an exit status
//   - garbage.go: collects garbage less often while a person waits
package main
