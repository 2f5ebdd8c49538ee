package cycle

import (
	"slices"
	"strings"
	"time"

	"qprism/engine/model"
	"qprism/engine/pbs/cycle/clock"
	"qprism/engine/pbs/cycle/cluster"
	"qprism/engine/pbs/cycle/load"
	"qprism/engine/pbs/cycle/reason"
	"qprism/engine/pbs/cycle/search"
)

// An Idle cluster is a snapshot without any use: no job runs, no reservation exists, all vnodes are up, all
// queues are started, limits count nothing, and no time is closed. A job that does not fit there can never
// run with this configuration.
type Idle struct {
	run *run
}

// NewIdle makes the idle cluster of a snapshot.
func NewIdle(s *model.Snapshot) *Idle {
	r := newRun(idleSnapshot(s), Options{At: s.TakenAt})
	r.world.Policy.End = clock.Forever
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

// Fits reports whether a job finds vnodes. If not, the reason is the condition that the job does not meet.
func (i *Idle) Fits(j *model.Job) (bool, model.Reason) {
	w := i.run.world
	at := slices.IndexFunc(w.Queues, func(q *cluster.Queue) bool { return q.Name == j.PBS.Queue })
	if at < 0 || !w.Queues[at].Execution {
		return false, i.reason(reason.Of(model.FailQueueNotExec))
	}
	c := load.Job(w, waiting(j), w.Queues[at])
	if c == nil {
		return false, model.Reason{Kind: model.ReasonUnknown, Never: true}
	}
	if i.shareless(c) {
		return false, i.reason(reason.Failure{Status: reason.NeverRun, Code: model.FailNoFairshares})
	}
	place, why := search.In(w).TryShrinking(c, search.Trial{Buckets: search.In(w).UsesBuckets(c)})
	return place != nil, i.reason(why)
}

func (i *Idle) reason(f reason.Failure) model.Reason { return i.run.world.Reason(&f) }

// shareless reports whether a job's entity has no shares where only those who have some are let run.
func (i *Idle) shareless(c *cluster.Claim) bool {
	w := i.run.world
	if !w.Policy.FairShare || !w.Tree.Policy.EnforceNoShares {
		return false
	}
	n := w.Tree.Entities([]string{load.EntityName(w, c)})[0]
	return n != nil && n.Perc == 0
}

// Fits checks every vnode that a waiting job may use, in the scheduler's order. It ignores other reasons that
// keep the job waiting. It is nil for a job that the scheduler ignores.
func Fits(s *model.Snapshot, at time.Time, id string) []search.Fit {
	r := newRun(s, Options{At: at})
	if r.world == nil {
		return nil
	}
	for _, c := range r.world.Jobs {
		if c.ID == id {
			return search.In(r.world).Fits(c)
		}
	}
	return nil
}

// Ignored lists the waiting jobs that the scheduler does not consider, by number. These are held jobs, jobs
// with a later start time, jobs that a user suspended, and jobs in queues of other schedulers. A plan has no
// decisions about them.
func Ignored(s *model.Snapshot) (list []model.Decision) {
	if s.PBS == nil {
		return nil
	}
	own := ownQueues(s)
	for i := range s.Jobs {
		j := &s.Jobs[i]
		if j.PBS == nil || j.PBS.Array != "" {
			continue
		}
		if why := whyIgnored(j, own); why.Kind != "" {
			d := model.Decision{Job: j.Number, ID: j.PBS.ID, Verdict: model.Never, Why: []model.Reason{why}}
			if j.Array {
				d.Tasks = j.PBS.ArrayRemaining
			}
			list = append(list, d)
		}
	}
	return list
}

// ownQueues are the execution queues that the scheduler looks after.
func ownQueues(s *model.Snapshot) map[string]bool {
	sched := s.PBS.Scheduler()
	own := map[string]bool{}
	for i := range s.Queues {
		q := &s.Queues[i]
		own[q.Name] = q.PBS != nil && q.PBS.Type == "Execution" && sched.Serves(q.PBS.Partition)
	}
	return own
}

// whyIgnored is why the scheduler does not look at a job; without a kind where it does.
func whyIgnored(j *model.Job, own map[string]bool) model.Reason {
	p := j.PBS
	state := model.Reason{Kind: model.ReasonJobState, Offered: p.State}
	switch p.State {
	case "H":
		if state.Asked = p.Holds; strings.Contains(p.Holds, "s") && p.Depend != "" {
			state.Resource, state.Asked = "depend", p.Depend
		}
	case "W":
		state.Asked = j.ExecutionTime.UTC().Format("2006-01-02 15:04:05")
	case "S", "U":
		if p.Substate == cluster.SuspendedByScheduler {
			return model.Reason{}
		}
	case "Q", "B":
		if own[p.Queue] || p.State == "B" && len(p.ArrayRemaining) == 0 {
			return model.Reason{}
		}
		state.Asked = p.Queue
	case "T", "M":
	default:
		return model.Reason{}
	}
	return state
}
