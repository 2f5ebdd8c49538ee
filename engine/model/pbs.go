package model

import "time"

// A System is the batch system of a snapshot, whose rules apply.
type System string

// The systems. Torque and PBS have a common ancestor and many common file formats.
const (
	GridEngine System = ""
	PBSSystem  System = "PBS"
	Torque     System = "Torque"
)

// Name is the common name of a system.
func (s System) Name() string {
	if s == GridEngine {
		return "Grid Engine"
	}
	return string(s)
}

// PBS has the facts that only a snapshot of a PBS cluster has. Its jobs, vnodes, queues and resources are in
// Snapshot.Jobs, Hosts, Queues and Resources, each with a PBS part.
type PBS struct {
	Server       PBSServer
	Schedulers   []PBSScheduler // in the server's order; a live server always has one named "default"
	FilesOf      string         // the scheduler of these files, tree and log; empty for "default"
	Planned      string         // the scheduler whose cycles are planned; empty for that of FilesOf
	SchedConfig  SchedConfig    // sched_config
	Formula      string         // sched_formula, or job_sort_formula if that file is missing; empty for none
	Fairshare    Fairshare      // resource_group, usage, and options of sched_config about fairshare
	Holidays     Holidays       // holidays
	Dedicated    []Period       // dedicated_time, in the file's order
	Reservations []PBSReservation
	Hooks        []PBSHook

	Fair         []FairReport     // output of pbsfs -p or pbsfs -t: every node, in order
	FairEntities []FairEntity     // output of pbsfs -g, for each entity
	FairPairs    []FairComparison // output of pbsfs -c, for each pair
	Cycles       []SchedCycle     // the scheduler's log
	FairReads    []FairRead       // in the log: when the scheduler read the usage file
	Accounting   []AccountingRecord
	Sources      []Setting // if several files have the same information, the one that was used ("jobs" "qstat_f.json")
	Repairs      []Repair  // values that releases print wrong, corrected
}

// A PBSServer is the server object, pbs_server_attributes(7B).
type PBSServer struct {
	Name               string
	Host               string // server_host
	State              string // "Idle", "Active", "Scheduling"
	Scheduling         bool
	EligibleTimeEnable bool
	BackfillDepth      Count  // backfill_depth
	NodeGroupEnable    bool   // node_group_enable
	NodeGroupKey       string // node_group_key, a comma list
	Formula            string // job_sort_formula in its old place
	DefaultQueue       string
	Available          []Setting // resources_available
	Assigned           []Setting // resources_assigned
	Limits             []Limit   // max_run …, of whole server, in the order printed
	Attributes         []Setting // every attribute as printed, including those above: "resources_default.ncpus" "1"
}

// A Count is a number that may be unset.
type Count struct {
	Set bool
	N   int64
}

// A PBSScheduler is a scheduler object, pbs_sched_attributes(7B).
type PBSScheduler struct {
	Name        string
	Host        string // sched_host
	State       string // "idle", "scheduling", "down"
	Scheduling  bool
	Partition   string
	CycleLength time.Duration // sched_cycle_length
	Formula     string        // job_sort_formula
	Threshold   string        // job_sort_formula_threshold as printed, empty for none
	// opt_backfill_fuzzy as printed: off, low, medium, high or seconds; empty for unset, which is low
	Fuzzy              string
	PreemptQueuePrio   int           // preempt_queue_prio
	PreemptPrio        string        // preempt_prio
	PreemptOrder       string        // preempt_order
	PreemptSort        string        // preempt_sort
	EnforceResumption  bool          // sched_preempt_enforce_resumption
	NoPreemptTargets   bool          // preempt_targets_enable is set to false
	DoNotSpanSets      bool          // do_not_span_psets
	OnlyExplicitSets   bool          // only_explicit_psets
	NoThroughput       bool          // throughput_mode is set to false
	LogEvents          int64         // log_events, a sum of event bits
	SchedulerIteration time.Duration // scheduler_iteration
	Attributes         []Setting     // every attribute as printed, including those above
}

// A Limit is one entry of a limit attribute: max_run_res.ncpus = [u:PBS_GENERIC=4],[o:PBS_ALL=8] is two.
type Limit struct {
	Attribute string // "max_run", "max_run_soft", "max_run_res", "max_run_res_soft", "max_queued" …
	Resource  string // for attributes about one resource
	Kind      string // "o" all, "u" user, "g" group, "p" project
	Entity    string // name, or PBS_ALL, PBS_GENERIC
	Value     string // as printed
	Amount    float64
}

// A PBSReservation is an advance, standing or maintenance reservation, as pbs_rstat -F prints it.
type PBSReservation struct {
	ID       string // "R12.pbsvm", "S13.pbsvm", "M14.pbsvm"
	Name     string
	Owner    string // "alice@pbsvm"
	State    string // "RESV_CONFIRMED", "RESV_UNCONFIRMED", "RESV_RUNNING" …
	Substate int
	Start    time.Time // of the next occurrence
	End      time.Time
	Duration time.Duration
	Queue    string // its queue's name, "R12"
	User     string // euser
	Group    string // egroup
	Requests []Request
	Select   string // Resource_List.select
	Place    string // Resource_List.place
	Sched    string // schedselect: select with all defaults
	Nodes    string // resv_nodes, in the form of exec_vnode
	Rule     string // reserve_rrule of a standing reservation
	Index    int    // reserve_index: number of the occurrence, from 1
	Count    int    // reserve_count: number of occurrences
	Other    []Setting
}

// A PBSHook is a hook as qmgr's print hook shows it, without its program. A hook to install has the program,
// too.
type PBSHook struct {
	Name       string
	Attributes []Setting // "event" "queuejob,modifyjob"
	Python     string    // the program of a hook to install
}

// A Period is a time from Start until before End.
type Period struct {
	Start, End time.Time
}

// A Repair is invalid or ambiguous output of a command, and how it was read.
type Repair struct {
	File  string
	Line  int
	Text  string // the text, shortened
	Note  string // the correction
	Count int    // number of cases; place and text are those of the first
	Guess bool   // the output is valid but ambiguous
}
