// Package usage computes the usage and the target of each user, project or department in a period. A target
// follows from the shares.
//
// Usage is slots multiplied by time. The usage of ended tasks comes from accounting. A running task has usage
// from its start to the time of the snapshot. The package leaves out all usage before the period. A user,
// project or department gets a target only if it has waiting jobs, or has usage in the period.
//
// Its files:
//   - span.go: a task's slots, start and end
//   - usage.go: a Report has usage, target and difference for each user, project or department
package usage
