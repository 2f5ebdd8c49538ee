// Package report writes what a migration came to: REPORT.md for people, report.json for programs. Both
// show one Report; report.schema.json documents every name of the JSON.
//
// Names, texts and lines of a cluster are hostile: in Markdown they stand in code spans that they cannot leave, and
// control characters are shown, not sent.
//
// Its files:
//   - report.go: A Report is what a migration came to
//   - escape.go: visible makes a text of a stranger safe to show
//   - gather.go: A gathering is lines of one concept that became of the same for the same reason, told of together
//   - json.go: JSON writes report.json. Lists without elements are empty, never null
//   - markdown.go: Markdown writes REPORT.md: first what needs a person, then what was translated and how well, the proof, and what to do
//   - table.go: A table of Markdown, aligned in its source too
//   - words.go: Bound prints a bound with two digits, rounded up
package report
