package synthesis

import (
	"fmt"
	"math"
	"slices"
	"time"

	"qprism/engine/gridengine/lastrun"
	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// A Run is one scheduler run of a history, computed by Grid Engine's engine.
type Run struct {
	Name     string // of the bundle
	Snapshot *model.Snapshot
	At       time.Time
	Quirks   model.Quirks
	Lists    split.Lists
	Result   *priority.Result // Pending is in dispatch order
}

// Look recomputes the last run before a snapshot. If most waiting jobs came after it, it computes a run at
// the moment of the snapshot. The error says that the snapshot lacks inputs of a run.
func Look(name string, s *model.Snapshot, q model.Quirks) (Run, error) {
	v, m := lastrun.Look(s, lastrun.Options{Quirks: q})
	if v == nil {
		return Run{}, fmt.Errorf("%s: its last scheduler run cannot be recomputed: scheduler "+
			"configuration or jobs are missing", name)
	}
	at := m.At
	if came := jobsSince(s, at); came > len(v.Result.Pending) {
		v, at = v.Next(), v.NextRun()
	}
	if slices.ContainsFunc(v.Result.Pending, func(j *priority.Job) bool { return math.IsNaN(j.Prio) }) {
		return Run{}, fmt.Errorf("%s: priorities of its last scheduler run cannot be recomputed: the "+
			"complex is missing, or what jobs ask for",
			name)
	}
	return Run{Name: name, Snapshot: s, At: at, Quirks: q, Lists: v.Lists, Result: v.Result}, nil
}

// jobsSince are the jobs that came when a run had begun.
func jobsSince(s *model.Snapshot, run time.Time) (n int) {
	for i := range s.Jobs {
		if s.Jobs[i].Submitted.After(run) {
			n++
		}
	}
	return n
}

// tells is the number of runs in which a policy tells waiting jobs apart.
func (h History) tells(p Policy) (n int) {
	for i := range h {
		waiting := h[i].Result.Pending
		if slices.ContainsFunc(waiting, func(j *priority.Job) bool {
			return h[i].Part(p, j) != h[i].Part(p, waiting[0])
		}) {
			n++
		}
	}
	return n
}

// largest is the most jobs that wait in a run.
func (h History) largest() (n int) {
	for i := range h {
		n = max(n, len(h[i].Result.Pending))
	}
	return n
}

// A History has the runs of one cluster, the oldest first, without duplicates.
type History []Run

// NewHistory sorts runs by moment. If two snapshots show the same run, it keeps the earlier snapshot.
func NewHistory(runs []Run) History {
	h := slices.Clone(runs)
	slices.SortStableFunc(h, func(a, b Run) int {
		if c := a.At.Compare(b.At); c != 0 {
			return c
		}
		return a.Snapshot.TakenAt.Compare(b.Snapshot.TakenAt)
	})
	return slices.CompactFunc(h, func(a, b Run) bool { return a.At.Equal(b.At) })
}

// Seen is the part of a history that gives constants and weights: all but the last third. With two or more
// runs, at least one is held out.
func (h History) Seen() History {
	return h[:len(h)-held(len(h))]
}

// held is how many of n runs are held out.
func held(n int) int {
	if n < 2 {
		return 0
	}
	return max(1, n/3)
}
