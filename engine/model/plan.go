package model

import "time"

// A Plan has the decisions of one scheduler run, in the scheduler's order.
type Plan struct {
	RunAt time.Time
	// one for each task that starts or is reserved for, and one for the rest of each waiting job
	Decisions   []Decision
	Lines       []ScheduleLine // what MONITOR records of the run, in order; nil if unknown
	Closed      []Reason       // queue instances in which no job could start, regardless of requests
	Utilization []Utilization  // every resource with a booking or calendar, in order of the first booking
	Notes       []string       // parts of the run that could not be planned, in words
	Preempted   []Preemption   // PBS: jobs stopped for others, in that order
	Ratings     []Rating       // PBS: sort values of every job that the scheduler reads, in its order of reading
}

// A Decision is the decision about one task, or about the remaining waiting tasks of a job.
type Decision struct {
	Job      uint32
	Tasks    []Range // one task if it starts or is reserved for
	Verdict  Verdict
	Start    time.Time     // for Now and Later; a reservation can be at Unix time 0, which is not the zero time
	Duration time.Duration // with DURATION_OFFSET, Forever for no end; for Now and Later
	PE       string        // granted parallel environment
	Slots    []Grant       // granted queue instances, the master task first
	Tied     []string      // queue instances as good as a granted one; only an order that no bundle shows decided
	Why      []Reason      // why the job does not start now; jobs of one category share the list

	ID     string // PBS: the id of the job, array or subjob
	Array  string // PBS: the id of the considered array, if its subjob starts
	Tried  bool   // PBS: the scheduler considered the job ("Considering job to run"); else it skipped it with others
	Placed string // PBS: exec_vnode for Now and Later
}

// A Verdict is the result for a task in a run.
type Verdict string

// The verdicts. A waiting task is Later if the run reserved for it, else Never, even if a later run may start
// it.
const (
	Now   Verdict = "start"
	Later Verdict = "reserve"
	Never Verdict = "wait"
)

// A Reason is one condition that a job does not meet, on one host, queue instance or other object.
type Reason struct {
	Kind     ReasonKind
	Level    string    // P, G, H, Q, L as in the schedule file; empty for the job itself
	Object   string    // host, queue instance, cluster queue, PE, or "set/rule" of a quota
	Resource string    // the resource, list, project … of the condition
	Asked    string    // the request
	Offered  string    // the available value
	Later    bool      // another time is possible: a consumable is short
	Reserved bool      // the amount is free now, but reserved for others
	Rule     string    // Grid Engine: the allocation_rule of a PE with too few slots together
	Scope    TaskScope // Grid Engine: the part of a parallel job with the request
	Text     string    // PBS: the scheduler's log message; there is one reason, the first that it met
	Comment  string    // PBS: the job's comment
	Never    bool      // PBS: the job can never run with the configured resources
	Failure  Failure   // PBS: the condition; Kind is its kind
	Who      string    // PBS: the user, group or project of a limit
	Differs  bool      // PBS: the offered value is not too little, but different
}

// A ReasonKind names a condition.
type ReasonKind string

// The conditions, in the order in which the scheduler checks them.
const (
	ReasonHold          ReasonKind = "hold"                 // -h, or held by an array dependency
	ReasonError         ReasonKind = "error state"          // Eqw
	ReasonDependency    ReasonKind = "dependency"           // -hold_jid
	ReasonExecutionTime ReasonKind = "execution time"       // -a
	ReasonTaskLimit     ReasonKind = "task limit"           // -tc, max_aj_instances
	ReasonFilter        ReasonKind = "job filter"           // params JC_FILTER hides the job from the run
	ReasonUserLimit     ReasonKind = "user limit"           // maxujobs
	ReasonAdvance       ReasonKind = "advance reservation"  // -ar
	ReasonQueueState    ReasonKind = "queue state"          // suspended, disabled, error, unknown …
	ReasonLoad          ReasonKind = "load threshold"       // load_thresholds, suspend_thresholds
	ReasonFull          ReasonKind = "full"                 // no slot left
	ReasonCalendar      ReasonKind = "calendar"             // closed
	ReasonQueueList     ReasonKind = "queue list"           // -q, -masterq
	ReasonQueueType     ReasonKind = "queue type"           // batch, interactive
	ReasonAccess        ReasonKind = "access"               // user_lists, xuser_lists
	ReasonProject       ReasonKind = "project"              // projects, xprojects
	ReasonPE            ReasonKind = "parallel environment" // pe_list, pattern without match, slots out of range
	ReasonPESlots       ReasonKind = "slots"                // not enough slots together
	ReasonCheckpoint    ReasonKind = "checkpoint"           // ckpt_list
	ReasonForced        ReasonKind = "forced resource"      // not asked for
	ReasonUnknown       ReasonKind = "unknown resource"     // nowhere
	ReasonNoRequest     ReasonKind = "not requestable"      // requestable NO
	ReasonResource      ReasonKind = "resource"             // a value does not match, or a consumable is short
	ReasonExclusive     ReasonKind = "exclusive"            // EXCL in use
	ReasonQuota         ReasonKind = "quota"                // sge_resource_quota(5)
	ReasonReschedule    ReasonKind = "reschedule"           // the host still cleans up after the task
	ReasonReservations  ReasonKind = "reservations"         // max_reservation reached, or no -R y
	ReasonStopped       ReasonKind = "run ended"            // no queue instance was left
	ReasonStale         ReasonKind = "changed since"        // the job did not exist at the time of the run
)

// HoldsBack reports whether a reason keeps a job out of a Grid Engine run: the job has no place in the order,
// and the run does not try it.
func (k ReasonKind) HoldsBack() bool {
	switch k {
	case ReasonHold, ReasonError, ReasonDependency, ReasonExecutionTime, ReasonTaskLimit, ReasonFilter, ReasonStale:
		return true
	}
	return false
}

// A Utilization is the use of one resource over time.
type Utilization struct {
	Level, Object, Resource string
	Total                   float64 // capacity
	Steps                   []Step  // ascending in time; nothing is in use before the first
}

// A Step is the amount in use from a moment.
type Step struct {
	At     time.Time
	Amount float64
}
