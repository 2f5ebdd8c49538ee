package cycle

import (
	"time"

	"qprism/engine/model"
)

// preemptedAt is when a job was preempted, zero for one that was not. qstat does not print it of a job that the scheduler suspended:
// accounting says it (record z; quirk P34), else the job's last change is the nearest that is known.
func (w *world) preemptedAt(j *model.Job) time.Time {
	p := j.PBS
	if !p.Preempted.IsZero() || p.State != "S" || p.Substate != suspendedByScheduler {
		return p.Preempted
	}
	if w.suspensions == nil {
		w.suspensions = lastSuspensions(w.pbs.Accounting)
	}
	if at := w.suspensions[p.ID]; !at.IsZero() {
		return at
	}
	if w.guessed++; p.Modified.IsZero() {
		return w.snapshot.TakenAt
	}
	return p.Modified
}

// lastSuspensions are those of each job.
func lastSuspensions(records []model.AccountingRecord) map[string]time.Time {
	last := map[string]time.Time{}
	for i := range records {
		if r := &records[i]; r.Type == "z" && r.At.After(last[r.ID]) {
			last[r.ID] = r.At
		}
	}
	return last
}

// noteGuesses says that the order of suspended jobs is a guess.
func (r *run) noteGuesses() {
	if r.world.guessed > 1 {
		r.note("qstat does not print when jobs were suspended; here they come in the order of their last change, which can be another one")
	}
}
