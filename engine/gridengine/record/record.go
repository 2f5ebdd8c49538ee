package record

import (
	"slices"
	"time"

	"qprism/engine/model"
)

// Plan is the plan in one section of the schedule file: starts and reservations of the run, in its order.
// RunAt is zero if the run started nothing. The file has no waiting jobs, reasons or capacities, so the plan
// has none.
func Plan(run model.RunRecord) *model.Plan {
	p := &model.Plan{Lines: run.Lines}
	places := map[booking]int{}
	for _, l := range run.Lines {
		b, ok := bookingOf(l)
		if !ok {
			continue
		}
		place, known := places[b]
		if !known {
			place = len(p.Decisions)
			places[b] = place
			p.Decisions = append(p.Decisions, b.decision(l))
		}
		grant(&p.Decisions[place], l)
		if b.verdict == model.Now && p.RunAt.IsZero() {
			p.RunAt = l.Start
		}
	}
	return p
}

// Next is the run that used the state of one snapshot, as a later snapshot records the run. Next skips runs
// that are in both snapshots. It takes the first run after these that started a task or reserved slots, else
// the last run. ok is false if the later snapshot has no run.
func Next(before, after *model.Snapshot) (run model.RunRecord, ok bool) {
	n := len(after.Runs)
	if n == 0 {
		return run, false
	}
	known := Known(before)
	// the begin of the file is gone
	if known >= n || known > 0 && !slices.Equal(before.Runs[0].Lines, after.Runs[0].Lines) {
		known = n - 1
	}
	for _, run := range after.Runs[known:] {
		if slices.ContainsFunc(run.Lines, func(l model.ScheduleLine) bool { _, decides := bookingOf(l); return decides }) {
			return run, true
		}
	}
	return after.Runs[n-1], true
}

// Known counts the sections of the schedule file whose results the jobs of the snapshot show. The file is
// copied last. A run in between started tasks that the snapshot still lists as waiting.
func Known(s *model.Snapshot) int {
	known, listed := len(s.Runs), s.TakenAt.Truncate(time.Second)
	var waits map[task]bool
	for i := len(s.Runs) - 1; i >= 0; i-- {
		for _, l := range s.Runs[i].Lines {
			switch {
			case l.State != "STARTING":
				continue
			case l.Start.Before(listed):
				return known
			case waits == nil:
				waits = waitingOf(s)
			}
			if waits[task{l.Job, l.Task}] {
				known = i
				break
			}
		}
	}
	return known
}

// waitingOf are the tasks that recent lines start and that a snapshot lists as not started.
func waitingOf(s *model.Snapshot) map[task]bool {
	jobs := map[uint32]*model.Job{}
	for i := range s.Jobs {
		jobs[s.Jobs[i].Number] = &s.Jobs[i]
	}
	waits := map[task]bool{}
	for i := range s.Runs {
		for _, l := range s.Runs[i].Lines {
			if j := jobs[l.Job]; l.State == "STARTING" && !l.Start.Before(s.TakenAt.Truncate(time.Second)) &&
				j != nil && waitsIn(j, l.Task) {
				waits[task{l.Job, l.Task}] = true
			}
		}
	}
	return waits
}

func waitsIn(j *model.Job, number uint32) bool {
	return slices.ContainsFunc(j.Tasks, func(t model.Task) bool {
		return t.Started.IsZero() && (len(t.IDs) == 0 || model.Holds(t.IDs, number))
	})
}

// FirstStart is the earliest start among tasks that run in the second snapshot but not in the first. It is
// the moment of the run between them, if there is no schedule file. ok is false if no task started.
func FirstStart(before, after *model.Snapshot) (at time.Time, ok bool) {
	ran := map[task]bool{}
	eachStarted(before, func(t task, _ time.Time) { ran[t] = true })
	second := before.TakenAt.Truncate(time.Second)
	eachStarted(after, func(t task, started time.Time) {
		if !ran[t] && !started.Before(second) && (!ok || started.Before(at)) {
			at, ok = started, true
		}
	})
	return at, ok
}

func eachStarted(s *model.Snapshot, visit func(t task, started time.Time)) {
	for i := range s.Jobs {
		for k := range s.Jobs[i].Tasks {
			t := &s.Jobs[i].Tasks[k]
			if t.Started.IsZero() {
				continue
			}
			number := uint32(1)
			if len(t.IDs) > 0 {
				number = t.IDs[0].Min
			}
			visit(task{s.Jobs[i].Number, number}, t.Started)
		}
	}
}

