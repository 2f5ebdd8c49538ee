// Package usage computes the usage of users, projects or departments in a period, and their targets by
// shares.
//
// Usage is slots multiplied by time. For ended tasks it comes from accounting. Running tasks count from
// their start. The package divides the shares among those who used something or wait. Usage before the
// period does not count.
//
// Its files:
//   - span.go: a task's slots, start and end
//   - usage.go: a Report has usage, target and difference for each user, project or department
package usage
