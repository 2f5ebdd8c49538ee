// Package migrate translates the policy of a Grid Engine cluster to PBS: queues, hosts, complex, quotas,
// access lists, share tree and scheduler configuration. The result is a list (the Ledger) with an entry for
// every line of every Grid Engine file. An entry has the translation of the line, and says how exact the
// translation is. If PBS has no equivalent, the entry says what to do instead.
//
// Its files, in the order of the steps:
//   - translation.go: the translation and its steps; adds the formula
//   - maker.go: data that the steps share
//   - complex.go: custom resources
//   - hosts.go: nodes
//   - queues.go: queues, and the nodes for their jobs
//   - environments.go: how users submit parallel jobs; calendars
//   - quotas.go: limits of resource quota sets
//   - access.go: access lists, users, projects, managers
//   - tree.go: the share tree as a resource_group file
//   - policy.go: settings of the scheduler
//   - conf.go, server.go: server attributes; attributes and limits of PBS objects
//   - names.go: names that PBS accepts
//   - ledger.go, table.go: the result for each line; rules (pbs.txt) for lines that no step handles
//   - jobs.go, shape.go: the jobs of a snapshot, as users would submit them to PBS
//   - now.go: these jobs at the moment of the snapshot, with closed queues and nodes
//   - words.go: how users request resources, parallel environments and queues from PBS
package migrate
