// Package exporter changes jobs on a cluster. A push is a set of changes that qprism sends at one time,
// mostly new priorities. The package translates these changes into commands, stores the changes, sends the
// commands, and checks the result. In the code, one change is a model.Order. The package can also resume and
// undo a push. The packages exporter/gridengine and exporter/pbs have the commands of each batch system.
//
// Its files, in the order of the steps:
//   - assigned.go: makes a change from each new priority
//   - whose.go, age.go, refuse.go, driven.go, recognize.go: refuses a push for another cluster, for jobs of
//     others, from an old snapshot, without rights, or during another push or drive
//   - controller.go, hostlock.go: takes the locks
//   - send.go, result.go: stores and sends each batch, then stores its answers
//   - verify.go: after the next scheduler run, sets the state of each change
//   - standing.go: compares the master's order of jobs with the wanted order
//   - release.go: undoes all pushes; keeps values that somebody else changed
//   - exporter.go: interfaces of host, store and batch system
package exporter
