// Package batch holds what any batch system answers, as Go types that both systems return.
//
// Its files:
//   - audit.go: An Audit holds the last scheduler run against what the master tells of it
//   - class.go: A Class says why a recomputed number is not what the master printed
//   - due.go: A Due is what part of a cluster users, projects or departments are due
//   - never.go: A Chance says whether a job can ever run
//   - ranking.go: A Ranking lists jobs in the order in which the scheduler tries them, with what that order is made of
//   - shares.go: Shares are a tree of shares, with what each node is due and has used
//   - table.go: A Cell is a value with its name
//   - value.go: A Value is one value of an answer
package batch
