// Package safe escapes text from clusters, so that the text cannot send control characters to a terminal.
// Text from clusters includes names of jobs and files, output of commands, and errors that quote such text.
//
// The function Text escapes text for people. The function Cell escapes text for TSV and CSV. The function
// JSON escapes text for JSON. A Writer writes to standard output or standard error. If none of these three
// functions has escaped a text, the Writer escapes the text.
//
// Its files:
//   - text.go: Text and Cell escape control characters, invisible characters and invalid UTF-8
//   - json.go: JSON escapes the same characters in an encoded document
//   - writer.go: a Writer escapes everything except line breaks, tabs and marks for colors
package safe
