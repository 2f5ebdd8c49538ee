// Package multifactor computes job priorities as the multifactor plugin of Slurm does: a weighted sum of
// factors, mostly between 0 and 1, less what nice takes away, as a whole number.
//
// It follows the plugin of Slurm 22.05.8 to the last digit that sprio(1) prints; a real server is asked by
// the tests of cmd/qprism/conformance. Factors that are not normalized (PriorityFlags=NO_NORMAL_...),
// SMALL_RELATIVE_TO_TIME, DEPTH_OBLIVIOUS and FairShareDampeningFactor are not computed.
//
// Its files:
//   - multifactor.go: Weights are the PriorityWeight parameters of slurm.conf(5); a job, its parts and its
//     priority
//   - tree.go: An Assoc is a node of the tree of associations, with its usage and normalized shares
//   - fairtree.go: FairTree is the factor of each user by the fair tree
//   - classic.go: Classic is the factor of each user by the classic algorithm
//   - extended.go: An extended is a number as the server's long double holds it
package multifactor
