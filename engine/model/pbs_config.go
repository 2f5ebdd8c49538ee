package model

import "time"

// A SchedConfig is a sched_config file as the scheduler reads it (pbs_sched(8B)): later lines override
// earlier ones, lists grow, and lines with errors count as far as the scheduler accepts them.
type SchedConfig struct {
	Present  bool // the bundle has the file; else these are defaults
	Prime    CyclePolicy
	NonPrime CyclePolicy

	PrimeExemptAnytimeQueues bool   // prime_exempt_anytime_queues
	PrimetimePrefix          string // empty matches every queue
	NonprimetimePrefix       string //
	DedicatedPrefix          string //
	// prime_spill as written for prime and non_prime (quirk P25: the two are swapped)
	PrimeSpill, NonPrimeSpill time.Duration
	Resources                 []string  // resources, with host and vnode; nil without the option: all
	UnsetInfinite             []string  // resource_unset_infinite, with mpiprocs and ompthreads, sorted
	DynamicResources          []Setting // server_dyn_res: resource and command
	PeerQueues                []PeerQueue
	MaxJobCheck               Count // max_job_check; unset for ALL_JOBS
	PreemptAttempts           Count // preempt_attempts
	NoComments                bool  // update_comments false
	ResvIgnoresDedicated      bool  // resv_confirm_ignore dedicated_time
	AOECalendar               bool  // allow_aoe_calendar
	AvoidProvision            bool  // provision_policy avoid_provision
	SortNodesByUse            bool  // a node_sort_key uses unused or assigned amounts, at any time

	Lines []SchedLine // every option line of the file, in order
}

// DefaultSchedConfig has the options that are in force if sched_config is empty.
func DefaultSchedConfig() SchedConfig {
	return SchedConfig{Prime: CyclePolicy{Backfill: true}, NonPrime: CyclePolicy{Backfill: true},
		UnsetInfinite: []string{"mpiprocs", "ompthreads"}}
}

// A CyclePolicy has the options that may differ between primetime and the other time.
type CyclePolicy struct {
	RoundRobin     bool
	ByQueue        bool
	StrictOrdering bool
	StrictFIFO     bool
	FairShare      bool
	Preemptive     bool // preemptive_sched
	Backfill       bool // obsolete, but obeyed; true by default
	BackfillPrime  bool
	JobSortKeys    []SortKey
	NodeSortKeys   []SortKey
	RoundRobinDist bool // smp_cluster_dist round_robin; else pack
}

// A SortKey is a job_sort_key or node_sort_key.
type SortKey struct {
	Resource   string // or job_priority, fair_share_perc, preempt_priority; sort_priority, last_used_time of vnodes
	Descending bool   // HIGH
	By         string // for vnodes: "total", "assigned" or "unused"
}

// A PeerQueue says that jobs of another server's queue count as jobs of a local queue.
type PeerQueue struct {
	Local, Remote, Server string
}

// A SchedLine is an option line of sched_config.
type SchedLine struct {
	Line  int // of its first physical line, from 1
	Name  string
	Value string
	Prime string // as written: "prime", "non_prime", "ALL" …; empty for none
	Error string // the scheduler's log message about it, empty for none
	Used  bool   // it has an effect, despite any message
	Old   bool   // an obsolete name
}

// Holidays is the holidays file: when it is primetime.
type Holidays struct {
	Year  int        // 0: always primetime, regardless of the rest
	Days  []PrimeDay // seven days, Sunday first; nil without a year
	Dates []int      // holidays as days of the year, from 1; all non-primetime until midnight
}

// A PrimeDay says when primetime and non-primetime begin on a day of the week. A start without All and None
// is a time of day.
type PrimeDay struct {
	Prime, NonPrime DayStart
}

// A DayStart is when a state begins on a day.
type DayStart struct {
	All, None bool
	At        time.Duration // since midnight
}
