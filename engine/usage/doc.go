// Package usage tells what users, projects or departments got of a cluster in a period, and what their shares promise them of it.
//
// What was used is counted in slots and time: of tasks that ended as accounting tells, of those that run since they started. Who used
// something, or waits, counts among those that shares are divided by; usage before the period does not.
//
// Its files:
//   - span.go: A span is what a task had, and from when to when
//   - usage.go: A Report says of everybody what he got in a period, was due, and is owed
package usage
