// Package cli builds the root command of qprism. It contains the code that all commands share. But the code
// that chooses a snapshot is in package cmd/qprism/subject.
//
// Its files:
//   - cli.go: Deps, and the root command with its flags and groups
//   - flags.go: flags for durations and moments
//   - hints.go: builds the commands that hints suggest
//   - version.go: the version of the program and of its formats
//   - mistakes.go: explains mistakes in flags and arguments, and suggests the probable word
package cli
