// Package cli builds the root command of qprism. It contains the code that all commands share, except the
// choice of a snapshot. Package cmd/qprism/subject chooses the snapshot.
//
// Its files:
//   - cli.go: Deps, and the root command with its flags and groups
//   - flags.go: flags for durations and moments
//   - hints.go: builds the commands that hints suggest
//   - version.go: the version of the program and of its formats
//   - mistakes.go: explains mistakes in flags and arguments, and suggests the probable word
package cli
