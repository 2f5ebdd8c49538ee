// Package cli is what all commands share besides their snapshot: the root with its flags, groups, hints, mistakes and durations.
//
// Its files:
//   - cli.go: Deps are what all commands share
//   - flags.go: SpanVar adds a flag for a duration, whose default is what it points to
//   - hints.go: Hints write commands so that they can be typed as they stand
//   - version.go: Built says what a program is, and in which versions it writes
//   - mistakes.go: tellMistakes lets every command say in words what is wrong with its flags and arguments, and what was likely meant
package cli
