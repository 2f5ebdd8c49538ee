// Package exporter makes a cluster do what was decided: orders become commands that are stored, sent, read
// back, resumed and taken back. The packages below know the commands of each batch system. A push goes
// through these files:
//
//   - assigned.go: new priorities become orders
//   - whose.go, age.go, refuse.go, driven.go, recognize.go: it is refused for another cluster, for jobs of
//     others, when the snapshot is old or forbids it, rights are missing, another push is open, or a drive
//     decides
//   - controller.go, hostlock.go: the locks are taken
//   - send.go, result.go: it is stored; each batch is stored as sent, sent in one execution, and stored
//     with its answers
//   - verify.go: the next scheduler run is awaited, every order gets its last state; after an interruption,
//     what the master has decides what is confirmed and what is sent again; what somebody else changed is
//     left alone
//   - standing.go: the master's order is compared with the wanted one
//   - release.go: all pushes are taken back
//   - exporter.go: what it needs of a host, a store and a batch system
package exporter
