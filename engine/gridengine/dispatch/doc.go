// Package dispatch decides what a dispatcher outside the scheduler starts where in a Grid Engine, and what each start has to ask
// for so that the native scheduler has nothing left to choose.
//
// The jobs that the dispatcher owns wait under a hold of its own. Decide lifts it in a copy of the snapshot, plans a run in the
// dispatcher's order, and takes the starts of owned jobs. Each is narrowed to its hosts and queues. Where a parallel
// environment would still leave a choice, namely which of several hosts gets fewer slots, hosts that are to be full ask to be
// first (a soft request). A job that cannot be narrowed so is planned once more in one queue. Last the native run is planned
// with the narrowed jobs released, all others held, and the jobs of others as they are, in the scheduler's order and with the
// starts in reverse: each pair of them is tried both ways. Only starts that come out of both exactly remain.
//
// Its files:
//   - dispatch.go: An Input is a cluster at a moment
//   - ahead.go: ahead decides about slots that are still taken
//   - lift.go: Lift is a snapshot without the holds of some tasks
//   - narrow.go: narrow finds what a start asks for, or says why that would leave a choice
package dispatch
