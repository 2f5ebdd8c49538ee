// Package dispatch applies the rules of a site to waiting jobs. The package gets these jobs in the order that
// the user of qprism drive wants. A rule with longest_wait can change this order: a job that has waited too
// long comes first. From the rules, the package decides where jobs may start, and which jobs must not start
// now. It also gives the reasons for these decisions. A decision can give a job a hold, new requests, both,
// or neither.
//
// Grid Engine itself still starts the jobs. If a rule forbids a start, the job gets a hold, or a hard request
// for other hosts or queues. If a rule only prefers hosts, the job gets a soft request. With a soft request,
// the job can also start on other hosts. So a soft request is never the reason why a host stays idle. If no
// rule applies to a job, the job gets no hold and no request.
//
// Its files, in the order of the steps:
//   - rule.go: a Rule says where and when jobs may start
//   - choice.go: a Choice selects the jobs of a rule
//   - lift.go: Lift removes holds from a snapshot, so that qprism can plan starts of the held jobs
//   - decide.go: Decide applies the rules to an order
//   - limit.go: rules with at_most: the first jobs may start, the others get a hold
//   - place.go: hosts and queues of rules
package dispatch
