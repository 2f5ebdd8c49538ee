// Package pbs answers what engine/batch asks of any batch system, by the rules of PBS: the audit of a
// cycle, the shares, the ranking. A file holds one answer; the folders below it compute what answers are
// made of.
//
// Its files:
//   - audit.go: Audit recomputes the cycle next to a snapshot of PBS, and its fairshare tree
//   - blame.go: A blaming looks for what of a job keeps it from ever running
//   - chance.go: Chances says of jobs of PBS whether they can ever run
//   - ranking.go: A Ranking is the jobs in the order of a cycle, and what the cycle orders them by
//   - shares.go: Shares is the fairshare tree of the files, as pbsfs prints it; Due is what users are due by it
package pbs