// Starts is the plan shown by the snapshot after a run, if there is no schedule file. It has the tasks that
// started at that moment or later and still run, in the order of the snapshot. Planned durations and
// reservations are not known.
func Starts(s *model.Snapshot, at time.Time) *model.Plan {
	p := &model.Plan{RunAt: at, Notes: []string{"known only from start times: tasks that have ended since " +
		"then, and reservations, are missing"}}
	second := at.Truncate(time.Second) // before release 9 start times are whole seconds
	for i := range s.Jobs {
		for k := range s.Jobs[i].Tasks {
			t := &s.Jobs[i].Tasks[k]
			if !t.Started.IsZero() && !t.Started.Before(second) {
				p.Decisions = append(p.Decisions, model.Decision{Job: s.Jobs[i].Number, Tasks: t.IDs,
					Verdict: model.Now, Start: at, PE: t.PE,
					Slots: t.Granted})
			}
		}
	}
	return p
}

// StartsBetween is Starts with an earlier snapshot. It adds tasks that waited there and have ended since,
// from the accounting file. Of a parallel task the accounting file has only the first queue instance.
func StartsBetween(before, s *model.Snapshot, at time.Time) *model.Plan {
	p := Starts(s, at)
	waited, there := map[uint32]*model.Job{}, map[uint32]*model.Job{}
	for i := range before.Jobs {
		waited[before.Jobs[i].Number] = &before.Jobs[i]
	}
	for i := range s.Jobs {
		there[s.Jobs[i].Number] = &s.Jobs[i]
	}
	old := map[task]bool{}
	for i := range before.Ended {
		old[endedTask(&before.Ended[i])] = true
	}
	for i := range s.Ended {
		t, id := &s.Ended[i], endedTask(&s.Ended[i])
		j := waited[id.job]
		early := !t.Started.IsZero() && t.Started.Before(at.Truncate(time.Second))
		if j == nil || old[id] || early || !waitsIn(j, id.number) || holdsTask(there[id.job], id.number) {
			continue
		}
		d := model.Decision{Job: id.job, Tasks: []model.Range{{Min: id.number, Max: id.number, Step: 1}},
			Verdict: model.Now, Start: at, PE: t.PE,
			Slots: []model.Grant{{Instance: t.Queue + "@" + t.Host}}}
		if t.Slots <= 1 {
			d.Slots[0].Slots = 1
		}
		p.Decisions = append(p.Decisions, d)
	}
	return p
}

func endedTask(t *model.EndedTask) task { return task{t.Job, max(t.Task, 1)} }

// holdsTask reports whether a job has a task, in any state.
func holdsTask(j *model.Job, number uint32) bool {
	return j != nil && slices.ContainsFunc(j.Tasks, func(t model.Task) bool {
		return len(t.IDs) == 0 || model.Holds(t.IDs, number)
	})
}

// A booking tells apart the decisions of a run: a task may be reserved for more than once.
type booking struct {
	job, task uint32
	verdict   model.Verdict
	start     int64 // Unix microseconds
}

// bookingOf is the decision that a line belongs to: none where the job ran before, or where the line, of
// job 0, is of an advance reservation.
func bookingOf(l model.ScheduleLine) (b booking, ok bool) {
	b = booking{job: l.Job, task: l.Task, start: l.Start.UnixMicro()}
	switch l.State {
	case "STARTING":
		b.verdict = model.Now
	case "RESERVING":
		b.verdict = model.Later
	default:
		return b, false
	}
	return b, l.Job != 0
}

func (b booking) decision(l model.ScheduleLine) model.Decision {
	return model.Decision{Job: b.job, Tasks: []model.Range{{Min: b.task, Max: b.task, Step: 1}},
		Verdict: b.verdict, Start: l.Start,
		Duration: duration(l)}
}

// lastSecond is the end of a booking that has none: the greatest of the 32-bit seconds that releases before 9 count.
const lastSecond = 1<<32 - 1

// duration is how long a line books for. What the file counts to its last second is booked for ever.
func duration(l model.ScheduleLine) time.Duration {
	if l.Duration%time.Second == 0 && l.Start.Unix()+int64(l.Duration/time.Second) == lastSecond {
		return model.Forever
	}
	return l.Duration
}

// grant adds to a decision what a line tells of where its task goes. Instances come master first.
func grant(d *model.Decision, l model.ScheduleLine) {
	switch {
	case l.Level == "P":
		d.PE = l.Object
	case l.Level == "Q" && l.Resource == "slots":
		d.Slots = append(d.Slots, model.Grant{Instance: l.Object, Slots: int(min(max(l.Amount, 0), 1<<30))})
	}
}
