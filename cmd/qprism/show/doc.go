// Package show prints answers for people and programs: tables, CSV, TSV, JSON, numbers, moments and words.
//
// Its files:
//   - output.go: an Output is where and how a command prints
//   - table.go, narrow.go: a Sheet is a table; columns that a narrow terminal omits
//   - json.go, encode.go: JSON of answers, and its types; long lists with an element a line
//   - words.go: lists, durations and wrapped text
//   - zone.go: time columns in the zone of the reader
//   - colour.go: whether to use colors
//   - nearest.go: the probable word behind a misspelling
package show
