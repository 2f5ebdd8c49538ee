// Package cli builds the root command of qprism. It has the common parts of all commands, except the choice
// of a snapshot (package subject).
//
// Its files:
//   - cli.go: Deps, and the root command with its flags and groups
//   - flags.go: flags for durations and moments
//   - hints.go: builds the commands that hints suggest
//   - version.go: the version of the program and of its formats
//   - mistakes.go: explains mistakes in flags and arguments, and suggests the probable word
package cli
