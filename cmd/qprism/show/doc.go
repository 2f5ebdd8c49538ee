// Package show writes to people and programs: tables, CSV, TSV, JSON, numbers, moments and words. An io.Writer comes in here.
//
// Its files:
//   - colour.go: Coloured reports whether colours make sense
//   - document.go: A Document is what a command prints in JSON
//   - encode.go: encodeMap sorts by the keys, which are texts
//   - json.go: A JSONWriter writes an object whose last members are long lists, an element a line
//   - narrow.go: narrowed is a table without the columns that a terminal has no room for
//   - nearest.go: Nearest is the name that a word was likely meant to be
//   - output.go: An Output is where a command prints, and how
//   - table.go: A Sheet is a table to print
//   - words.go: InEnglish lists words: "a, b or c"
//   - zone.go: zonedColumns are the columns of a table for people
package show
