// Package exporter sends decisions to a cluster. Orders become commands, which are stored, sent, read back,
// resumed and undone. The packages below it know the commands of each system.
//
// A push has these steps:
//
// 1. assigned.go: new priorities become orders. 2. whose.go, age.go, refuse.go, driven.go, recognize.go: the
// push is refused if it is for another cluster or for jobs
//
//	of others, if the snapshot is old or forbids it, if rights are missing, if another push is open, or during a drive.
//
// 3. controller.go, hostlock.go: the locks are taken. 4. send.go, result.go: the push is stored. Each batch
// is stored as sent, sent in one execution, and stored with its
//
//	answers.
//
// 5. verify.go: after the next scheduler run every order gets its last state. After an interruption, the
// master's values
//
//	decide which orders are confirmed and which are sent again. Changes by others stay.
//
// 6. standing.go: the master's order is compared with the wanted one.
//
// release.go undoes all pushes. exporter.go has the interfaces of host, store and batch system.
package exporter
