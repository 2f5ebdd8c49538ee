// Package usage computes the usage of users, projects or departments in a period, and their targets by their
// shares.
//
// Usage counts slots and time: of ended tasks from accounting, of running tasks since their start. Shares are
// divided among those who used something or wait. Usage before the period does not count.
//
// Its files:
//   - span.go: a task's slots, start and end
//   - usage.go: a Report has usage, target and difference for each of them
package usage
