package cycle

import (
	"slices"

	"qprism/engine/model"
)

// An Idle cluster is that of a snapshot with nothing in its way: nothing runs or is reserved, every vnode is up, every queue started, no
// limit counts anybody, and it is always the right time. What does not fit there can never run as the cluster is configured.
type Idle struct {
	run *run
}

// NewIdle is the idle cluster of a snapshot of PBS.
func NewIdle(s *model.Snapshot) *Idle {
	r := newRun(idleSnapshot(s), Options{At: s.TakenAt})
	r.load()
	r.world.policy.end = forever
	return &Idle{r}
}

// noQueue begins no queue's name.
const noQueue = "\x00"

func idleSnapshot(s *model.Snapshot) *model.Snapshot {
	own, p := *s, *s.PBS
	own.PBS = &p
	p.Reservations, p.Dedicated, p.Accounting, p.Cycles = nil, nil, nil, nil
	p.Server.Assigned = nil
	c := &p.SchedConfig
	c.PrimetimePrefix, c.NonprimetimePrefix, c.DedicatedPrefix = noQueue, noQueue, noQueue
	c.Prime.BackfillPrime, c.NonPrime.BackfillPrime = false, false
	own.Hosts, own.Queues, own.Jobs = slices.Clone(s.Hosts), slices.Clone(s.Queues), nil
	for i := range own.Hosts {
		if h := own.Hosts[i].PBS; h != nil {
			free := *h
			free.State, free.Assigned, free.Jobs, free.Reserved = []string{"free"}, nil, nil, nil
			own.Hosts[i].PBS = &free
		}
	}
	for i := range own.Queues {
		if q := own.Queues[i].PBS; q != nil {
			open := *q
			open.Started, open.Enabled, open.Assigned = true, true, nil
			own.Queues[i].PBS = &open
		}
	}
	for i := range s.Jobs {
		if j := &s.Jobs[i]; j.PBS != nil && j.PBS.Array == "" {
			own.Jobs = append(own.Jobs, *waiting(j))
		}
	}
	return &own
}

// waiting is a job as it was before it ever ran, with nothing that holds it.
func waiting(j *model.Job) *model.Job {
	own, p := *j, *j.PBS
	own.PBS = &p
	p.State, p.Substate, p.ExecVnode, p.Released, p.Used, p.Holds, p.Depend, p.Array = "Q", 0, "", "", nil, "", "", ""
	return &own
}

// Fits reports whether a job finds a place, and the condition that it fails where it does not.
func (i *Idle) Fits(j *model.Job) (bool, model.Reason) {
	w := i.run.world
	at := slices.IndexFunc(w.queues, func(q *queue) bool { return q.name == j.PBS.Queue })
	if at < 0 || !w.queues[at].execution {
		return false, i.run.reason(fails(model.FailQueueNotExec))
	}
	c := w.loadJob(waiting(j), w.queues[at])
	if c == nil {
		return false, model.Reason{Kind: model.ReasonUnknown, Never: true}
	}
	if i.shareless(c) {
		return false, i.run.reason(failure{status: neverRun, code: model.FailNoFairshares})
	}
	place, why := w.tryShrinking(c, trial{buckets: w.wantsBuckets(c)})
	return place != nil, i.run.reason(why)
}

// shareless reports whether a job's entity has no shares where only those who have some are let run.
func (i *Idle) shareless(c *claim) bool {
	w := i.run.world
	if !w.policy.FairShare || !w.tree.Policy.EnforceNoShares {
		return false
	}
	n := w.tree.Entities([]string{w.entityName(c)})[0]
	return n != nil && n.Perc == 0
}
