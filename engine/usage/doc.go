// Package usage computes the usage of users, projects or departments in a period. It also computes
// the targets that follow from their shares.
//
// Usage is slots multiplied by time. The usage of ended tasks comes from accounting. The usage of a running
// task counts from its start. Usage before the period does not count. Users, projects and departments get a
// target only if they have usage in the period or waiting jobs.
//
// Its files:
//   - span.go: a task's slots, start and end
//   - usage.go: a Report has usage, target and difference for each user, project or department
package usage
