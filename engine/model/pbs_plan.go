package model

// Conditions that only the scheduler of PBS knows.
const (
	ReasonLimit        ReasonKind = "limit"             // max_run, max_run_res and the like, of server, queue or vnode
	ReasonDedicated    ReasonKind = "dedicated time"    // dedicated_time
	ReasonPrime        ReasonKind = "primetime"         // queues of one state, backfill_prime
	ReasonShares       ReasonKind = "zero shares"       // fairshare_enforce_no_shares
	ReasonRefused      ReasonKind = "start refused"     // the server did not start it: a runjob hook, or a host, said no
	ReasonThreshold    ReasonKind = "formula threshold" // job_sort_formula_threshold
	ReasonReserved     ReasonKind = "reserved"          // a reservation or top job needs what is free
	ReasonStrictOrder  ReasonKind = "strict order"      // strict_ordering, strict_fifo
	ReasonPlacementSet ReasonKind = "placement set"     // node_group_key, place=group
	ReasonJobState     ReasonKind = "job state"         // held, suspended by hand, in another's queue: Offered is its letter
)

// A Preemption is a job that was stopped so that another one can start.
type Preemption struct {
	Job    uint32
	Tasks  []Range // a subjob
	ID     string
	For    string // id of the job that starts instead
	Method string // "suspension", "checkpointing", "requeuing", "deletion"
}

// A Rating is what the PBS scheduler sorts a job by, as it stands at the beginning of a cycle. It rates every job that it
// reads, running and held ones too.
type Rating struct {
	ID        string
	Formula   float32 // value of job_sort_formula, 0 without one
	Error     string  // the exception that made the value 0
	Level     int     // preempt priority, 0 without preemptive_sched
	Entity    string  // what fairshare charges the job to
	Perc      float32 // fairshare_perc of the entity
	TreeUsage float32 // fairshare_tree_usage
	Factor    float64 // fairshare_factor
	Usage     float64 // of the entity, in units of fairshare_usage_res
}
