package model

import "time"

// PBSHost has the facts about a vnode that only PBS has. Host.Name is the vnode's name, Host.Capacity its
// resources_available.
type PBSHost struct {
	State       []string  // "free", or several: "job-busy", "offline", "down" …
	Assigned    []Setting // resources_assigned; zeros may be missing
	Mom         string    // host of its execution daemon
	Jobs        []string  // job ids; as text one for each processor, as JSON each once
	Reserved    []string  // resv: ids of reservations
	Sharing     string    // "default_shared", "force_excl" …
	Priority    int
	Queue       string // queue: only its jobs run here, empty for any
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

// PBSQueue has the facts about a queue that only PBS has. Queue.Attributes has every attribute as printed.
type PBSQueue struct {
	Type          string // "Execution" or "Route"
	Priority      int    // 0 if unset; -1 if it is no number, as in the scheduler
	Enabled       bool   // accepts jobs
	Started       bool   // its jobs run
	Partition     string
	BackfillDepth Count
	HasNodes      bool // hasnodes: vnodes for this queue only
	NodeGroupKey  string
	Reservation   string    // the reservation of this queue, by name; empty for none
	Available     []Setting // resources_available
	Assigned      []Setting // resources_assigned
	Limits        []Limit
}
