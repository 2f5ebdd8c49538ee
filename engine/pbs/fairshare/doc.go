// Package fairshare computes the fairshare tree of PBS: targets, usage and its decay, and which of two entities is more
// deserving, as the chapter on fairshare of the PBS Professional Administrator's Guide and pbsfs(8B) describe it.
//
// There are two trees, and they differ. Build makes the one that pbsfs shows: every inner node is recomputed from the
// leaves in the usage file. Memory is the one that a scheduler calculates with: an inner node is charged when a leaf is,
// and decays on its own, so that it is no longer what its leaves sum to. At a restart or reload of the scheduler, and
// after pbsfs changed usage, both are the same again. Drifts lists their differences.
//
// Percentages and tree usage are 32-bit numbers, computed step by step as the scheduler does; usage has 64 bits.
package fairshare
