package retrace

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"qprism/engine/model"
)

// takenBack is the cluster before a cycle, made of a snapshot taken after it: what happened since is
// undone, the latest first.
func takenBack(s *model.Snapshot, c *model.SchedCycle, late ...string) *state {
	x := newState(s)
	x.noteListed(c)
	x.charged = true
	x.again = func(late []string) *state { return takenBack(s, c, late...) }
	x.from = "the bundle, without the changes since the cycle"
	from, until := c.Start.Truncate(time.Second), s.TakenAt.Add(settling)
	second, mentioned := newSecond(s.PBS.Cycles, c, late...), mentionedBy(c)
	for i := len(s.PBS.Accounting) - 1; i >= 0; i-- {
		r := &s.PBS.Accounting[i]
		switch {
		case r.At.Before(from) || r.At.After(until):
		case second.after(r) || r.Type == "Q" && !mentioned[r.ID]:
			x.undo(r)
		case r.Type == "S":
			x.onItsWay(r.ID)
		default:
			x.noteEnd(second, r)
		}
	}
	x.PBS.Cycles = cyclesBefore(s.PBS.Cycles, c)
	x.undoUnrecorded(c, mentioned)
	x.holdUntilEligible(c)
	x.rankReturned()
	x.settle(c.Start)
	x.admit(c)
	x.loseUnknown(c)
	return x
}

// cyclesBefore are the cycles of a log before one of them. Several begin in one second.
func cyclesBefore(cycles []model.SchedCycle, c *model.SchedCycle) []model.SchedCycle {
	for i := range cycles {
		if &cycles[i] == c || cycles[i].Start.After(c.Start) {
			return cycles[:i:i]
		}
	}
	return cycles
}

// rankReturned gives the jobs that came back their places in their queues. Accounting tells the second in
// which they came, queue_rank counts microseconds: of those who came in the same second, numbers tell who
// was first.
func (x *state) rankReturned() {
	returned := map[string]bool{}
	for _, id := range x.added {
		returned[id] = true
	}
	last := map[time.Time]int64{} // second → greatest rank so far
	for _, id := range slices.SortedFunc(maps.Keys(x.jobs), func(a, b string) int {
		return cmp.Or(cmp.Compare(x.jobs[a].Number, x.jobs[b].Number),
			cmp.Compare(x.jobs[a].PBS.Index, x.jobs[b].PBS.Index), cmp.Compare(a, b))
	}) {
		j := x.jobs[id]
		came := j.PBS.Queued.Truncate(time.Second)
		if returned[id] && last[came] >= j.PBS.QueueRank {
			j = x.job(id)
			j.PBS.QueueRank = last[came] + 1
		}
		if rank := j.PBS.QueueRank; rank >= came.UnixMicro() && rank < came.Add(time.Second).UnixMicro() {
			last[came] = max(last[came], rank)
		}
	}
}

// settling is how long the commands of a bundle may take.
const settling = 10 * time.Second

// undo takes back what a record tells, if the snapshot shows it.
func (x *state) undo(r *model.AccountingRecord) {
	j := x.job(r.ID)
	switch r.Type {
	case "Q":
		x.remove(r.ID)
	case "S":
		x.undoStart(j, r)
	case "E":
		x.undoEnd(j, r)
	case "D", "A":
		x.undoDelete(j, r)
	case "R":
		if j != nil && j.PBS.State != "R" {
			start(j, r)
		}
	case "z":
		if j != nil && j.PBS.State == "S" {
			j.PBS.State, j.PBS.Substate, j.PBS.Preempted, j.PBS.AccrueType, j.PBS.Released = "R", runs, time.Time{}, 3, ""
		}
	case "r":
		if j != nil && j.PBS.State == "R" {
			x.undoResume(j, r)
		}
	case "a":
		x.addDoubt(r.ID, "job "+r.ID+" was altered after the cycle")
	default:
		x.undoReservation(r)
	}
}

// undoResume suspends a job again. What it had used then its record tells up to the last time that its host
// was asked; a snapshot taken just after it went on shows more of it.
func (x *state) undoResume(j *model.Job, r *model.AccountingRecord) {
	used, fresh := j.PBS.Used, x.TakenAt.Sub(r.At) < settling
	suspend(j, x.suspension(r))
	if fresh && len(used) > 0 {
		j.PBS.Used = used
	}
	x.addDoubt("", "job "+r.ID+" was resumed; its used walltime until then is only an estimate", TopJob, TopNodes)
}

// suspension is the record of how a job was suspended that another record tells to be resumed.
func (x *state) suspension(resumed *model.AccountingRecord) *model.AccountingRecord {
	last := &model.AccountingRecord{At: resumed.At}
	for i := range x.PBS.Accounting {
		if r := &x.PBS.Accounting[i]; r.Type == "z" && r.ID == resumed.ID && !r.At.After(resumed.At) {
			last = r
		}
	}
	return last
}

// unstart makes a job wait that did so before its start.
func unstart(j *model.Job) {
	wait(j)
	j.PBS.RunCount = max(0, j.PBS.RunCount-1)
}

func (x *state) undoStart(j *model.Job, r *model.AccountingRecord) {
	id, _ := model.ParsePBSID(r.ID)
	switch {
	case j == nil:
	case j.Array:
		j.PBS.State = "Q"
	case id.Index > 0 && strings.Contains("RE", j.PBS.State):
		x.remove(r.ID)
		if array := x.job(model.PBSArrayOf(r.ID)); array != nil {
			array.PBS.ArrayRemaining = withIndex(array.PBS.ArrayRemaining, id.Index)
		}
	case strings.Contains("RE", j.PBS.State):
		unstart(j)
		x.lengthen(j)
	}
}

