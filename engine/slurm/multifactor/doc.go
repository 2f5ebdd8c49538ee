// Package multifactor computes job priorities as the multifactor plugin of Slurm does, to the last digit that
// sprio(1) prints. A priority is the sum of the weighted factors and the site factor, minus the nice value of
// the job. The plugin cuts the sum to a whole number. Most factors are between 0 and 1. docs/rules/slurm.md
// has the rules of this computation.
//
// The package follows the plugin of Slurm 22.05.8. The tests in cmd/qprism/conformance compare the results of
// the package with the results of a real server. The package supports only normalized factors, and
// none of the NO_NORMAL flags of PriorityFlags. It does not support SMALL_RELATIVE_TO_TIME, DEPTH_OBLIVIOUS
// and FairShareDampeningFactor.
//
// Its files:
//   - multifactor.go: the PriorityWeight parameters of slurm.conf(5); a job, its parts and its priority
//   - tree.go: an Assoc is a node of the tree of associations, with usage and normalized shares
//   - fairtree.go: the fair-share factor of each user by the fair tree algorithm
//   - classic.go: the same factor by the classic algorithm
//   - extended.go: numbers in C's long double format, which the server uses
package multifactor
