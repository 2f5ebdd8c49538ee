// Package safe makes foreign texts harmless for a terminal: names of jobs and files, output of a cluster's
// commands, and errors that quote them. Text is for people, Cell for TSV and CSV, JSON for JSON. A Writer
// stands before standard output and standard error, and escapes the rest.
//
// Its files:
//   - text.go: Text and Cell escape control characters, invisible characters and invalid UTF-8
//   - json.go: JSON escapes the same in an encoded document
//   - writer.go: a Writer escapes everything except line breaks and tabs; marks for colors
package safe
