// Package cluster is the state of a PBS cluster as one cycle of the scheduler sees and changes it.
//
// A World holds vnodes, queues, the server, and claims: a claim is a job or a reservation. Begin books that
// a claim starts, Finish that it ends. Both change vnodes, counts of limits, preempt priorities and the
// sums of placement sets. The calendar has the events to come. Preemption and estimates of later starts try
// things out in a Clone.
//
//   - world.go: the world, its queues and policy, and how it is cloned
//   - claim.go: jobs and reservations, and how long they take
//   - vnode.go: vnodes, their states, and what is taken of them
//   - set.go: sums over all vnodes, hosts and placement sets
//   - sortkey.go: node_sort_key and job_sort_key
//   - policy.go: what changes when primetime begins or ends; whether a queue is open
//   - level.go: preempt priorities, preempt_prio
//   - calendar.go: starts and ends to come
//   - booking.go: Begin and Finish
//   - execvnode.go: vnodes as exec_vnode lists them
package cluster
