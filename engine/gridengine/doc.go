// Package gridengine answers what engine/batch asks of any batch system, by the rules of Grid Engine: the audit of the last run, the
// shares, the ranking. A file holds one answer; the folders below it compute what answers are made of.
//
// Its files:
//   - audit.go: Audit recomputes the last scheduler run before a snapshot
//   - blame.go: A blaming looks for what of a job keeps it from ever running
//   - chance.go: Chances says of jobs of Grid Engine whether they can ever run
//   - due.go: Due is what parties are due while they, and nobody else, use the cluster
//   - ranking.go: Ranking lists the tasks of a snapshot by a view of its last run, as lastrun.Look gives it
//   - shares.go: Shares is the share tree as the last run saw it
package gridengine
