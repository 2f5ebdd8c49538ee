// Package report writes the result of a migration: REPORT.md for administrators, and report.json for
// programs. The two files show the same Report. report.schema.json documents the JSON.
//
// Names and other texts from a cluster may contain Markdown commands that attack the reader. So in
// REPORT.md, the package puts such texts into code spans, where their characters have no special effect.
// The package also makes control characters visible.
//
// Its files:
//   - report.go: the report, with its JSON names
//   - json.go: report.json
//   - markdown.go: REPORT.md, from the template report.md.tmpl
//   - gather.go: groups lines and inversions; formats numbers
//   - words.go: sentences of the report
//   - table.go: Markdown tables, whose columns are aligned also in the text of the file
//   - escape.go: makes texts of a cluster safe to show
package report
