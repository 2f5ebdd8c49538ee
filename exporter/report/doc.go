// Package report writes what a migration came to: REPORT.md for people, report.json for programs. Both
// show one Report; report.schema.json documents every name of the JSON.
//
// Names, texts and lines of a cluster are hostile: in Markdown they stand in code spans that they cannot leave, and
// control characters are shown, not sent.
//
// Its files:
//   - report.go: the report, with what JSON calls its parts
//   - json.go: report.json
//   - markdown.go: REPORT.md from the template report.md.tmpl, and what the template calls
//   - gather.go: lines and inversions told of together, and how numbers look
//   - words.go: sentences and words of the report
//   - table.go: a table of Markdown, aligned in its source too
//   - escape.go: how texts of a cluster are made safe to show
package report
