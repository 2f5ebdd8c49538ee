package model

import "time"

// A Standing is the place of a waiting job in a run planned at one moment. It can be recomputed from the
// snapshot.
type Standing struct {
	Job    uint32
	Rank   int       // place in dispatch order, from 1; 0 if the scheduler does not try it
	Tasks  int64     // waiting tasks
	Cause  Cause     // why the job does not start, or its first task that does not
	Object string    // the host, queue instance or quota rule of the cause; empty for the job itself or for everywhere
	Lacks  string    // the resource of the cause
	Rival  uint32    // for CausePriority and CauseReserved: the job that comes first, if there is one to name
	Start  time.Time // start of the reservation; zero for none
}

// A Cause is a class of reasons for waiting, as waiting time is counted.
type Cause string

// The causes. If several apply, engine/history chooses.
const (
	CauseStarts     Cause = "the next run"        // nothing prevents it; it starts in the run
	CausePriority   Cause = "lower priority"      // jobs before it take, or wait for, what it needs
	CauseReserved   Cause = "reserved slots"      // what it needs is free, but kept for a reservation
	CauseBusy       Cause = "busy"                // running jobs use what it needs, and no job is before it
	CauseHost       Cause = "host limits"         // load thresholds, consumables of hosts
	CauseClosed     Cause = "closed queues"       // suspended, disabled, in error, a calendar
	CauseQuota      Cause = "quota"               // resource quotas, limits of users, groups and projects
	CauseHold       Cause = "hold"                // -h
	CauseDependency Cause = "dependency"          // it waits for other jobs
	CauseTime       Cause = "execution time"      // -a
	CauseError      Cause = "error state"         // Eqw
	CauseTaskLimit  Cause = "task limit"          // -tc, max_aj_instances, max_run_subjobs
	CauseAdvance    Cause = "advance reservation" // -ar: it has not begun
	CauseMisfit     Cause = "fits nowhere"        // no host, queue or environment ever meets its requests
	CauseUnknown    Cause = "unknown"
)

// A Load is the use of a cluster at one moment, and the waiting jobs by cause. It can be recomputed from the
// snapshot.
type Load struct {
	Slots, Used int64        // of all queue instances; for PBS: CPUs of vnodes
	Waiting     []CauseCount // by cause, in the order of the causes
}

// A CauseCount is the number of jobs and tasks that wait for one cause.
type CauseCount struct {
	Cause       Cause
	Jobs, Tasks int64
}
