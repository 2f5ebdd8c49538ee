// Package batch defines Go types for the answers of qprism, such as the list of waiting jobs in their
// order. The types are the same for Grid Engine and PBS. The packages engine/gridengine and engine/pbs
// compute the answers.
//
// Its files:
//   - audit.go, class.go: an Audit compares the recomputed run with the master's numbers; classes of
//     differences
//   - ranking.go: a Ranking lists jobs in dispatch order, with the numbers that order them
//   - shares.go: Shares are a tree of shares, with target and usage of each node
//   - due.go: Due has the target of each active user, project or department
//   - never.go: a Chance says whether a job can ever run
//   - table.go, value.go: tables and their values
package batch
