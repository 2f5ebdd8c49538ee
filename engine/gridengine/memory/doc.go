// Package memory infers what a scheduler remembers from its earlier runs. No file prints this memory.
//
// The scheduler keeps its lists in the order of changes, and this order breaks ties. If it once
// found no reservation for a category, it never tries again (rule D6). A Memory carries these facts from one
// planned run to the next. If qprism planned no earlier run, a Recall infers the memory. Its sources are
// the schedule file, the accounting file and the running tasks.
//
// Its files:
//   - memory.go: Memory is what a scheduler keeps from run to run
//   - changes.go: Recall replays starts and ends of tasks, the oldest first. This orders queue instances,
//     parallel environments, quota sets and running jobs
//   - past.go: Past is the order in which earlier runs tried the jobs that they started
//   - rejected.go: categories for which the scheduler never reserves again
package memory
