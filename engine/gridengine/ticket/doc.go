// Package ticket distributes the tickets of the share-tree, functional and override policies, as
// share_tree(5), sched_conf(5) and sge_priority(5) describe.
//
// From release 6.1 on, a run distributes tickets in two passes (rule Q2). The first pass gives tickets to
// running and pending tasks. Pending tasks keep these tickets. The second pass gives tickets to running tasks
// only, as if no task were pending. Running tasks keep the tickets of the second pass. Older releases have
// only the first pass (Quirks.SecondPass is false). In an older release, running tasks keep the tickets of
// the first pass.
//
// If pending tasks get tickets from several policies, policy_hierarchy decides which policy gives its tickets
// first (rule R20). If a cluster has n free slots, at most n + 1 pending tasks of an array job get tickets
// (rule Q16).
//
// Its files:
//   - ticket.go: Distribute distributes the tickets of one run
//   - account.go: an Account is a user, project or department in one run
//   - usage.go, power.go: usage and its decay by halftime; pow(3), rounded once
//   - charge.go: Charge adds the usage of tasks between two runs to the usage in a snapshot
//   - tree.go: a Node of the share tree, its targets and its tickets
//   - place.go: Places finds the nodes of users and projects
//   - functional.go: functional tickets by shares (rule R24)
//   - override.go: override tickets
//   - derive.go: a Derivation records how a task got its tickets
package ticket
