package schedule

import (
	"time"

	"qprism/engine/gridengine/record"
	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// recallRejected infers which categories the scheduler never reserves for again (D6), of a scheduler of which no earlier run was
// planned. The last section of the schedule file tells it: a job with -R y that was tried for a reservation in that run, and got
// none, found none possible.
func (r *run) recallRejected() {
	if r.memory.known || !r.overTime || !r.quirks.RejectForGood || r.snapshot.Policy.MaxUserJobs > 0 {
		return // with maxujobs a job may not have been tried
	}
	n := record.Known(r.snapshot)
	if n == 0 || len(r.snapshot.Runs[n-1].Lines) == 0 {
		return
	}
	last := r.lastSection(&r.snapshot.Runs[n-1])
	for place, j := range r.ranked.Pending {
		if c := r.categoryOf(j.Job); last.triedInVain(j.Job, place) && !last.kept[c.key] {
			r.memory.reject(c.key)
			c.noReservation = true
		}
	}
}

// A section is what the last recorded run tells of jobs that still wait.
type section struct {
	at       time.Time
	reserved map[uint32]bool // jobs
	kept     map[string]bool // categories for which it reserved
	few      bool            // it made fewer reservations than max_reservation
	tasks    map[uint32]int  // that ran in it, or that it started, by job
	lowest   int             // place of the last job in today's order for which it reserved, -1 for none
	went     bool            // it went through all jobs: a queue instance has been free ever since
}

// lastSection reads a section.
func (r *run) lastSection(run *model.RunRecord) section {
	s := section{at: r.sectionTime(run), reserved: map[uint32]bool{}, kept: map[string]bool{}, tasks: tasksIn(run), lowest: -1,
		went: r.freeSince(run)}
	made := 0
	for _, d := range record.Plan(*run).Decisions {
		if d.Verdict == model.Later {
			made++
			s.reserved[d.Job] = true
		}
	}
	s.few = made < r.maxReserved
	for place, j := range r.ranked.Pending {
		if s.reserved[j.Job.Number] {
			s.kept[r.categoryOf(j.Job).key] = true
			s.lowest = place
		}
	}
	return s
}

// tasksIn counts the tasks of each job that ran in a run or that it started.
func tasksIn(run *model.RunRecord) map[uint32]int {
	seen, count := map[[2]uint32]bool{}, map[uint32]int{}
	for _, l := range run.Lines {
		if id := [2]uint32{l.Job, l.Task}; l.State != "RESERVING" && !seen[id] {
			seen[id] = true
			count[l.Job]++
		}
	}
	return count
}

// sectionTime is when the run of the last section was, or a moment before: as its starts tell, or the messages file, or what had
// started by then.
func (r *run) sectionTime(run *model.RunRecord) (at time.Time) {
	for _, l := range run.Lines {
		switch {
		case l.State == "STARTING":
			return l.Start
		case l.State == "RUNNING" && l.Start.After(at):
			at = l.Start
		}
	}
	if told := split.PreviousRun(r.snapshot, r.plan.RunAt); told.After(at) && !told.After(r.snapshot.TakenAt) {
		return told
	}
	return at
}

// freeSince reports whether a queue instance has had a free slot since that run, so that the run did not end for want of one (D3).
func (r *run) freeSince(run *model.RunRecord) bool {
	used := map[*instance]float64{} // by what has ended since
	runs := r.runningPlaces()
	for _, l := range run.Lines {
		q := r.world.instanceNames[l.Object]
		if l.Level != levelQueue || l.Resource != slotsName || l.State == "RESERVING" || q == nil {
			continue
		}
		if !runs[place{l.Job, l.Task, levelQueue, l.Object}] {
			used[q] += l.Amount
		}
	}
	for _, q := range r.world.queues {
		if q.slotsUse.now+used[q] < q.total() {
			return true
		}
	}
	return false
}

// triedInVain reports whether a job, at a place of today's order, was tried for a reservation and got none.
func (s *section) triedInVain(j *model.Job, place int) bool {
	waited := j.Submitted.Before(s.at) && (j.ExecutionTime.IsZero() || j.ExecutionTime.Before(s.at))
	asked := j.Reserve && !j.Immediate() && j.Reservation == 0
	limited := j.MaxRunningTasks > 0 && s.tasks[j.Number] >= int(j.MaxRunningTasks)
	behind := limited || len(j.PredecessorNames)+len(j.Predecessors)+len(j.ArrayPredecessor) > 0 // it may have become eligible since
	reached := place < s.lowest || s.few && s.went
	return waited && asked && !behind && reached && !s.reserved[j.Number]
}
