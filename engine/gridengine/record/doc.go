// Package record reads what a scheduler run left behind: the lines that it wrote into the schedule file, or the tasks
// that it started, become a plan like a computed one, and the two are compared job by job.
//
// Its files:
//   - record.go: Plan is the plan that a section of the schedule file tells of
//   - compare.go: Compare compares two plans task by task, sorted by job and task
package record
