// Package schedule plans one scheduler run of Grid Engine. The package decides which tasks start and where,
// and which jobs get a reservation and when. It also finds the reasons why the other jobs wait. The plan
// follows sched_conf(5) and the quirks of the release (rules D in docs/rules).
//
// Its steps:
//
//  1. Put the tasks into lists, for example those that wait (package "split"). Then copy the data about the cluster.
//     Subtract the resources of running tasks from the free resources. During the copy and step 2, another goroutine
//     computes the priorities, and sorts the jobs (package "priority").
//  2. The scheduler keeps lists of all queue instances, parallel environments and other objects. Look at
//     earlier runs, and infer the order of the entries in each list (package "memory"). From the list of queue
//     instances, make the search list: the queue instances that the run searches. At first, the search list
//     has only the open queue instances, in which tasks can start (package "cluster"). Closed queue instances
//     can only get reservations. A queue instance is closed if it is full, or if its calendar closes it.
//  3. Take the next task of the waiting job with the highest priority. The waiting jobs are in a sorted list.
//     When a task of an array job starts or gets a reservation, the job goes into a heap. In the heap, the
//     job has the priority of its next task (rule R11). The run compares the first job of the list with the
//     first job of the heap. It takes the job with the higher priority.
//  4. Check maxujobs before each task. If the owner of the job already has maxujobs running tasks, the job
//     waits (rule S6). The running tasks include the tasks that this run started (rule D43).
//  5. Check whether the job may get a reservation (rule S5). The job needs -R y, and must not be immediate
//     (-now y). The number of reservations in this run must be below max_reservation. The category of the job
//     must not be rejected: step 7 of this run or of an earlier run can reject a category (rule D6). If the job
//     may get a reservation, add closed queue instances to the end of the search list (function OpenClosed,
//     rule D20). Among these are queue instances that step 8 removed because of their load (rule D5).
//  6. Search for a place where the task can start now (packages "place" and "parallel"). The jobs of one
//     category have the same requests, and the same rights to use hosts and queues. If this search fails for a
//     task, omit it for all later tasks of the category, also for those of the same job (rule S4).
//  7. If the task cannot start now and the job may get a reservation, search for a later time. Omit this search
//     if step 6 found that time is not the only obstacle (rule S5). Do not omit it if the run omitted step 6
//     (rule D44). If the task gets no later time, the run rejects the category, the job waits, and the run omits
//     step 8. So the queue instances from step 5 stay in the search list for the next job (rule D4).
//  8. Book the resources for the task. If the task got a reservation, add one to the number of reservations.
//     max_reservation limits the number of tasks with a reservation, not the number of jobs (rule D51). Then
//     remove closed queue instances from the search list: queue instances that are full, suspended or
//     overloaded, or that their calendar closes. Some of them are from step 5.
//  9. If the release has the quirk StopWhenFull and the search list is empty, end the run, even if jobs still
//     wait (rule D3). In all other cases, go back to step 3. An example is a full cluster: its search list is
//     empty at first. If the first job has no -R y, the list stays empty, and the run ends. If the first job has
//     -R y, step 5 fills the list. When this job has its reservation, step 8 empties the list, and the run ends.
//     So at most one task gets a reservation.
//
// After these steps, the run records why each waiting job does not start. Three things make the many runs of a
// forecast fast. With Options.Brief, a run records no reasons. A Memory has a Register. The Register keeps the
// category of each job, and where a category may run, until the configuration changes. The next run uses the space
// of the long lists again (package engine/room).
//
// Files for runs:
//   - schedule.go: Run plans a run; Dispatch plans a run with known priorities
//   - runs.go: Runs plans one run after the other
//   - pending.go: the waiting jobs in dispatch order
//   - dispatch.go: tries the pending jobs one by one
//   - search.go: tries one job now, then for a reservation
//   - book.go: books the place, and closes full queue instances
//
// Files for reasons:
//   - explain.go: why a job was not tried, or got no reservation
//   - binding.go: a note on jobs with core binding
//   - gate.go: Gate knows which queue instances never accept a job
//   - idle.go: Idle is the cluster without load; a job that does not fit there can never run
package schedule
