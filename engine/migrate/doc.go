// Package migrate translates the policy of a Grid Engine cluster to PBS: its queues, hosts, complex, quotas, lists, share
// tree and scheduler configuration become the objects and files of a PBS server, and every line of every file of the bundle is
// accounted for: what it became, how well, and what to do where PBS has nothing like it.
//
// Its files:
//   - access.go: entriesOf are the users and groups of access lists
//   - complex.go: A resource is a complex entry as PBS has it
//   - conf.go: confAccess lets in whom the whole cluster lets in
//   - environments.go: translatePEs says how jobs of each parallel environment are submitted
//   - hosts.go: host makes a node
//   - jobs.go: Jobs is the translated cluster with the jobs of a snapshot, as they would have been submitted to it
//   - ledger.go: A Verdict says how well a line was translated
//   - maker.go: A maker holds what the steps of a translation tell each other
//   - names.go: Names are the names that had to change, kind by kind, in the order in which they were met
//   - now.go: Now is the translated cluster with the jobs of a snapshot, at its moment
//   - params.go: parameters are the parameters of sge_conf(5) that a daemon is given, by the line that they stand in, in capitals
//   - policy.go: translatePolicy makes the scheduler's settings of sched_conf(5), but for what tickets, urgency and priorities are made
//     of
//   - queues.go: queueList is the resource that says on which nodes the jobs of a queue run
//   - quotas.go: quotaSet translates a set: by limits alone where it has one rule, or rules that no job meets two of
//   - rules.go: A rule says what becomes of a line that nothing else speaks of
//   - server.go: defaults are what every cluster has that is made by a migration
//   - shape.go: shapeOf is what a job would ask for
//   - translation.go: A Translation is one Grid Engine cluster in PBS's words
//   - tree.go: translateTree makes resource_group of the share tree, by names that are unique in it
//   - words.go: Words are how users say to the translated cluster what they said to Grid Engine: for every entry of the complex, parallel
//     environment and queue
package migrate
