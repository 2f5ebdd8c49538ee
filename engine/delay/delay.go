package delay

import (
	"slices"
	"time"

	"qprism/engine/model"
)

// A Delay explains why a job does not start in a planned run.
type Delay struct {
	Job      *model.Job
	Running  int               // its running tasks; for a PBS array, subjobs
	Starts   []*model.Decision // its tasks that start in the run
	Decision *model.Decision   // its first task that does not start; nil if all start, and then the rest is empty
	Others   []*model.Decision // more of its tasks that do not start, for other reasons
	Awaited  bool              // a job that it waits for (-hold_jid) runs
	General  []model.Reason    // reasons of the job itself, or that hold everywhere
	Closed   []Group           // queue instances that can start no job, except full ones; none for a held job
	Hosts    []Group           // hosts that do not accept it, the nearest to accepting it first
	Holders  []Holder          // the jobs that use what it waits for, the first to end first
	Slack    time.Duration     // the scheduler's extra time for bookings, if it delays a reservation
	Ahead    *Work             // nil for a held job
}

// Choose takes the decisions about the job from a plan. first is the index of the first one that does not
// start it.
func (d *Delay) Choose(p *model.Plan, about func(*model.Decision) bool) (first int) {
	for i := range p.Decisions {
		switch o := &p.Decisions[i]; {
		case !about(o):
		case o.Verdict == model.Now:
			d.Starts = append(d.Starts, o)
		case d.Decision == nil:
			d.Decision, first = o, i
		default:
			d.Others = append(d.Others, o)
		}
	}
	return first
}

// Mendable reports whether any obstacle can go away with time.
func (d *Delay) Mendable() bool {
	return slices.ContainsFunc(d.Decision.Why, func(r model.Reason) bool { return r.Later }) ||
		slices.ContainsFunc(d.Hosts, func(g Group) bool { return g.TimeHelps() })
}

// TriedInTurn reports whether a Grid Engine run tries a job with these reasons, so that it is not held.
func TriedInTurn(why []model.Reason) bool {
	for i := range why {
		if why[i].Kind.HoldsBack() {
			return false
		}
	}
	return true
}

// Concerns reports whether tasks include the one asked about. Task 0 stands for all.
func Concerns(tasks []model.Range, task uint32) bool {
	return task == 0 || slices.ContainsFunc(tasks, func(r model.Range) bool { return r.Holds(task) })
}
