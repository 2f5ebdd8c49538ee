// Package show prints the answers of commands: as tables for a terminal, and as CSV, TSV or JSON for
// programs.
//
// Its files:
//   - output.go: an Output says where and in which form a command prints
//   - table.go, narrow.go: a Sheet is a table; omits columns on a narrow terminal
//   - json.go, encode.go: JSON of answers, and its types; writes each element of a long list on its own line
//   - words.go: lists, durations and wrapped text
//   - zone.go: times in the time zone of the reader
//   - colour.go: whether to use colors
//   - nearest.go: finds the word that a misspelling probably means
package show
