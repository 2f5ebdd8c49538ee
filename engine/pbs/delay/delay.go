package delay

import (
	"slices"

	"qprism/engine/delay"
	"qprism/engine/model"
	"qprism/engine/pbs/cycle"
	"qprism/engine/pbs/cycle/search"
	"qprism/engine/pbs/simulate"
)

// Of explains why a job or an array of PBS does not start in a plan of cycle.Run. A subjob that runs or ran
// is a job of its own. Waiting subjobs belong to their array.
func Of(s *model.Snapshot, p *model.Plan, j *model.Job) *delay.Delay {
	d := &delay.Delay{Job: j, Running: runningSubjobs(s, j)}
	first := d.Choose(p, func(o *model.Decision) bool {
		return o.ID == j.PBS.ID || j.Array && model.PBSArrayOf(o.ID) == j.PBS.ID
	})
	d.Others = nil // of an array, the first that waits stands for all
	if d.Decision == nil {
		return d
	}
	d.General = d.Decision.Why
	if has(d.Decision, model.ReasonJobState) { // the scheduler does not look at it at all
		return d
	}
	d.Ahead = workAheadPBS(s, p, first)
	if has(d.Decision, nowhere...) {
		return d
	}
	fits := cycle.Fits(asTried(s, p, first), p.RunAt, d.Decision.ID)
	d.Hosts = vnodes(fits, d.Decision)
	d.Holders = holdersPBS(s, p, first, fits)
	return d
}

// nowhere are the kinds of reasons that no vnode can mend: shares, another time, or a queue that runs jobs.
var nowhere = []model.ReasonKind{model.ReasonShares, model.ReasonThreshold, model.ReasonRefused,
	model.ReasonPrime, model.ReasonDedicated, model.ReasonQueueState}

// has reports whether a decision has a reason of one of these kinds.
func has(d *model.Decision, kinds ...model.ReasonKind) bool {
	return slices.ContainsFunc(d.Why, func(r model.Reason) bool { return slices.Contains(kinds, r.Kind) })
}

// runningSubjobs counts the subjobs of an array that run; of any other job it is 1 if that runs.
func runningSubjobs(s *model.Snapshot, j *model.Job) (n int) {
	for i := range s.Jobs {
		o := &s.Jobs[i]
		if o.PBS != nil && o.PBS.State == "R" && (o == j || j.Array && o.PBS.Array == j.PBS.ID) {
			n++
		}
	}
	return n
}

// asTried is the cluster as it was when the cycle came to a decision: with what it started before.
func asTried(s *model.Snapshot, p *model.Plan, decision int) *model.Snapshot {
	c, earlier := simulate.NewCluster(s), *p
	earlier.Decisions = p.Decisions[:decision]
	c.Apply(&earlier)
	return c.Snapshot
}

// vnodes joins vnodes that do not take the job for the same reason, those that come nearest first: those
// with room, and those that jobs which end would free.
func vnodes(fits []search.Fit, d *model.Decision) []delay.Group {
	room := delay.Partial
	if has(d, model.ReasonReserved) {
		room = delay.Kept
	}
	var g delay.Grouping
	for _, f := range fits {
		switch {
		case f.Room:
			g.Add(f.Vnode, delay.Obstacle{Bar: room})
		case f.Why.Later:
			g.Add(f.Vnode, delay.Obstacle{Why: f.Why, Rank: 1})
		default:
			g.Add(f.Vnode, delay.Obstacle{Why: f.Why, Rank: 2})
		}
	}
	return g.Nearest()
}

// holdersPBS are the jobs on vnodes that time can free, those that end first first, and top jobs before the job.
func holdersPBS(s *model.Snapshot, p *model.Plan, decision int, fits []search.Fit) []delay.Holder {
	wanted := map[delay.Place]bool{}
	for _, f := range fits {
		wanted[delay.Place{Level: "H", Object: f.Vnode, Resource: "ncpus"}] = f.Room || f.Why.Later
	}
	full := simulate.Booked(s, p)
	full.Lines = slices.DeleteFunc(full.Lines, func(l model.ScheduleLine) bool {
		return delay.State(l.State) != delay.Running && !before(p, decision, &l)
	})
	list, ids := delay.Holders(s, full, wanted), idsOf(s, p)
	for i := range list {
		list[i].ID = ids[delay.Task{Job: list[i].Job, Task: list[i].Task}]
	}
	return list
}

// before reports whether a line books what starts, or is planned for a job, before a decision.
func before(p *model.Plan, decision int, l *model.ScheduleLine) bool {
	return slices.ContainsFunc(p.Decisions[:decision], func(d model.Decision) bool {
		return d.Verdict != model.Never && d.Job == l.Job
	})
}

// idsOf are the ids of jobs and subjobs that run, start or are planned for.
func idsOf(s *model.Snapshot, p *model.Plan) map[delay.Task]string {
	ids := map[delay.Task]string{}
	for i := range s.Jobs {
		if j := &s.Jobs[i]; j.PBS != nil {
			ids[delay.Task{Job: j.Number, Task: max(1, j.PBS.Index)}] = j.PBS.ID
		}
	}
	for i := range p.Decisions {
		if d := &p.Decisions[i]; d.Verdict != model.Never {
			ids[delay.Task{Job: d.Job, Task: model.FirstTask(d.Tasks)}] = d.ID
		}
	}
	return ids
}
