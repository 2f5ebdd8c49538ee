package delay

import (
	"slices"
	"time"

	"qprism/engine/model"
)

// A Delay is why a job does not start in a planned run.
type Delay struct {
	Job      *model.Job
	Running  int               // tasks of it that run; of an array of PBS, subjobs
	Starts   []*model.Decision // about tasks that start in the run
	Decision *model.Decision   // about the first that does not; nil where all do, and all below is empty then
	Others   []*model.Decision // about more of its tasks, which do not for reasons of their own
	Awaited  bool              // a job whose end it waits for (-hold_jid) runs
	General  []model.Reason    // of the job itself, or that hold everywhere
	Closed   []Group           // queue instances in which no job can start, but for full ones; none for a job that is held back
	Hosts    []Group           // hosts that do not take it, those first that come nearest to it
	Holders  []Holder          // of what it waits for, those first that end first
	Slack    time.Duration     // that the scheduler adds to what it books, where that delays a reservation
	Ahead    *Work             // nil for a job that is held back
}

// Choose takes the decisions about the job out of a plan, and says where the first stands that does not start it.
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

// Mendable reports whether time can mend something of what keeps the job from starting.
func (d *Delay) Mendable() bool {
	return slices.ContainsFunc(d.Decision.Why, func(r model.Reason) bool { return r.Later }) ||
		slices.ContainsFunc(d.Hosts, func(g Group) bool { return g.TimeHelps() })
}

// TriedInTurn reports whether a job with these reasons took part in the run of Grid Engine: it is not held back before.
func TriedInTurn(why []model.Reason) bool {
	return !slices.ContainsFunc(why, func(r model.Reason) bool { return r.Kind.HoldsBack() })
}

// Concerns reports whether tasks are meant when one is asked about. Task 0 stands for all.
func Concerns(tasks []model.Range, task uint32) bool {
	return task == 0 || slices.ContainsFunc(tasks, func(r model.Range) bool { return r.Holds(task) })
}
