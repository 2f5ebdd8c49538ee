// Package fairshare computes the fairshare tree of PBS: targets, usage and its decay, and which of two
// entities is more deserving, as the chapter on fairshare of the PBS Professional Administrator's Guide and
// pbsfs(8B) describe it.
//
// There are two trees, and they differ. Build makes the one that pbsfs shows: every inner node is
// recomputed from the leaves in the usage file. Memory is the one that a scheduler calculates with: an
// inner node is charged when a leaf is, and decays on its own, so that it is no longer what its leaves sum
// to. At a restart or reload of the scheduler, and after pbsfs changed usage, both are the same again.
// Drifts lists their differences.
//
// Percentages and tree usage are 32-bit numbers, computed step by step as the scheduler does; usage has 64
// bits.
//
// Its files:
//   - clone.go: Clone is a memory of its own that is the same
//   - compare.go: Compare says which of two entities of a tree is more deserving
//   - entity.go: EntityOf is the name of the entity that a job of a snapshot is charged to, see EntityName
//   - explain.go: Explain says how Compare finds who is more deserving
//   - intransitive.go: Intransitive lists once each, in the order given, those entities that equal two
//     others of the list which do not equal each other
//   - memory.go: A Memory is the tree that a scheduler calculates with, from one cycle to the next
//   - mergesort.go: MergeSort sorts a list as qsort(3) of glibc 2.36 does, which carries out the sorts of
//     the scheduler
//   - pbsfs.go: Winner is what pbsfs -c prints of two nodes
//   - share.go: share computes the percentages of all nodes below n from their shares, in steps of 32 bits
//   - tree.go: A Tree is a fairshare tree
//   - usage.go: idle is the usage of a node that nobody ever charged, a leaf or a group, and the least that
//     decay leaves
package fairshare
