// Package ticket distributes the tickets of the share-tree, functional and override policies. It follows
// share_tree(5), sched_conf(5) and sge_priority(5). A run has two passes: over running and pending tasks,
// then over running tasks only.
//
// Its files:
//   - ticket.go: Distribute gives out the tickets of one run
//   - account.go: an Account is a user, project or department in one run
//   - usage.go, power.go: usage and its decay by halftime; pow(3), rounded once
//   - charge.go: Charge adds use between two runs to the usage of a snapshot
//   - tree.go: a Node of the share tree, its targets and its tickets
//   - place.go: Places finds the nodes of users and projects
//   - functional.go: functional tickets by shares (R24)
//   - override.go: override tickets
//   - derive.go: a Derivation records how a task got its tickets
package ticket
