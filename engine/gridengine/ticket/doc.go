// Package ticket distributes the tickets of the share-tree, functional and override policies, by
// share_tree(5), sched_conf(5) and sge_priority(5). A run distributes tickets twice: first to running and
// pending tasks, then to running tasks only.
//
// Its files:
//   - ticket.go: Distribute distributes the tickets of one run
//   - account.go: an Account is a user, project or department in one run
//   - usage.go, power.go: usage and its decay by halftime; pow(3), rounded once
//   - charge.go: Charge adds the use between two runs to the usage of a snapshot
//   - tree.go: a Node of the share tree, its targets and its tickets
//   - place.go: Places finds the nodes of users and projects
//   - functional.go: functional tickets by shares (rule R24)
//   - override.go: override tickets
//   - derive.go: a Derivation records how a task got its tickets
package ticket
