package model

import "time"

// A Plan holds the decisions of one scheduler run, in the order in which the scheduler takes them.
type Plan struct {
	RunAt       time.Time
	Decisions   []Decision     // one for each task that starts or is reserved for, one for the rest of each waiting job
	Lines       []ScheduleLine // what MONITOR records of the run, in its order; nil where nothing is known of them
	Closed      []Reason       // queue instances in which no job could start, whatever it asks for
	Utilization []Utilization  // every resource that a line or a calendar books, in order of first booking
	Notes       []string       // what kept the run from being planned in full, in words
	Preempted   []Preemption   // of PBS: jobs that were stopped for others, in that order
	Ratings     []Rating       // of PBS: what every job that the scheduler reads is sorted by, in the order in which it reads them
}

// A Decision is what the scheduler does about one task, or about the waiting tasks of a job that it does nothing about.
type Decision struct {
	Job      uint32
	Tasks    []Range // one task where it starts or is reserved for
	Verdict  Verdict
	Start    time.Time     // of Now and Later; a reservation can land at the zero Unix time, which is a value of its own
	Duration time.Duration // with DURATION_OFFSET, Forever for no end; of Now and Later
	PE       string        // parallel environment granted
	Slots    []Grant       // queue instances granted, the master task's first
	Tied     []string      // queue instances that were as good as one granted, and lost only by an order that no bundle shows
	Why      []Reason      // why the job does not start now; shared between jobs of one category

	ID     string // of PBS: the job's id, of an array or its subjob
	Array  string // of PBS: the id of the array that was considered, where a subjob of it starts
	Tried  bool   // of PBS: the scheduler considered the job ("Considering job to run"); else it was passed over with others
	Placed string // of PBS: exec_vnode of Now and Later
}

// A Verdict says what becomes of a task in a run.
type Verdict string

// The verdicts. A task that has to wait is Later where the run reserved for it, and else Never, whatever later runs do.
const (
	Now   Verdict = "start"
	Later Verdict = "reserve"
	Never Verdict = "wait"
)

// A Reason is one condition that a job fails, at one place.
type Reason struct {
	Kind     ReasonKind
	Level    string    // P, G, H, Q, L as in the schedule file; empty for the job itself
	Object   string    // host, queue instance, cluster queue, PE, or "set/rule" of a quota
	Resource string    // the resource, list, project … in question
	Asked    string    // what the job asks for
	Offered  string    // what is there
	Later    bool      // another time would do: a consumable is short
	Reserved bool      // what is short is free at the moment and reserved for others
	Scope    TaskScope // of Grid Engine: the part of a parallel job that asks for it
	Text     string    // of PBS: what the scheduler logs about it; it then says one reason for the job, the first that it met
	Comment  string    // of PBS: what it writes into the job's comment
	Never    bool      // of PBS: with the resources configured the job can never run
	Failure  Failure   // of PBS: which condition it is; Kind is its kind
	Who      string    // of PBS: the user, group or project that a limit counts
	Differs  bool      // of PBS: what is offered is not too little but another one than is asked for
}

// A ReasonKind names a condition.
type ReasonKind string

// The conditions, in the order in which the scheduler looks at them.
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
	ReasonStale         ReasonKind = "changed since"        // the job was not there at the time of the run
)

// HoldsBack reports whether such a reason keeps a job out of the run of Grid Engine: it has no place in the order, and is not tried.
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

// A Step is an amount in use from a moment on.
type Step struct {
	At     time.Time
	Amount float64
}