// withIndex are the subjobs that wait and one more; accounting does not write starts in the order in which
// the scheduler made them.
func withIndex(list []model.Range, index uint32) []model.Range {
	list = append([]model.Range{{Min: index, Max: index, Step: 1}}, list...)
	slices.SortStableFunc(list, func(a, b model.Range) int { return cmp.Compare(a.Min, b.Min) })
	return list
}

// lengthen gives a job that the scheduler shortened the walltime back that it had before its start: that of
// its submission, or none.
func (x *state) lengthen(j *model.Job) {
	asks := func(name string) func(model.Request) bool {
		return func(r model.Request) bool { return r.Resource == name }
	}
	if !slices.ContainsFunc(j.Hard, asks("min_walltime")) {
		return
	}
	if q := x.arrival(j.PBS.ID); q != nil && q.Value("Resource_List.walltime") != "" {
		ask(j, "walltime", q.Value("Resource_List.walltime"))
		return
	}
	j.Hard = slices.DeleteFunc(slices.Clone(j.Hard), asks("walltime"))
}

// undoEnd brings a job back that ran.
func (x *state) undoEnd(j *model.Job, r *model.AccountingRecord) {
	switch {
	case strings.Contains(r.ID, "[]"):
		if j == nil {
			array := recorded(r)
			array.PBS.State, array.PBS.ArrayRemaining = "B", nil
			x.insert(array)
		}
	case j != nil && strings.Contains("EFX", j.PBS.State):
		start(j, r) // a subjob that has ended shows no vnodes any more
	case j != nil:
	case r.Value("exec_vnode") != "":
		back := recorded(r)
		start(&back, r)
		x.insert(back)
	}
}

// undoDelete brings a job back that was deleted while it waited; one that ran has another record.
func (x *state) undoDelete(j *model.Job, r *model.AccountingRecord) {
	if j != nil {
		return
	}
	if q := x.arrival(r.ID); q != nil {
		x.insert(recorded(q))
		return
	}
	x.addDoubt(r.ID, "job "+r.ID+" was deleted after the cycle, and no record has its requests")
}

// arrival is the record of a job's submission, nil where there is none.
func (x *state) arrival(id string) *model.AccountingRecord {
	if x.arrivals == nil {
		x.arrivals = map[string]*model.AccountingRecord{}
		for i := range x.PBS.Accounting {
			if r := &x.PBS.Accounting[i]; r.Type == "Q" {
				x.arrivals[r.ID] = r
			}
		}
	}
	return x.arrivals[id]
}

func (x *state) undoReservation(r *model.AccountingRecord) {
	v := x.reservation(r.ID)
	switch {
	case r.Type != "" && strings.Contains("FKk", r.Type):
		x.restore(r)
	case v == nil:
	case r.Type == "U":
		*v = model.PBSReservation{ID: v.ID, State: "RESV_DELETED"}
	case r.Type == "Y":
		x.toldOf(v, r)
	case r.Type == "B":
		v.State = "RESV_CONFIRMED"
		x.open(v.Queue, false)
	}
}

// holdUntilEligible holds jobs that became eligible to run only after a cycle.
func (x *state) holdUntilEligible(c *model.SchedCycle) {
	for id, j := range x.jobs {
		if p := j.PBS; p.State == "Q" && p.Eligible.After(c.Start) {
			x.job(id).PBS.State = "H"
		}
	}
}

// undoUnrecorded takes back starts of the cycle that no accounting record tells of.
func (x *state) undoUnrecorded(c *model.SchedCycle, mentioned map[string]bool) {
	for _, e := range c.Of(model.EventRun) {
		j := x.job(e.Object)
		if j == nil || j.PBS.State != "R" {
			continue
		}
		if j.PBS.Started.Before(c.Start.Truncate(time.Second)) {
			suspend(j, &model.AccountingRecord{At: j.PBS.Started})
			continue
		}
		unstart(j)
	}
	for id, j := range x.jobs {
		if j.PBS.Array == "" && j.Submitted.After(c.Start) && !mentioned[id] {
			x.remove(id)
		}
	}
}

// restore brings a reservation back that is gone, with what records from before its end tell of it.
func (x *state) restore(gone *model.AccountingRecord) {
	if x.reservation(gone.ID) != nil {
		return
	}
	v := model.PBSReservation{ID: gone.ID}
	v.Queue, _, _ = strings.Cut(gone.ID, ".")
	if !x.toldOf(&v, gone) {
		x.addDoubt("", "reservation "+gone.ID+" ended since the cycle, and no record has its vnodes",
			decisions...)
		return
	}
	x.PBS.Reservations = append(x.PBS.Reservations, v)
	x.Queues = append(x.Queues, model.Queue{Name: v.Queue, PBS: &model.PBSQueue{Type: "Execution", Enabled: true,
		Started: v.State == "RESV_RUNNING"}})
}

// toldOf gives a reservation what the records before another one tell: when it is, and which vnodes it has
// (Y), and whether it had begun (B). It reports whether there is such a record.
func (x *state) toldOf(v *model.PBSReservation, until *model.AccountingRecord) (known bool) {
	v.State, v.Nodes = "RESV_UNCONFIRMED", ""
	for i := range x.PBS.Accounting {
		r := &x.PBS.Accounting[i]
		if r == until {
			break
		}
		if r.ID != v.ID || r.Value("nodes") == "" {
			continue
		}
		known = true
		v.Start, v.End, v.Nodes = model.PBSTime(r.Value("start")), model.PBSTime(r.Value("end")), r.Value("nodes")
		v.Duration = v.End.Sub(v.Start)
		v.State = map[bool]string{true: "RESV_RUNNING", false: "RESV_CONFIRMED"}[r.Type == "B" || v.State == "RESV_RUNNING"]
	}
	return known
}
