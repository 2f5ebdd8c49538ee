// Package report writes the result of a migration: REPORT.md for people, report.json for programs. Both
// files show one Report. report.schema.json documents the JSON.
//
// Names, texts and lines of a cluster may be hostile. In Markdown the package puts them into code spans
// that they cannot leave. It makes control characters visible.
//
// Its files:
//   - report.go: the report, with its JSON names
//   - json.go: report.json
//   - markdown.go: REPORT.md, from the template report.md.tmpl
//   - gather.go: groups lines and inversions; formats numbers
//   - words.go: sentences of the report
//   - table.go: Markdown tables, aligned in the source too
//   - escape.go: makes texts of a cluster safe to show
package report
