// Package pbs computes the answers of qprism for PBS. Package engine/batch defines the types of these
// answers. The packages in the subfolders compute the parts of a scheduler cycle.
//
// Its files:
//   - audit.go: Audit recomputes a cycle and the fairshare tree, and compares them with the master's files
//   - ranking.go: Rank lists the jobs in the order of a cycle, with the values that order them
//   - shares.go: Shares is the fairshare tree, as pbsfs prints it; Due is the share of each user in that
//     tree
//   - chance.go: Chances says which jobs can never run
//   - blame.go: finds the requests because of which a job can never run
package pbs
