// Package record reads the plan that a real scheduler made, and compares it with a computed plan, task by
// task. The package reads the real plan from the file schedule(5), or from the tasks that the run started.
//
// Its files:
//   - record.go: Plan reads a section of the schedule file; Starts takes the started tasks of a snapshot
//   - compare.go: Compare compares two plans
package record
