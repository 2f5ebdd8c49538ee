// Package safe writes texts of strangers so that a terminal shows them and never obeys them: names of jobs and files, what a cluster's
// own commands say, errors that quote them. Text is for people, Cell for TSV and CSV, JSON for JSON; a Writer stands before standard
// output and standard error and escapes what none of them saw.
//
// Its files:
//   - json.go: JSON escapes in an encoded document what json.Marshal leaves and a terminal obeys or hides
//   - text.go: Text escapes what a terminal obeys, what nobody sees and what is no UTF-8
//   - writer.go: A Writer writes text to a person or into a pipe, and escapes as Text does all but line ends and tabs
package safe
