// Package ticket gives out the tickets of the share-tree, functional and override policies, as share_tree(5),
// sched_conf(5) and sge_priority(5) define them, with the usage that share-tree tickets rest on.
//
// Its files:
//   - ticket.go: Tickets are what one task holds
//   - charge.go: Charge adds what was used between two runs to the usage of a snapshot
//   - account.go: An Account is a user, project or department in one run
//   - derive.go: A Derivation says how the tickets of one task came about, in the pass that gave them
//   - functional.go: functional is what a task's shares make of the functional tickets, given the sums of all shares (R24)
//   - override.go: An overrideKey says whose override tickets a task can get
//   - place.go: Places are the nodes of the share tree that the usage of parties belongs to
//   - power.go: power is x to the y for x ≥ 0, rounded once
//   - tree.go: A Node is a node of the share tree in one run
//   - usage.go: usage decays a list of usage by a number of seconds
package ticket
