// Package schedule plans one scheduler run: which tasks start and where, for which ones it reserves and when, and why
// the others wait. It decides what the scheduler of Grid Engine does, by sched_conf(5), queue_conf(5), complex(5),
// sge_pe(5) and sge_resource_quota(5), down to the quirks of the release.
//
// Dispatch has the steps of a run:
//
//   - The cluster of the snapshot is copied into a world of layers: the cluster as a whole, hosts, queue instances,
//     parallel environments, counters of quota rules, advance reservations. A layer has capacities, load, and for each
//     consumable a use: an amount at the moment, and a diagram of it over time (world, layer, diagram, quota, advance).
//   - What runs is debited, and booked for as long as it is expected to run; calendars close queues (running, debit, closing).
//   - Load, corrected for jobs that started lately, ranks hosts and closes what is overloaded (load, threshold, order).
//   - Jobs are taken in the order of their priorities, an array task by task. Those that ask for the same are of one
//     category, and once one of them fails the others are not tried (pending, category, dispatch).
//   - An attempt looks for a place now and, for a job that reserves, for a time. Checks that depend on neither time nor
//     load come first (attempt, static, cluster), then resources (attribute, fit). A sequential job takes one slot of
//     the best queue instance (sequential); a parallel one slots of several, in the numbers of its range (parallel,
//     slots, harvest, range), and its time is searched among the moments at which something ends (reserve, sweep).
//   - What was found is booked, and what is full, suspended or overloaded by it is closed (book).
//
// What a scheduler knows beyond a snapshot, as the order in which things changed, is learnt from the bundle and from the
// runs before (learn, memory); where it cannot be known, a decision names its equals (tied).
//
// What does not start keeps its reasons as data, place by place: kind, level, object, what was asked and offered, and whether time mends
// it. The lines of the schedule file come out of the same bookings, in the order in which the scheduler writes them.
//
// # A run, and one after the other
//
//   - schedule.go: Run plans a run, by Options that say which
//   - runs.go: Runs makes a planner of one run after the other of one that plans a single run
//   - dispatch.go: dispatch tries the pending jobs one by one, in dispatch order, an array task by task
//   - pending.go: Pending are the jobs that wait, in dispatch order
//   - standing.go: A standing is what the configuration says of a category
//   - category.go: A category holds jobs that ask for the same
//
// # What is there
//
//   - world.go: A world is the scheduler's copy of the cluster in one run
//   - layer.go: A layer is a place that has resources
//   - running.go: A runningTask is a task that has slots at the moment of the run
//   - debit.go: A debit is what one task takes from the resources of the places where it runs
//   - granted.go: grantReserved gives advance reservations of which nothing else is known the slots that queue instances keep and that no
//     other reservation has
//   - closing.go: closeAt books all slots of an instance
//   - advance.go: An advance is an advance reservation
//   - quota.go: A quotaSet is a resource quota set that is enabled
//   - diagram.go: A diagram is the amount of a resource in use over time
//   - idle.go: An Idle cluster is that of a snapshot with nothing in its way
//
// # Which places come first
//
//   - load.go: addLoad reads what a host reported last, scaled as configured
//   - threshold.go: A threshold is a load or a consumable that must not be exceeded in a queue instance, queue_conf(5) load_thresholds
//     and suspend_thresholds
//   - order.go: The last search decides whether the queue instances have to be sorted again
//   - cluster.go: checkCluster finds what rules a cluster queue out
//
// # The search for a place
//
//   - attempt.go: An attempt is the search for a place for one task
//   - static.go: allowsCluster checks whether a cluster queue takes jobs of this kind on any host
//   - attribute.go: An attr is an entry of the complex, complex(5), ready to be compared
//   - lacks.go: lacksAny reports whether the job asks for something that is not known in a queue instance, on its host, or globally
//   - fit.go: A result says whether something can run at a moment
//   - sequential.go: assignSequential finds a queue instance for one task that needs one slot
//   - parallel.go: The allocation rules of sge_pe(5) that have a name
//   - slots.go: Slots are how many slots there are
//   - scope.go: A seat is what a search has of the master task where it looks, for requests of that task alone or of the others alone
//     (-scope)
//   - harvest.go: A harvester takes slots from the queue instances of one host
//   - range.go: mostNumbers bounds the numbers of slots that are looked at for one job
//   - sortout.go: sortOut skips, for the rest of a try, the cluster queues or hosts in which a quota rule that is used up leaves a
//     parallel job nothing
//   - gate.go: A Gate knows which queue instances never take a job, whatever is free there
//
// # The search for a time, and what is booked
//
//   - reserve.go: findTime finds when a parallel task can start with the least number of slots
//   - sweep.go: A sweep knows for every moment how many slots all hosts together have for the jobs of a category, as far as those that
//     one host can give do not depend on what others give
//   - book.go: book gives the task what the search found
//
// # What earlier runs left, and what nothing shows
//
//   - learn.go: learnOrder goes through all starts and ends of tasks since the last run of the scheduler, or all that the snapshot shows,
//     the oldest first
//   - past.go: A Past is in which order earlier runs tried the jobs that they started, by the policy of a snapshot: that which was in force
//     then
//   - memory.go: A Memory is what a scheduler keeps from run to run
//   - rejected.go: recallRejected infers which categories the scheduler never reserves for again (D6), of a scheduler of which no earlier
//     run was planned
//   - weights.go: rangeWeights is the end of the line in which a scheduler with PROFILE=1 tells what its searches of ranges have taught
//     it (D15)
//   - tied.go: tied names the queue instances that were as good as the one granted, and lost by nothing but the order of the scheduler's
//     own list, where that is not known
//
// # Why others wait
//
//   - binding.go: noteBound says which waiting jobs ask to be tied to processors where the scheduler chooses these
//   - explain.go: explainRest says of all other waiting tasks why they took no part in the run
package schedule
