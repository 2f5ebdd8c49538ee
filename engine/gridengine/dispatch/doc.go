// Package dispatch decides what a dispatcher beside the scheduler of a Grid Engine wishes for waiting jobs: in which order they come,
// which of them must not start now and why, and where they may start. It takes an order and rules, both of which a site or a program
// gives.
//
// The scheduler itself goes on starting jobs. So what a rule forbids is made impossible, by a hold or by a request for other hosts and
// queues, and what it prefers is only asked for (a soft request): the cluster is never emptier for a wish. What no rule is about is left
// as it is.
//
// Its files:
//   - rule.go: A Rule says where and when jobs may start
//   - choice.go: A Choice says which jobs are meant
//   - decide.go: Decide applies rules to an order
//   - limit.go: limit lets as many tasks of a rule's jobs start as there is room for, in their order, and holds the others
//   - place.go: hosts are what rules about places work with
//   - lift.go: Lift is a snapshot without the holds of some tasks
package dispatch
