// Package cli has the common part of all commands except their snapshot.
//
// Its files:
//   - cli.go: Deps, and the root command with its flags and groups
//   - flags.go: flags for durations and moments
//   - hints.go: commands to type next, for hints
//   - version.go: the version of the program and of its formats
//   - mistakes.go: explains mistakes in flags and arguments, and suggests the probable word
package cli
