package model

import "time"

// A Standing is where a waiting job stands at one moment, as a run planned at that moment finds it. It can be derived
// from the snapshot again.
type Standing struct {
	Job    uint32
	Rank   int       // place in the order in which the scheduler takes the jobs, from 1; 0 where it does not take it
	Tasks  int64     // that wait
	Cause  Cause     // why the job, or the first of its tasks that do not start, does not start
	Object string    // where: the host, queue instance or quota rule in question; empty for the job itself or for everywhere
	Lacks  string    // the resource in question
	Rival  uint32    // of CausePriority and CauseReserved: the job that comes first, where one can be named
	Start  time.Time // that the run reserves from; zero for no reservation
}

// A Cause is why a job waits, in the terms in which waiting time is counted.
type Cause string

// The causes. Which of several is told, engine/history says.
const (
	CauseStarts     Cause = "the next run"        // nothing is in the way; it starts with the run
	CausePriority   Cause = "lower priority"      // jobs before it in the order take or wait for what it needs
	CauseReserved   Cause = "reserved slots"      // what it needs is free, and kept for a reservation
	CauseBusy       Cause = "busy"                // running jobs have what it needs, and nobody is before it
	CauseHost       Cause = "host limits"         // load thresholds, consumables of hosts
	CauseClosed     Cause = "closed queues"       // suspended, disabled, in error, a calendar
	CauseQuota      Cause = "quota"               // resource quotas, limits of users, groups and projects
	CauseHold       Cause = "hold"                // -h
	CauseDependency Cause = "dependency"          // waits for other jobs
	CauseTime       Cause = "execution time"      // -a
	CauseError      Cause = "error state"         // Eqw
	CauseTaskLimit  Cause = "task limit"          // -tc, max_aj_instances, max_run_subjobs
	CauseAdvance    Cause = "advance reservation" // -ar: it has not begun
	CauseMisfit     Cause = "fits nowhere"        // no host, queue or environment meets its requests, at whatever time
	CauseUnknown    Cause = "unknown"
)

// A Load is how much of a cluster was in use at one moment, and why what waits does. It can be derived from the snapshot
// again.
type Load struct {
	Slots, Used int64        // of all queue instances; of PBS: CPUs of vnodes
	Waiting     []CauseCount // by cause, in the order of the causes
}

// A CauseCount is how many jobs and tasks wait for one cause.
type CauseCount struct {
	Cause       Cause
	Jobs, Tasks int64
}
