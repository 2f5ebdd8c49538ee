// Package schedule plans one scheduler run of Grid Engine. The package decides which tasks start and where,
// and which jobs get a reservation and when. It also finds the reasons why the other jobs wait. The plan
// follows sched_conf(5) and the quirks of the release (rules D in docs/rules).
//
// Its steps:
//
//  1. Copy the cluster, subtract the resources of running tasks, and close queue instances (package
//     cluster).
//  2. Infer the order of the scheduler's lists from earlier runs (package memory).
//  3. Try the jobs in the order of their priorities, and try an array job task by task. If a job cannot
//     start, the run does not try to start other jobs of the same category (jobs with the same requests).
//     But if such a job has -R y, the run still tries to make a reservation for it (rule D44).
//  4. Search for a place where the job can start now. For a job with -R y, search also for a later time
//     (packages place and parallel).
//  5. Book the resources for the job. Close queue instances that are now full, suspended or overloaded.
//  6. Record why the other jobs do not start.
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
