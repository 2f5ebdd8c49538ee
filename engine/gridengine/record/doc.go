// Package record makes a plan from the traces of a scheduler run, and compares it with a computed plan task
// by task. The traces are the lines of the schedule file, or the tasks that the run started.
//
// Its files:
//   - record.go: Plan reads a section of the schedule file; Starts takes the started tasks of a snapshot
//   - compare.go: Compare compares two plans
package record
