// Package safe escapes text from clusters so that a terminal cannot execute it. Such text is names of jobs
// and files, output of commands, and errors that quote them.
//
// Text escapes text for people, Cell for TSV and CSV, JSON for JSON. A Writer wraps standard output and
// standard error, and escapes whatever these functions did not escape.
//
// Its files:
//   - text.go: Text and Cell escape control characters, invisible characters and invalid UTF-8
//   - json.go: JSON escapes the same characters in an encoded document
//   - writer.go: a Writer escapes everything except line breaks, tabs and marks for colors
package safe
