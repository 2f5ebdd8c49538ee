// Package cycle plans one cycle of the PBS scheduler: in which order it considers the jobs, which ones it starts and
// where, for which ones it keeps vnodes free and until when, whom it preempts, and why the others wait. It decides what
// pbs_sched(8B) does, by sched_config, the attributes of server, scheduler, queues and vnodes, and the reservations.
//
// Run is a function of a snapshot, a moment, and what the scheduler remembers of its earlier cycles:
//
//  1. The world is loaded in the order in which the scheduler reads it: policy by primetime, server, vnodes, queues, jobs queue by
//     queue, reservations. What ends and begins later makes the calendar. Resources are numbered, amounts are in the scheduler's own
//     units.
//  2. Jobs of stopped queues and entities without shares are passed over. A reservation to be confirmed takes the whole cycle.
//  3. fairshare.Memory charges what running jobs used since the last cycle, lets usage decay, and computes percentages and tree usage,
//     in 32 bits where the scheduler does. Each job gets its preempt priority and the value of job_sort_formula (formula,
//     formula/python).
//  4. Jobs are sorted: preempt priority, preempted ones, formula, fairshare, sort keys, arrival. Comparing entities is not transitive,
//     so that the steps of the C library's merge sort are part of the result. by_queue and round_robin pick from sorted queues.
//  5. Job after job is tried: what its class learnt, a quick look at all vnodes together, limits, primetime and dedicated time,
//     resources of queue and server, then vnodes, chunk by chunk, in placement sets or buckets, around what the calendar has until the
//     job would end.
//  6. What fits starts. Else others are preempted for it, tried out in a copy of the world. Else, with strict_ordering, it may become a
//     top job: the copy goes on event by event, with the fuzz, until it fits, and its vnodes are kept from then on. With fair_share the
//     rest is sorted anew.
//  7. What does not start has the first condition that it failed, as the scheduler logs it.
//
// # A cycle, and one after the other
//
//   - cycle.go: Run plans a cycle, by Options that say which
//   - world.go: A world is the state of a cluster as one cycle sees and changes it
//   - uncomputed.go: noteUncomputed says what the cycle does that the plan leaves out: jobs of other servers, provisioning, options that
//     later releases lack
//   - universe.go: begin books that a claim starts now, on the vnodes that were found for it
//   - forecast.go: Forecast plays cycles forward in virtual time
//   - once.go: Once says what it makes of a cycle that job_sort_formula is calculated once at its start
//   - cluster.go: A Cluster is a snapshot of PBS on which plans are carried out
//   - ended.go: Ended are the jobs and subjobs that have ended, as accounting records tell of them
//   - idle.go: An Idle cluster is that of a snapshot with nothing in its way
//
// # 1. What is there
//
//   - load.go: load reads the cluster in the order in which the scheduler does
//   - vnode.go: A vnode is a vnode, or the part of one that belongs to a reservation
//   - stock.go: A stock is what a vnode, a set of vnodes, a queue or the server has of each resource, and what of it is assigned
//   - resource.go: A resource is a resource that the server knows, pbs_resources(7B)
//   - request.go: A request is an amount of a resource that is asked for or given
//   - reservation.go: States of reservations, as pbs_rstat -F prints them
//   - calendar.go: A calendar holds the events of the future in the order in which they happen
//   - claim.go: A claim is a job or a reservation
//   - class.go: A class is a number of jobs that ask for the same
//   - prime.go: prime reports whether it is primetime
//   - processors.go: processors are those that a job had
//
// # 2., 3. Who takes part, and what they are rated
//
//   - aside.go: Aside lists the jobs that wait and that the scheduler does not look at
//   - suspended.go: preemptedAt is when a job was preempted, zero for one that was not
//   - rate.go: rate finds the preempt priority and the formula's value of each job
//   - formula.go: parse readies a formula; nil for none, and for one that Python does not accept
//   - level.go: levelNames are the words of preempt_prio
//   - charge.go: A Charge is what an entity will be charged when a cycle begins
//
// # 4. The order
//
//   - order.go: A place in line is what a job is sorted by, gathered so that sorting need not look at the job
//   - lineup.go: A Lineup is the order in which a cycle considers jobs before it has started any, and what they are sorted by
//   - sorted.go: Order is the order in which the cycle at a moment would consider the waiting jobs if nothing that it does changed what
//     they are sorted by
//   - sure.go: A Sureness says how far the order of a job and the next one depends on what running jobs will be charged
//
// # 5. The search
//
//   - try.go: try says where a claim can start now, or why it cannot
//   - limit.go: A limitKey names a limit: of a kind, an entity of that kind, and a resource or runs
//   - search.go: A search looks for vnodes for a claim
//   - fit.go: A Fit says whether a vnode has room for a piece of a job
//   - set.go: A set is a number of vnodes and the sums of their resources
//   - bucket.go: A bucket is a number of vnodes that are alike
//   - byhost.go: byHost goes host by host, as the scheduler does where some host has several vnodes
//   - sortkey.go: sortByHost sorts by name of the host, then by node_sort_key
//   - hashorder.go: hashed gives the places of different names in the order in which the C++ library goes through an unordered_map that
//     they were put into one after the other
//   - shrink.go: shrink shortens a job: to the boundary that it would cross, or to what starts before its end
//
// # 6. What starts, now or later
//
//   - record.go: recordStart notes that a job starts
//   - preempt.go: preempt stops jobs of lower levels so that a job can start, and starts it
//   - similar.go: similar reports whether stopping a job has to do with one of the reasons why the other one could not start
//   - estimate.go: estimate says when and where a claim can start, in a copy of the world whose time goes on event by event
//   - booked.go: Booked is a plan with the processors of every vnode, and what runs, starts and is planned on them, as lines of a
//     schedule file, which PBS has none of
//
// # 7. What does not
//
//   - failure.go: A failure is why a job does not run
//   - refused.go: refusal is why the server did not start a job that waits when the scheduler asked it to last, by the job's comment
//   - told.go: Told reads why a job does not run, as the scheduler logs it or writes it into the job's comment
package cycle
