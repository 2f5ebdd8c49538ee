// Package cluster stores the state of a PBS cluster during one cycle of the scheduler, pbs_sched(8B).
//
// A World has vnodes, queues, the server and claims. A claim is a job or a reservation. The method Begin
// records the start of a claim in the World, and Finish records its end. Begin and Finish also update the
// vnodes, the preempt priorities of jobs, and the sum of the resources in each placement set. They also
// update the counts that package "limit" compares with limits. The calendar of a World has the future starts
// and ends of claims. To choose jobs for preemption and to estimate later starts, qprism works on a copy of
// the World (method Clone).
//
// Its files:
//   - world.go: the world, its queues and policy, and its Clone
//   - claim.go: jobs and reservations, and their durations
//   - vnode.go: vnodes, their states, and their use
//   - set.go: sums of resources: of all vnodes, of a host, or of a placement set
//   - sortkey.go: node_sort_key and job_sort_key
//   - policy.go: changes at the boundary of primetime; whether a queue is open
//   - level.go: preempt priorities, preempt_prio
//   - calendar.go: future starts and ends
//   - booking.go: Begin and Finish
//   - execvnode.go: vnodes in the order of exec_vnode
package cluster
