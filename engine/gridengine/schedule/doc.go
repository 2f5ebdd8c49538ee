// Package schedule plans one scheduler run of Grid Engine. The package decides which tasks start and where,
// and which jobs get a reservation and when. It also finds the reasons why the other jobs wait. The plan
// follows sched_conf(5) and the quirks of the release (rules D in docs/rules).
//
// Its steps:
//
//  1. Copy the data about the cluster. At the same time, another goroutine sorts the jobs by priority
//     (package "priority"). Subtract the resources of running tasks from the free resources. Make the search
//     list: the queue instances that the run searches. At first, the search list has only the open queue
//     instances, in which tasks can start (package "cluster"). Closed queue instances can only get
//     reservations. A queue instance is closed if it is full, or if its calendar closes it.
//  2. The scheduler keeps lists of all queue instances, parallel environments and other objects. Infer the
//     order of these lists from earlier runs (package "memory").
//  3. Take the next task of the waiting job with the highest priority. The waiting jobs are in a sorted list.
//     When a task of an array job starts or gets a reservation, the job goes into a heap. In the heap, the
//     job has the priority of its next task (rule R11). The run compares the first job of the list with the
//     first job of the heap. It takes the job with the higher priority.
//  4. Check maxujobs before each task. If the owner of the job already has maxujobs running tasks, the job
//     waits (rule S6). The running tasks include the tasks that this run started (rule D43).
//  5. Check whether the job may get a reservation (rule S5). The job must have -R y, and must not be
//     immediate (-now y). The run must have made fewer reservations than max_reservation. The scheduler must
//     not have rejected the category of the job (rule D6). If the job may get a reservation, OpenClosed adds
//     the closed queue instances at the end of the search list (rule D20). OpenClosed also adds queue
//     instances that new tasks of this run overload (rule D5).
//  6. Search for a place where the task can start now (packages "place" and "parallel"). If the run already
//     found no place for another job of the same category, the run omits this search (rule S4). The jobs of
//     one category have the same requests, and the same rights to use hosts and queues.
//  7. If the task does not start now and the job may get a reservation, search for a later time. The run
//     searches for a later time even if it omitted the search for a start now (rule D44). If the run finds no
//     later time, the job waits, and the run omits step 8. Then the queue instances that step 5 added stay in
//     the search list until another task starts or gets a reservation (rule D4).
//  8. Book the resources for the task. If the task got a reservation, add one to the number of reservations.
//     max_reservation limits the number of tasks with a reservation, not the number of jobs (rule D51). Then
//     close queue instances: remove them from the search list if they are full, suspended or overloaded, or
//     if their calendar closes them. This also removes queue instances that step 5 added.
//  9. If the search list is empty, end the run, even if jobs still wait (rule D3). If the search list is not
//     empty, go back to step 3. In a full cluster, no queue instance is open. So the search list has only the
//     queue instances that step 5 added. After the first reservation, step 8 removes them, and the run ends.
//     So at most one task gets a reservation.
//
// After these steps, the run records why each waiting job does not start.
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
