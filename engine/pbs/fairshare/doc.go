// Package fairshare computes the fairshare tree of PBS: targets, usage, decay, and which of two entities is
// more deserving. The package follows pbsfs(8B) and the chapter on fairshare of the PBS Professional
// Administrator's Guide.
//
// PBS has two fairshare trees, and they can differ. The function Build computes the tree that pbsfs prints.
// In this tree, the usage of an inner node is the sum of the usage of its leaves in the usage file. The type
// Memory is the tree that the running scheduler has in its memory. In this tree, each inner node has a
// separate usage counter. The scheduler adds new usage to this counter and applies decay to it. It does not
// compute the counter from the usage of the leaves (rule P6). So the two trees differ. The trees agree again
// when the scheduler restarts or reloads its files, and after pbsfs changes usage.
//
// Percentages and fairshare_tree_usage are 32-bit floating point numbers, as in the scheduler. The package
// computes them in the same steps as the scheduler. The usage of a node is a 64-bit floating point number.
//
// Its files:
//   - tree.go, usage.go, share.go: the tree of the files, its usage and percentages
//   - memory.go, clone.go: the tree of a scheduler, from one cycle to the next
//   - recall.go: uses the log to compute the usage of groups that the scheduler has in its memory
//   - entity.go: the entity that a job is charged to
//   - compare.go, explain.go: which of two entities is more deserving, and why
//   - intransitive.go: entities for which the sorted order depends on the sort algorithm
//   - mergesort.go: qsort(3) of glibc 2.36, the sort of the scheduler
//   - pbsfs.go: the output of pbsfs
package fairshare
