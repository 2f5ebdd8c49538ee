package model

// Conditions of the PBS scheduler only.
const (
	ReasonLimit        ReasonKind = "limit"             // max_run, max_run_res and similar, of server, queue or vnode
	ReasonDedicated    ReasonKind = "dedicated time"    // dedicated_time
	ReasonPrime        ReasonKind = "primetime"         // queues of one state, backfill_prime
	ReasonShares       ReasonKind = "zero shares"       // fairshare_enforce_no_shares
	ReasonRefused      ReasonKind = "start refused"     // the server did not start it: a runjob hook or a host refused
	ReasonThreshold    ReasonKind = "formula threshold" // job_sort_formula_threshold
	ReasonReserved     ReasonKind = "reserved"          // a reservation or top job needs the free amount
	ReasonStrictOrder  ReasonKind = "strict order"      // strict_ordering, strict_fifo
	ReasonPlacementSet ReasonKind = "placement set"     // node_group_key, place=group
	ReasonJobState     ReasonKind = "job state"         // held, user-suspended, in another queue: Offered is its letter
)

// A Preemption is a job that the scheduler stopped so that another job could start.
type Preemption struct {
	Job    uint32
	Tasks  []Range // a subjob
	ID     string
	For    string // id of the job that starts instead
	Method string // "suspension", "checkpointing", "requeuing", "deletion"
}

// A Rating has the values by which the PBS scheduler sorts a job at the start of a cycle. It rates every job,
// including running and held ones.
type Rating struct {
	ID        string
	Formula   float32 // value of job_sort_formula, 0 without one
	Error     string  // the exception that made the value 0
	Level     int     // preempt priority, 0 without preemptive_sched
	Entity    string  // the entity that fairshare charges
	Perc      float32 // fairshare_perc of the entity
	TreeUsage float32 // fairshare_tree_usage
	Factor    float64 // fairshare_factor
	Usage     float64 // of the entity, in units of fairshare_usage_res
}
