package model

import "time"

// A Policy is the scheduler configuration, sched_conf(5).
type Policy struct {
	Algorithm           string
	ScheduleInterval    time.Duration
	MaxUserJobs         int    // maxujobs
	QueueSort           string // queue_sort_method: "load" or "seqno"
	LoadAdjustments     []Setting
	LoadAdjustmentDecay time.Duration
	LoadFormula         string
	SchedulerJobInfo    string // schedd_job_info
	FlushSubmit         time.Duration
	FlushFinish         time.Duration
	Params              []Setting // "MONITOR" "1"
	ReprioritizeEvery   time.Duration
	MaxReservation      int
	DefaultDuration     time.Duration // Forever for INFINITY

	HalfTime           time.Duration // halftime
	HalfLives          []HalfLife    // halflife_decay_list
	UsageWeights       []Amount      // usage_weight_list
	CompensationFactor float64

	WeightUser, WeightProject, WeightDepartment, WeightJob float64
	FunctionalTickets, ShareTreeTickets                    uint32
	ShareOverrideTickets, ShareFunctionalShares            bool
	MaxFunctionalJobs                                      uint32 // max_functional_jobs_to_schedule
	ReportPendingTickets                                   bool   // report_pjob_tickets
	MaxPendingTasks                                        uint32 // max_pending_tasks_per_job
	Hierarchy                                              string // policy_hierarchy, "OFS"; empty for NONE

	WeightTicket, WeightUrgency, WeightPriority float64
	WeightWaitingTime, WeightDeadline           float64

	Other []Setting // keys of other releases, in the file's order
}

// Forever is an infinite duration.
const Forever = time.Duration(1<<63 - 1)

// A HalfLife is the half-life of a kind of usage: negative means at once, zero never.
type HalfLife struct {
	Name  string
	Every time.Duration
}

// A Config is the cluster configuration, sge_conf(5): global and for each host.
type Config struct {
	Global []Setting
	Hosts  []HostConfig
}

// A HostConfig is the local configuration of one host.
type HostConfig struct {
	Host     string
	Settings []Setting
}
