// Package memory works out what a scheduler knows from its earlier runs.
//
// A scheduler holds its lists in the order in which things changed, and never reserves again for a category
// that once found no reservation possible. No file prints this. A Memory carries it from one planned run to
// the next. Where no earlier run was planned, a Recall infers it from the schedule file, the accounting
// file and the starts of running tasks.
//
//   - memory.go: Memory is what a scheduler keeps from run to run
//   - changes.go: Recall replays starts and ends of tasks, the oldest first: that orders queue instances,
//     parallel environments, quota sets and running jobs
//   - past.go: Past is the order in which earlier runs tried the jobs that they started
//   - rejected.go: which categories the scheduler never reserves for again
package memory
