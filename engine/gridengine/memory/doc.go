// Package memory infers the information that a scheduler remembers from its earlier runs. No file contains
// this information.
//
// The scheduler keeps lists of queue instances, parallel environments and other objects. In each list, the entry
// that changed longest ago comes first. If two entries are equally good, the scheduler uses the first of them. A
// job category consists of all jobs with the same requests. If a run finds no possible reservation for a
// category, the scheduler rejects the category (rule D6). Then later runs make no reservation for the jobs of
// this category.
//
// A Memory stores what the next planned run needs: the order of the entries in these lists, the rejected
// categories, and the weights of the ways to search a range of slots (rule D15). It also stores the places of
// the tasks that ran or started. If a place is gone in the next run, the task has ended there. A Register in the
// Memory only saves time: it keeps the category of each job, and the places where a category may run. If qprism
// planned no earlier run, a Recall infers the order and the categories from the schedule file, the accounting
// file and the running tasks.
//
// Its files:
//   - memory.go: Memory is what a scheduler keeps from run to run
//   - changes.go: Recall simulates the recorded starts and ends of tasks, the oldest first. The result is the
//     order of queue instances, parallel environments, quota sets and running jobs
//   - past.go: Past is the order in which earlier runs tried the jobs that they started
//   - rejected.go: categories for which the scheduler never reserves again
package memory
