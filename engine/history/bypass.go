package history

import (
	"cmp"
	"slices"
	"time"

	"qprism/engine/model"
)

// A Frame is a cluster at one moment.
type Frame struct {
	At        time.Time
	Jobs      []model.Job
	Standings []model.Standing // by job number
}

// A Bypass is a job that started between two snapshots before jobs that were ahead of it.
type Bypass struct {
	Job     uint32
	Owner   string
	Started time.Time
	Rank    int      // in the earlier snapshot; 0 where it was submitted later, or not in the order
	Start   bool     // the run planned at the earlier snapshot starts it
	Over    []Jumped // whom it passed, by reason
}

// Count is how many jobs it passed.
func (b *Bypass) Count() (n int) {
	for _, o := range b.Over {
		n += o.Jobs
	}
	return n
}

// Jumped are jobs that were passed for one reason.
type Jumped struct {
	Reason Allowance
	Jobs   int
	First  model.Standing // the one that was most ahead
	Owner  string         // of the first
}

// An Allowance is why a job may start before one that is ahead of it in the order.
type Allowance string

// The allowances, by the state of the job that is passed.
const (
	AllowBackfill    Allowance = "backfilled: the job passed has a reservation, and does not start later for it"
	AllowPast        Allowance = "the reservation of the job passed was for a time that is over, which keeps nothing free: a known fault of the scheduler"
	AllowShort       Allowance = "the job passed needed something that was in use"
	AllowReserved    Allowance = "what the job passed needed was kept for a reservation"
	AllowHost        Allowance = "a host had too much load or too little of a resource for the job passed"
	AllowQuota       Allowance = "the job passed was at a quota or limit"
	AllowClosed      Allowance = "the queues of the job passed were closed"
	AllowNotReady    Allowance = "the job passed was held, waited for others or for its time, or was in error"
	AllowMisfit      Allowance = "the job passed fits nowhere"
	AllowReordered   Allowance = "the order changed after the earlier snapshot"
	AllowUnexplained Allowance = "unexplained"
)

// allowances are why a job is passed that waits for a cause.
var allowances = map[model.Cause]Allowance{
	model.CausePriority: AllowShort, model.CauseBusy: AllowShort, model.CauseReserved: AllowReserved, model.CauseHost: AllowHost,
	model.CauseQuota: AllowQuota, model.CauseClosed: AllowClosed, model.CauseHold: AllowNotReady, model.CauseDependency: AllowNotReady,
	model.CauseTime: AllowNotReady, model.CauseError: AllowNotReady, model.CauseTaskLimit: AllowNotReady, model.CauseAdvance: AllowNotReady,
	model.CauseMisfit: AllowMisfit,
}

// Bypasses is the ledger of two consecutive snapshots of a cluster: every job that started in between, and whom it passed of
// those that waited before it in the earlier snapshot and still wait in the later one. By time of start, then number.
func Bypasses(before, after *Frame) []Bypass { return newLedger(before, after).list(before, after) }

// BypassesOf is that part of the ledger in which one job is passed, and no other.
func BypassesOf(before, after *Frame, passed uint32) []Bypass {
	l := newLedger(before, after)
	l.still = slices.DeleteFunc(l.still, func(st *model.Standing) bool { return st.Job != passed })
	return l.list(before, after)
}

func (l *ledger) list(before, after *Frame) []Bypass {
	var list []Bypass
	for i := range after.Jobs {
		j := &after.Jobs[i]
		start, started := firstStart(j, before.At, after.At)
		if !started {
			continue
		}
		if b := l.entry(j, start); len(b.Over) > 0 {
			list = append(list, b)
		}
	}
	slices.SortFunc(list, func(a, b Bypass) int {
		return cmp.Or(a.Started.Compare(b.Started), cmp.Compare(a.Job, b.Job))
	})
	return list
}

// A ledger knows the jobs that wait in both snapshots, in the order of the earlier one.
type ledger struct {
	standings map[uint32]*model.Standing
	owners    map[uint32]string
	prio      map[uint32]float64 // as the later snapshot reports it
	still     []*model.Standing
}

func newLedger(before, after *Frame) *ledger {
	l := &ledger{standings: map[uint32]*model.Standing{}, owners: map[uint32]string{}, prio: map[uint32]float64{}}
	waiting := map[uint32]bool{}
	for i := range after.Jobs {
		j := &after.Jobs[i]
		if _, started := startOf(j); !started {
			waiting[j.Number] = true
		}
		l.owners[j.Number] = j.Owner
		if p, known := prioOf(j); known {
			l.prio[j.Number] = p
		}
	}
	for i := range before.Standings {
		st := &before.Standings[i]
		l.standings[st.Job] = st
		if st.Rank > 0 && waiting[st.Job] {
			l.still = append(l.still, st)
		}
	}
	slices.SortFunc(l.still, func(a, b *model.Standing) int { return cmp.Compare(a.Rank, b.Rank) })
	return l
}

// entry is the entry of a job that started.
func (l *ledger) entry(j *model.Job, start time.Time) Bypass {
	b := Bypass{Job: j.Number, Owner: j.Owner, Started: start}
	st := l.standings[j.Number]
	if st != nil {
		b.Rank, b.Start = st.Rank, st.Cause == model.CauseStarts
	}
	byReason := map[Allowance]int{}
	for _, other := range l.still {
		if b.Rank > 0 && other.Rank >= b.Rank {
			break
		}
		if other.Job == j.Number || b.Rank == 0 && !l.ahead(other.Job, j) {
			continue
		}
		why := l.allowance(other, j)
		k, known := byReason[why]
		if !known {
			k = len(b.Over)
			byReason[why] = k
			b.Over = append(b.Over, Jumped{Reason: why, First: *other, Owner: l.owners[other.Job]})
		}
		b.Over[k].Jobs++
	}
	return b
}

// ahead reports whether a job has a higher priority in the later snapshot than one that the earlier one does not rank.
func (l *ledger) ahead(other uint32, j *model.Job) bool {
	a, known := l.prio[other]
	b, too := prioOf(j)
	return known && too && a > b
}

// allowance is why the other job may be passed.
func (l *ledger) allowance(other *model.Standing, j *model.Job) Allowance {
	if a, known := l.prio[other.Job]; known && other.Cause == model.CauseStarts {
		if b, too := prioOf(j); too && b > a {
			return AllowReordered
		}
	}
	switch {
	case other.Start.IsZero():
	case other.Start.Unix() <= 0: // compat's D1
		return AllowPast
	default:
		return AllowBackfill
	}
	if why, known := allowances[other.Cause]; known {
		return why
	}
	return AllowUnexplained
}

// firstStart is when the first of a job's tasks started that did so after one moment and until another.
func firstStart(j *model.Job, after, until time.Time) (first time.Time, started bool) {
	note := func(t time.Time) {
		if t.After(after) && !t.After(until) && (!started || t.Before(first)) {
			first, started = t, true
		}
	}
	if j.PBS != nil {
		if _, running := startOf(j); running {
			note(j.PBS.Started)
		}
		return first, started
	}
	for i := range j.Tasks {
		note(j.Tasks[i].Started)
	}
	return first, started
}

// prioOf is a job's reported priority; of PBS, none is printed.
func prioOf(j *model.Job) (prio float64, known bool) {
	for i := range j.Tasks {
		if r := j.Tasks[i].Reported; r != nil && r.Prio == r.Prio {
			return r.Prio, true
		}
	}
	return 0, false
}
