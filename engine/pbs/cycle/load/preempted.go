package load

import (
	"strings"
	"time"

	"qprism/engine/model"
	"qprism/engine/pbs/cycle/clock"
	"qprism/engine/pbs/cycle/cluster"
)

// preemptedAt is when a job was preempted, zero for one that was not. qstat does not print it (quirk P34):
// of a job that the scheduler suspended accounting says it (record z), of one that it requeued its log;
// else the job's last change is the nearest that is known.
func (w loader) preemptedAt(j *model.Job) time.Time {
	p := j.PBS
	suspended := p.State == "S" && p.Substate == cluster.SuspendedByScheduler
	if !p.Preempted.IsZero() || !suspended && !wasRequeued(p) {
		return p.Preempted
	}
	if w.Preemptions == nil {
		w.Preemptions = lastPreemptions(w.PBS, w.Now)
	}
	switch at, known := w.Preemptions[p.ID]; {
	case known && !at.IsZero():
		return at
	case !suspended && (known || len(w.PBS.Cycles) > 0 || !w.requeuesFirst()):
		return time.Time{} // somebody else requeued it
	case !suspended:
		w.Requeued = append(w.Requeued, p.ID)
	default:
		w.Guessed++
	}
	if p.Modified.IsZero() {
		return w.Snapshot.TakenAt
	}
	return p.Modified
}

// wasRequeued reports whether a job waits again that ran before.
func wasRequeued(p *model.PBSJob) bool { return p.State == "Q" && p.RunCount > 0 && p.Array == "" }

// requeuesFirst reports whether the scheduler preempts by anything but suspension where it can.
func (w loader) requeuesFirst() bool {
	return (w.Config.Prime.Preemptive || w.Config.NonPrime.Preemptive) && w.Sched.PreemptOrder != "" &&
		!strings.HasPrefix(w.Sched.PreemptOrder, "S")
}

// lastPreemptions are those of each job before a moment, as accounting and the log tell; the zero time for
// one that was started again.
func lastPreemptions(pbs *model.PBS, now clock.Seconds) map[string]time.Time {
	last := map[string]time.Time{}
	for i := range pbs.Cycles {
		if pbs.Cycles[i].Start.Unix() >= now {
			break
		}
		for _, e := range pbs.Cycles[i].Events {
			switch e.Kind {
			case model.EventPreempted:
				last[e.Object] = e.At
			case model.EventRun:
				last[e.Object] = time.Time{}
			}
		}
	}
	suspended := map[string]time.Time{}
	for i := range pbs.Accounting {
		switch r := &pbs.Accounting[i]; {
		case r.At.Unix() > now:
		case r.Type == "z" && r.At.After(suspended[r.ID]):
			suspended[r.ID], last[r.ID] = r.At, r.At
		case r.Type == "R" && !last[r.ID].IsZero() && r.At.After(last[r.ID]): // when the server had done what the log tells
			last[r.ID] = r.At
		}
	}
	return last
}
