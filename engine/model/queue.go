package model

import "time"

// A Queue is a configured cluster queue, queue_conf(5): every attribute with its overrides, in file order.
type Queue struct {
	Name       string
	HostList   []string // hosts and "@groups"
	Attributes []QueueAttribute
	PBS        *PBSQueue // nil for Grid Engine
}

// A QueueSummary is a cluster queue in qstat -g c: the slots of all its instances.
type QueueSummary struct {
	Queue     string
	Load      float64 // mean of the hosts' normalized load; NaN if unknown
	Used      int
	Reserved  int
	Available int
	Total     int
	Off       int      // in instances closed for a while by alarms, calendars, subordination or suspension: aoACDS
	Manual    int      // in instances that are disabled, suspended, unknown or in error: cdsuE
	States    []Amount // slots by the states of -ext
}

// A QueueAttribute is one line of queue_conf(5): a value, and other values for hosts or host groups.
type QueueAttribute struct {
	Name      string
	Default   string
	Overrides []Setting // Name is a host or "@group"
}

// A QueueInstance is a queue on one host: its attributes there, and its state.
type QueueInstance struct {
	Name  string // "all.q@node01"
	Queue string
	Host  string

	SeqNo             int
	Type              string // "BATCH INTERACTIVE"
	Slots             int
	LoadThresholds    []Setting
	SuspendThresholds []Setting
	Suspensions       int // nsuspend
	SuspendInterval   time.Duration
	PEs               []string
	Checkpoints       []string
	Rerun             bool
	Calendar          string
	InitialState      string
	Capacity          []Setting // complex_values
	Subordinates      []Subordinate
	SlotwiseSum       int // subordinate_list slots=N(…), 0 if queue-wise
	ACL, XACL         []string
	Projects          []string
	XProjects         []string
	Limits            []Setting // s_rt h_rt … h_vmem as configured, "INFINITY"
	Ambiguous         []string  // attributes with different overrides by host groups

	Used, Reserved int         // slots at the time of the bundle
	State          string      // as qstat prints it: "au", "d"; empty for none
	Load           []LoadValue // qstat -F's resources
	Listed         bool        // qstat -f or qhost -q printed the instance
}

// A Subordinate is an entry of subordinate_list.
type Subordinate struct {
	Queue     string
	Threshold int    // slots in use that suspend it, 0 for all
	Order     int    // slot-wise: order of suspension
	Action    string // slot-wise: "sr" or "lr"
}

// Suspends reports whether this number of used slots suspends a subordinate queue. Without a threshold, all
// slots must be in use. This is also true for slot-wise subordinates (D33).
func (q *QueueInstance) Suspends(s Subordinate, used float64) bool {
	if s.Threshold == 0 {
		return used >= float64(q.Slots)
	}
	return used >= float64(s.Threshold)
}

// A PE is a parallel environment, sge_pe(5).
type PE struct {
	Name           string
	Slots          int
	ACL, XACL      []string
	AllocationRule string // "$pe_slots", "$fill_up", "$round_robin" or a number
	ControlSlaves  bool
	JobIsFirstTask bool
	UrgencySlots   string // "min", "max", "avg" or a number
	Settings       []Setting
}

// A Checkpoint is a checkpointing environment, checkpoint(5).
type Checkpoint struct {
	Name     string
	Settings []Setting
}
