// Package exporter sends decisions about jobs to a cluster. The package translates orders into commands,
// stores the orders, sends the commands, and checks the result. It can also resume and undo a push. The
// packages in its subfolders have the commands of each batch system.
//
// Files, in the order of a push:
//   - assigned.go: new priorities become orders
//   - whose.go, age.go, refuse.go, driven.go, recognize.go: refuses a push for another cluster, for jobs of
//     others, from an old snapshot, without rights, or during another push or drive
//   - controller.go, hostlock.go: takes the locks
//   - send.go, result.go: stores and sends each batch, then stores its answers
//   - verify.go: after the next run each order gets its last state; changes by others stay
//   - standing.go: compares the master's order with the wanted one
//   - release.go: undoes all pushes
//   - exporter.go: interfaces of host, store and batch system
package exporter
