// Package lint has what both systems' checks of a policy share: a report in plain words, its traps, and jobs that can never run. Each trap
// names the line that causes it, what it does to the jobs at hand, and the command that mends it. The checks, and their words, are in
// engine/gridengine/lint and engine/pbs/lint.
//
// Its files:
//   - lint.go: A Report is what there is to say of a policy
//   - never.go: NeverRun are the waiting jobs that can never run
//   - place.go: Line finds the first line of a file that a condition holds for
//   - amounts.go: numbers, names and times in sentences
//   - fix.go: Quote makes a word of a shell of any text
package lint
