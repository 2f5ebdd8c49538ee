// Package fairshare computes the fairshare tree of PBS: targets, usage, decay, and which of two entities is
// more deserving. It follows pbsfs(8B) and the chapter on fairshare of the PBS Professional Administrator's
// Guide.
//
// There are two trees. Build computes the tree of pbsfs: every inner node is the sum of its leaves in the
// usage file. Memory is the tree of the scheduler. The scheduler charges and decays inner nodes separately,
// so rounding makes the two trees differ. They agree again when the scheduler restarts or reloads, and
// after pbsfs changes usage.
//
// Percentages and tree usage are 32-bit floating point numbers. The package computes them in the
// scheduler's steps. Usage has 64 bits.
//
// Its files:
//   - tree.go, usage.go, share.go: the tree of the files, its usage and percentages
//   - memory.go, clone.go: the tree of a scheduler, from one cycle to the next
//   - recall.go: reads from the log what the scheduler remembers of groups
//   - entity.go: the entity that a job is charged to
//   - compare.go, explain.go: which of two entities is more deserving, and why
//   - intransitive.go: entities that make the order depend on the steps of the sort
//   - mergesort.go: qsort(3) of glibc 2.36, the sort of the scheduler
//   - pbsfs.go: the output of pbsfs
package fairshare
