// Package migrate translates the policy of a Grid Engine cluster to PBS: its queues, hosts, complex,
// quotas, lists, share tree and scheduler configuration become the objects and files of a PBS server, and
// every line of every file of the bundle is accounted for: what it became, how well, and what to do where
// PBS has nothing like it.
//
// Its files, in the order of the steps:
//   - translation.go: the translation and its steps, and the formula that is added to it
//   - maker.go: what the steps tell each other
//   - complex.go: custom resources
//   - hosts.go: nodes
//   - queues.go: queues, and on which nodes their jobs run
//   - environments.go: how jobs of parallel environments are submitted; calendars
//   - quotas.go: limits of resource quota sets
//   - access.go: access lists, users, projects, managers
//   - tree.go: resource_group
//   - policy.go: settings of the scheduler
//   - conf.go: server attributes
//   - server.go: how objects of PBS get attributes and limits
//   - names.go: which names PBS takes
//   - ledger.go: what became of each line
//   - table.go: pbs.txt, the rules for lines that no step speaks of
//   - jobs.go, shape.go: the jobs of a snapshot as they would have been submitted to PBS
//   - now.go: these jobs at the moment of the snapshot, with what is closed then
//   - words.go: how users ask for resources, environments and queues
package migrate
