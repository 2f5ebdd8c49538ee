package model

import "time"

// PBSHost holds what only PBS knows of a vnode. Host.Name is the vnode's name, Host.Capacity its resources_available.
type PBSHost struct {
	State       []string  // "free", or several: "job-busy", "offline", "down" …
	Assigned    []Setting // resources_assigned; what is 0 may be left out
	Mom         string    // host of its execution daemon
	Jobs        []string  // job ids, one for each processor in text, as JSON each once
	Reserved    []string  // resv: ids of reservations
	Sharing     string    // "default_shared", "force_excl" …
	Priority    int
	Queue       string // queue: the one whose jobs alone run here, empty for any
	Partition   string
	MaxRunning  Count // max_running
	MaxUserRun  Count // max_user_run
	MaxGroupRun Count // max_group_run
	MultiVnode  bool  // in_multivnode_host
	LastUsed    time.Time
	StateChange time.Time // last_state_change_time
	CPUs        int       // pcpus
	Comment     string
	Attributes  []Setting // all other attributes, as printed
}

// PBSQueue holds what only PBS knows of a queue; Queue.Attributes has every attribute as printed.
type PBSQueue struct {
	Type          string // "Execution" or "Route"
	Priority      int    // 0 where unset; -1 where it is no number, as the scheduler reads it
	Enabled       bool   // takes jobs
	Started       bool   // its jobs run
	Partition     string
	BackfillDepth Count
	HasNodes      bool // hasnodes: vnodes are for this queue alone
	NodeGroupKey  string
	Reservation   string    // the reservation that it belongs to, by name; empty for none
	Available     []Setting // resources_available
	Assigned      []Setting // resources_assigned
	Limits        []Limit
}
