// Package exporter sends decisions to a cluster. Orders become commands, which are stored, sent, read back,
// resumed and undone. The packages below it know the commands of each system. A push:
//
//   - assigned.go: new priorities become orders
//   - whose.go, age.go, refuse.go, driven.go, recognize.go: refuses it for another cluster, jobs of others,
//     an old snapshot, missing rights, an open push, or a drive
//   - controller.go, hostlock.go: takes the locks
//   - send.go, result.go: stores and sends each batch, then its answers
//   - verify.go: after the next run each order gets its last state; changes by others stay
//   - standing.go: compares the master's order with the wanted one
//   - release.go: undoes all pushes
//   - exporter.go: interfaces of host, store and batch system
package exporter
