// Package fairshare computes the fairshare tree of PBS: targets, usage and its decay, and which of two
// entities is more deserving, as the chapter on fairshare of the PBS Professional Administrator's Guide and
// pbsfs(8B) describe it.
//
// There are two trees, and they differ. Build makes the one that pbsfs shows: every inner node is
// recomputed from the leaves in the usage file. Memory is the one that a scheduler calculates with: an
// inner node is charged when a leaf is, and decays on its own, so that it is no longer what its leaves sum
// to. At a restart or reload of the scheduler, and after pbsfs changed usage, both are the same again.
//
// Percentages and tree usage are 32-bit numbers, computed step by step as the scheduler does; usage has 64
// bits.
//
// Its files:
//   - tree.go, usage.go, share.go: the tree of the files, its usage and percentages
//   - memory.go, clone.go: the tree of a scheduler, from one cycle to the next
//   - entity.go: the entity that a job is charged to
//   - compare.go, explain.go: which of two entities is more deserving, and why
//   - intransitive.go: entities that make the order depend on the steps of a sort
//   - mergesort.go: qsort(3) of glibc 2.36, which the scheduler sorts with
//   - pbsfs.go: what pbsfs prints
package fairshare
