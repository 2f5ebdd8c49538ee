package memory

import (
	"math"
	"slices"
	"time"

	"qprism/engine/gridengine/cluster"
	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/record"
	"qprism/engine/gridengine/resource"
	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// InferRejected infers the categories for which the scheduler never reserves again (D6), if no earlier run
// was planned. The last section of the schedule file shows it: a job with -R y that was tried for a
// reservation and got none.
func (r *Recall) InferRejected(pending []*priority.Job) {
	if r.memory.Known || !r.OverTime || !r.Quirks.RejectForGood {
		return
	}
	n := record.Known(r.Snapshot)
	if n == 0 || len(r.Snapshot.Runs[n-1].Lines) == 0 {
		return
	}
	last := r.lastSection(&r.Snapshot.Runs[n-1], pending)
	if last.enrolled = last.tasks; n > 1 {
		last.enrolled = tasksIn(&r.Snapshot.Runs[n-2], &r.Snapshot.Runs[n-1])
	}
	for place, j := range pending {
		c := r.CategoryOfEntry(j.Entry)
		most := int(split.MostRunning(r.Snapshot, j.Job))
		limited := most > 0 && last.enrolled[j.Job.Number] >= most
		tried := !limited && last.reservationFailed(j.Job, r.placeThen(&last, j.Job, place), r.tookPart(j.Job))
		if tried && !last.kept[c.Key] && !r.wasExcluded(&last, j.Job) {
			r.memory.Reject(c.Key)
			c.NoReservation = true
		}
	}
}

// A section is what the last recorded run tells of jobs that still wait.
type section struct {
	at       time.Time
	started  map[uint32]bool // jobs
	reserved map[uint32]bool
	kept     map[string]bool // categories for which it reserved
	few      bool            // it made fewer reservations than max_reservation
	tasks    map[uint32]int  // that ran in it, or that it started, by job
	// those, and what had ended since the run before: it counts against -tc and max_aj_instances until the next run
	enrolled map[uint32]int
	lowest   placeThen      // of the last job for which it reserved
	ranks    map[uint32]int // of jobs at that moment, where their prios are not printed
	reserves bool           // it did for one that still waits
	went     bool           // it went through all jobs: a queue instance has been free ever since
}

// A placeThen is a job's place in the last run, by the prio that the master printed. With
// report_pjob_tickets FALSE the master prints no prio. Then it is the job's rank among today's jobs at that
// moment.
type placeThen struct {
	prio float64 // NaN where it is not known
	rank int
}

func (r *Recall) placeThen(s *section, j *model.Job, today int) placeThen {
	p := placeThen{math.NaN(), today}
	if rank, told := s.ranks[j.Number]; told {
		p.rank = rank
	}
	for i := range j.Tasks {
		t := &j.Tasks[i]
		if r.Snapshot.Policy.ReportPendingTickets && t.Started.IsZero() && t.Reported != nil {
			p.prio = t.Reported.Prio
		}
	}
	return p
}

// placeReserved is where a job stood for which the section reserved. What the master prints of its waiting
// tasks may be of an earlier run where that one started tasks of it as well (Q17): then it stood no lower
// than the last of these.
func (r *Recall) placeReserved(s *section, j *model.Job, today int) (p placeThen, known bool) {
	p = r.placeThen(s, j, today)
	if !s.started[j.Number] {
		return p, true
	}
	p.prio = math.Inf(1)
	for i := range j.Tasks {
		if t := &j.Tasks[i]; t.Reported != nil && !t.Started.Before(s.at.Truncate(time.Second)) {
			p.prio = min(p.prio, t.Reported.Prio)
		}
	}
	return p, !math.IsInf(p.prio, 1)
}

// before reports whether a job stood before another one. Of prios that are printed alike their ranks tell.
func (p placeThen) before(o placeThen) bool {
	if math.IsNaN(p.prio) || math.IsNaN(o.prio) || p.prio == o.prio {
		return p.rank < o.rank
	}
	return p.prio > o.prio
}

// lastSection reads a section.
func (r *Recall) lastSection(run *model.RunRecord, pending []*priority.Job) section {
	s := section{at: r.sectionTime(run), tasks: tasksIn(run), went: r.freeSince(run),
		started: map[uint32]bool{}, reserved: map[uint32]bool{}, kept: map[string]bool{}}
	made := 0
	for _, d := range record.Plan(*run).Decisions {
		if d.Verdict == model.Now {
			s.started[d.Job] = true
			continue
		}
		made++
		s.reserved[d.Job] = true
	}
	s.few = made < r.MaxReserved()
	s.ranks = r.ranksAt(s.at)
	for place, j := range pending {
		if s.reserved[j.Job.Number] {
			s.kept[r.CategoryOf(j.Job).Key] = true
			if p, known := r.placeReserved(&s, j.Job, place); known && (!s.reserves || s.lowest.before(p)) {
				s.lowest, s.reserves = p, true
			}
		}
	}
	return s
}

// ranksAt ranks the jobs of the snapshot as they stood at a moment, where the master does not print what
// its runs computed of them.
func (r *Recall) ranksAt(at time.Time) map[uint32]int {
	if r.Snapshot.Policy.ReportPendingTickets {
		return nil
	}
	ranks := map[uint32]int{}
	lists := split.Jobs(r.Snapshot, at, r.Quirks, split.Assumed{Sequence: r.sequence})
	for i, j := range priority.Compute(priority.NewInput(r.Snapshot, lists, at, r.Quirks)).Pending {
		ranks[j.Job.Number] = i
	}
	return ranks
}

// wasExcluded reports whether a job may have been left out of that run because its owner ran as many tasks
// as maxujobs allows. What the scheduler said of it tells (schedd_job_info): a reason that a queue or host
// gave it is one of a job that was tried, before the owner's last start. Else tasks of jobs that are gone
// may have been his.
func (r *Recall) wasExcluded(s *section, j *model.Job) bool {
	most, count := r.Snapshot.Policy.MaxUserJobs, 0
	if most == 0 {
		return false
	}
	if len(j.Messages) > 0 {
		return slices.ContainsFunc(j.Messages, func(m model.JobReason) bool { return m.Code == droppedByUserLimit })
	}
	others := map[uint32]bool{}
	for i := range r.Snapshot.Jobs {
		others[r.Snapshot.Jobs[i].Number] = r.Snapshot.Jobs[i].Owner != j.Owner
	}
	for number, tasks := range s.tasks {
		if !others[number] {
			count += tasks
		}
	}
	return count >= most
}

// droppedByUserLimit is the number of the message "job dropped because of user limitations".
const droppedByUserLimit = 34

// tasksIn counts the tasks of each job that ran in runs or that they started.
func tasksIn(runs ...*model.RunRecord) map[uint32]int {
	seen, count := map[[2]uint32]bool{}, map[uint32]int{}
	for _, run := range runs {
		for _, l := range run.Lines {
			if id := [2]uint32{l.Job, l.Task}; l.State != "RESERVING" && !seen[id] {
				seen[id] = true
				count[l.Job]++
			}
		}
	}
	return count
}

// sectionTime is when the run of the last section was, or a moment before: as its starts tell, or the
// messages file, or what had started by then.
func (r *Recall) sectionTime(run *model.RunRecord) (at time.Time) {
	for _, l := range run.Lines {
		switch {
		case l.State == "STARTING":
			return l.Start
		case l.State == "RUNNING" && l.Start.After(at):
			at = l.Start
		}
	}
	if told := split.PreviousRun(r.Snapshot, r.Plan.RunAt); told.After(at) && !told.After(r.Snapshot.TakenAt) {
		return told
	}
	return at
}

// freeSince reports whether a queue instance has had a free slot since that run, so that the run did not
// end for want of one (D3).
func (r *Recall) freeSince(run *model.RunRecord) bool {
	used := map[*cluster.Instance]float64{} // by what has ended since
	runs := r.RunningPlaces()
	for _, l := range run.Lines {
		q := r.InstanceNames[l.Object]
		if l.Level != resource.LevelQueue || l.Resource != resource.SlotsName || l.State == "RESERVING" || q == nil {
			continue
		}
		if !runs[cluster.Place{Job: l.Job, Task: l.Task, Level: resource.LevelQueue, Where: l.Object}] {
			used[q] += l.Amount
		}
	}
	for _, q := range r.Queues {
		if q.SlotsUse.Now+used[q] < q.Total() {
			return true
		}
	}
	return false
}

// tookPart reports whether a job that may have waited for others is known to have taken part in the last
// run: the master prints numbers of it, which a run clears of what waits for others (report_pjob_tickets).
func (r *Recall) tookPart(j *model.Job) bool {
	return r.Snapshot.Policy.ReportPendingTickets && j.Reported != nil && j.Reported.NPPrior > 0
}

// reservationFailed reports whether a job was tried for a reservation and got none.
func (s *section) reservationFailed(j *model.Job, place placeThen, tookPart bool) bool {
	waited := j.Submitted.Before(s.at) && (j.ExecutionTime.IsZero() || j.ExecutionTime.Before(s.at))
	asked := j.Reserve && !j.Immediate() && j.Reservation == 0
	follows := len(j.PredecessorNames)+len(j.Predecessors) > 0
	behind := follows && !tookPart || len(j.ArrayPredecessor) > 0 // it, or its next task, may have become eligible since
	// where the next task of an array stood then is not where it stands today, nor what may be printed of it (Q17)
	moved := s.started[j.Number]
	reached := s.reserves && place.before(s.lowest) && !moved || s.few && s.went
	return waited && asked && !behind && reached && !s.reserved[j.Number]
}
