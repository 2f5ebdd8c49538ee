package split

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"qprism/engine/halves"
	"qprism/engine/model"
)

// PrintedPriority is the -p that gives the printed npprior of a job: (p+1024)/2048 by sge_priority(5),
// printed with five digits. ok is false if no -p gives it.
func PrintedPriority(j *model.Job) (p int, ok bool) {
	if j.Reported == nil || math.IsNaN(j.Reported.NPPrior) || j.Reported.NPPrior == 0 {
		return 0, false
	}
	p = int(math.Round(j.Reported.NPPrior*2048)) - 1024
	ok = -1023 <= p && p <= 1024 && fmt.Sprintf("%.5f", float64(p+1024)/2048) == fmt.Sprintf("%.5f", j.Reported.NPPrior)
	return p, ok
}

// AlteredSince are the jobs that were altered since the last run, see alteredSince. If Jobs assumed a coming run, it has
// found them already.
func (l *Lists) AlteredSince(s *model.Snapshot) map[uint32]bool {
	if l.altered == nil {
		return alteredSince(s)
	}
	return l.altered
}

// alteredSince are the jobs that were altered since the last run. The master prints numbers for another -p,
// or none, as for a job that could not start then. The scheduler has moved these jobs after all others.
func alteredSince(s *model.Snapshot) map[uint32]bool {
	since := alterationsOf(s)
	if since == nil {
		return map[uint32]bool{}
	}
	return numbered(halves.Make(len(s.Jobs), func(from, to int) (numbers []uint32) {
		for i := from; i < to; i++ {
			if since.altered(&s.Jobs[i]) {
				numbers = append(numbers, s.Jobs[i].Number)
			}
		}
		return numbers
	}))
}

// numbered is a set of the numbers in two lists.
func numbered(first, second []uint32) map[uint32]bool {
	set := make(map[uint32]bool, len(first)+len(second))
	for _, list := range [][]uint32{first, second} {
		for _, number := range list {
			set[number] = true
		}
	}
	return set
}

// alterations finds the jobs that were altered since the last run.
type alterations struct {
	last time.Time
	told func() bool // reports whether missing numbers mean that the last run did not rank a job
}

// alterationsOf is nil if the snapshot does not show which jobs were altered.
func alterationsOf(s *model.Snapshot) *alterations {
	last := PreviousRun(s, s.TakenAt.Add(time.Second))
	if last.IsZero() || !s.Policy.ReportPendingTickets {
		return nil
	}
	return &alterations{last: last, told: sync.OnceValue(func() bool {
		return s.Policy.MaxUserJobs == 0 && !Filtered(&s.Policy) && anyRanked(s.Jobs)
	})}
}

// altered reports whether a job was altered. Several goroutines may call it.
func (a *alterations) altered(j *model.Job) bool {
	switch {
	case j.Reported == nil:
		return false
	case j.Reported.NPPrior != 0:
		return priorityChanged(j) && !startedIn(j, a.last)
	}
	return setFree(j, a.last) && a.told()
}

// priorityChanged reports whether the printed npprior is that of another -p.
func priorityChanged(j *model.Job) bool {
	const rounded = 0.00001 // of five digits, far less than the step from one -p to the next
	if math.Abs(j.Reported.NPPrior-float64(j.PosixPriority+1024)/2048) < rounded {
		return false
	}
	_, ok := PrintedPriority(j)
	return ok
}

// anyRanked reports whether rankedWaiting is true for any job.
func anyRanked(jobs []model.Job) bool {
	for i := range jobs {
		if rankedWaiting(&jobs[i]) {
			return true
		}
	}
	return false
}

// rankedWaiting reports whether the master shows that the last run ranked the waiting tasks of a job.
func rankedWaiting(j *model.Job) bool {
	return j.Reported != nil && j.Reported.NPPrior > 0 && !slices.ContainsFunc(j.Tasks, func(t model.Task) bool {
		return !t.Started.IsZero()
	})
}

// startedIn reports whether a run started all that there is of a job: then the master still prints what an
// earlier run computed.
func startedIn(j *model.Job, run time.Time) bool {
	return !slices.ContainsFunc(j.Tasks, func(t model.Task) bool {
		return t.Started.IsZero() || t.Started.Unix() < run.Unix()-1
	})
}

// setFree reports whether a job waits that could not when the last run was made: it was held, or waited for
// another one.
func setFree(j *model.Job, last time.Time) bool {
	waits := func(t model.Task) bool { return t.Started.IsZero() && !t.Enrolled && t.State == "qw" }
	return j.Submitted.Unix() < last.Unix()-1 && j.ExecutionTime.IsZero() &&
		len(j.Predecessors) == 0 && !slices.ContainsFunc(j.Tasks, func(t model.Task) bool { return !waits(t) })
}
