// Package glob matches names against patterns of fnmatch(3), as Grid Engine does in requests, user sets and
// quota filters.
//
// Its files:
//   - glob.go: a Pattern, parsed once and matched often
//   - bracket.go: bracket expressions: [a-z], [!0-9], [[:alpha:]]
package glob
