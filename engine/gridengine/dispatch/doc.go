// Package dispatch decides what an external scheduler asks of Grid Engine: the order of the waiting jobs,
// which jobs must not start now and why, and where jobs may start. It takes an order and rules, from a site
// or a program.
//
// Grid Engine still starts the jobs. A rule that forbids becomes a hold or a hard request for other hosts or
// queues. A rule that prefers becomes a soft request, so it never keeps a host idle. Jobs without a rule stay
// as they are.
//
// Its files, in the order of the steps:
//   - rule.go: a Rule says where and when jobs may start
//   - choice.go: a Choice selects the jobs of a rule
//   - lift.go: Lift removes holds from a snapshot, so that its jobs can be planned
//   - decide.go: Decide applies the rules to an order
//   - limit.go: at_most: the first jobs may start, the others get a hold
//   - place.go: hosts and queues of rules
package dispatch
