// Package exporter makes a cluster do what was decided. Orders become commands; they are stored, sent, read back, resumed,
// and taken back. What the commands of one batch system are called, and how it answers, is for the packages below.
//
// A push goes from a wanted order to one that holds:
//
//  1. engine/assign finds the fewest priorities that bring the wanted order about. steer.Run recomputes the native order after
//     the changes, as altering a job moves it to the end of the scheduler's list; of PBS, steer.Cycle sorts a cycle.
//  2. Pusher refuses what must not be sent: the snapshot forbids it or is too old, too many jobs change, rights are missing,
//     another push is open, somebody else holds the lock or has set a stop file, or has altered the jobs since.
//  3. The push is stored. Each batch of orders is stored as sent, sent in one execution, and stored with the answers.
//  4. The next scheduler run is awaited, and every order gets its last state. StandingOf compares the order of what still
//     waits with the wanted one; gridengine.DriftOf explains the difference.
//  5. After an interruption, what the master has decides: an order that arrived is confirmed, another one is sent again. Undo
//     is a push of its own with the inverse orders. It leaves alone what somebody else changed since.
//
// Its files:
//   - exporter.go: what a push needs of a host, a store and a batch system
//   - result.go: what a command printed
//   - controller.go: Controller changes a cluster; it says, stops, and takes the locks
//   - hostlock.go: the lock on the host that runs the commands
//   - recognize.go: refuses orders that are for another cluster
//   - whose.go: whose a job is, since numbers come again
//   - age.go: refuses a snapshot that is too old
//   - refuse.go: refuses a push for other reasons
//   - driven.go: leaves alone what is driven
//   - assigned.go: priorities as orders
//   - send.go: Pusher stores and sends a push
//   - verify.go: reads it back, resumes it, and takes it back
//   - release.go: takes all pushes back
//   - standing.go: compares two orders of waiting jobs
package exporter
