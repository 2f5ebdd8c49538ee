package retrace

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"qprism/engine/model"
	"qprism/engine/pbs/accounting"
	"qprism/engine/pbs/cycle/cluster"
)

// A state is what the cluster can have been like when a cycle began. While records change it, its jobs are
// in a map; settle puts them into the snapshot.
type state struct {
	*model.Snapshot
	forward bool                 // made of a snapshot taken before the cycle
	from    string               // what it is made of, in words
	charged bool                 // its usage is that of after the cycle, with what this charged
	doubts  []doubt              // what happened between the snapshot and the cycle that no file tells in full
	came    []string             // jobs that accounting alone tells of: their priority it does not
	ended   []string             // jobs that were gone in the second in which the cycle began
	onWay   map[string]time.Time // jobs that were started in that second, and when

	charges map[string]float64         // what entities are charged; nil for the estimate
	values  map[string]float32         // of a formula that is not known, by job, as the log tells them
	again   func(late []string) *state // the state anew, in which these jobs ended after the cycle began

	jobs  map[string]*model.Job
	own   map[string]bool // jobs that are no longer shared with the snapshot that the state was made of
	added []string        // ids of jobs that the snapshot does not list
	rank  int64           // greatest queue_rank

	arrivals    map[string]*model.AccountingRecord // see arrival
	alone       map[string]bool                    // vnodes that list a job that wants them alone; nil for not noted
	unknownJobs map[string][]string                // jobs that a vnode lists, but that are unknown or elsewhere
}

// newState copies what records change of a snapshot. Its moment is the whole second before: that is how the
// server counts eligible time, and how it writes records.
func newState(s *model.Snapshot) *state {
	snapshot, pbs := *s, *s.PBS
	snapshot.TakenAt = s.TakenAt.Truncate(time.Second)
	snapshot.PBS, snapshot.Jobs, snapshot.Queues = &pbs, slices.Clone(s.Jobs), slices.Clone(s.Queues)
	pbs.Reservations = slices.Clone(pbs.Reservations)
	x := &state{Snapshot: &snapshot, jobs: map[string]*model.Job{}, own: map[string]bool{}}
	for i := range x.Jobs {
		if p := x.Jobs[i].PBS; p != nil {
			x.jobs[p.ID] = &x.Jobs[i]
			x.rank = max(x.rank, p.QueueRank)
		}
	}
	return x
}

// noteListed notes what the jobs that vnodes list, such as "12.s/0", tell about the vnodes' states. A job without
// vnodes is one that the server refused after a start: in this cycle, or in an earlier one that left it in the list.
func (x *state) noteListed(c *model.SchedCycle) {
	started := map[string]bool{}
	for _, e := range c.Events {
		started[e.Object] = started[e.Object] || e.Kind == model.EventRun
	}
	x.alone, x.unknownJobs = map[string]bool{}, map[string][]string{}
	vnodes := map[string][]accounting.Amounts{} // of each job that is listed
	on := func(j *model.Job, vnode string) bool {
		list, known := vnodes[j.PBS.ID]
		if !known {
			list = accounting.PerVnode(j.PBS.ExecVnode)
			vnodes[j.PBS.ID] = list
		}
		return slices.ContainsFunc(list, func(a accounting.Amounts) bool { return a.Vnode == vnode })
	}
	for i := range x.Hosts {
		h := &x.Hosts[i]
		if h.PBS == nil {
			continue
		}
		for _, entry := range h.PBS.Jobs {
			id, _, _ := strings.Cut(entry, "/")
			j := x.jobs[id]
			switch {
			case j == nil || !on(j, h.Name) && !(j.PBS.ExecVnode == "" && started[id]):
				x.unknownJobs[h.Name] = append(x.unknownJobs[h.Name], entry)
			case alone(j.PBS.Place, h.PBS.Sharing):
				x.alone[h.Name] = true
			}
		}
	}
}

// job is a job that may be changed, nil where there is none.
func (x *state) job(id string) *model.Job {
	j := x.jobs[id]
	if j != nil && !x.own[id] {
		p := *j.PBS
		j.PBS, x.own[id] = &p, true
	}
	return j
}

func (x *state) insert(j model.Job) {
	id := j.PBS.ID
	x.jobs[id], x.own[id] = &j, true
	x.added = append(x.added, id)
	x.rank = max(x.rank, j.PBS.QueueRank)
}

func (x *state) remove(id string) { delete(x.jobs, id) }

// list puts the jobs into the snapshot: those that it listed in their order, the others where their numbers belong.
func (x *state) list() {
	var added []*model.Job
	for _, id := range x.added {
		if j := x.jobs[id]; j != nil {
			added = append(added, j)
		}
	}
	x.added = nil
	slices.SortStableFunc(added, func(a, b *model.Job) int {
		return cmp.Or(cmp.Compare(a.Number, b.Number), cmp.Compare(a.PBS.Index, b.PBS.Index))
	})
	jobs := make([]model.Job, 0, len(x.jobs))
	for i := range x.Jobs {
		j := &x.Jobs[i]
		for len(added) > 0 && added[0].Number < j.Number {
			jobs = append(jobs, *added[0])
			added = added[1:]
		}
		if j.PBS != nil && x.jobs[j.PBS.ID] == j {
			jobs = append(jobs, *j)
		}
	}
	for _, j := range added {
		jobs = append(jobs, *j)
	}
	x.Jobs = jobs
	for i := range x.Jobs {
		x.jobs[x.Jobs[i].PBS.ID] = &x.Jobs[i]
	}
}

func (x *state) reservation(id string) *model.PBSReservation {
	i := slices.IndexFunc(x.PBS.Reservations, func(r model.PBSReservation) bool { return r.ID == id })
	if i < 0 {
		return nil
	}
	return &x.PBS.Reservations[i]
}

// statesBefore are the states in which the cluster can have been when a cycle began, the likeliest first.
func statesBefore(s *model.Snapshot, c *model.SchedCycle, opts Options) []*state {
	base, later := s, (*model.Snapshot)(nil)
	if opts.Before != nil {
		base, later = opts.Before, s
	}
	if opts.Before == nil && c.Start.Before(s.TakenAt.Truncate(time.Second)) {
		return []*state{takenBack(s, c)}
	}
	alone := newState(base)
	alone.forward, alone.from = true, "the bundle alone"
	states := []*state{alone}
	played := playedOn(base, s.PBS, c)
	played.loseUnknown(c)
	alone.doubts = played.doubts
	states = append(states, played)
	switch {
	case later != nil:
		states = append(states, completed(played, later, c))
	// it may as well have begun before the bundle was taken
	case c.Start.Truncate(time.Second).Equal(s.TakenAt.Truncate(time.Second)):
		states = append(states, takenBack(s, c))
	}
	return states
}

// loseUnknown notes the jobs of a cycle that no file describes.
func (x *state) loseUnknown(c *model.SchedCycle) {
	for _, id := range c.Considered() {
		if x.jobs[id] == nil {
			x.addDoubt(id, "the cycle considered job "+id+", but no file describes it")
		}
	}
}

// open starts or stops the queue of a reservation.
func (x *state) open(queue string, started bool) {
	for i := range x.Queues {
		if q := &x.Queues[i]; q.Name == queue && q.PBS != nil {
			own := *q.PBS
			own.Started = started
			q.PBS = &own
		}
	}
}

// Played is the snapshot at the start of a cycle. It applies the accounting records since the snapshot: jobs
// come, start, are preempted and end. The assigned amounts of vnodes, queues and the server change with the
// jobs. A job that the cycle considered counts as eligible.
func Played(base *model.Snapshot, records []model.AccountingRecord, c *model.SchedCycle) *model.Snapshot {
	return playedOn(base, &model.PBS{Cycles: base.PBS.Cycles, Accounting: records}, c).Snapshot
}

// playedOn is a snapshot with what happened until a cycle began, as logs tell.
func playedOn(base *model.Snapshot, logs *model.PBS, c *model.SchedCycle, late ...string) *state {
	x := newState(base)
	x.forward, x.from = true, "the bundle, and accounting for the time until the cycle"
	x.again = func(late []string) *state { return playedOn(base, logs, c, late...) }
	from, second := base.TakenAt.Truncate(time.Second), newSecond(logs.Cycles, c, late...)
	for i := range logs.Accounting {
		r := &logs.Accounting[i]
		if r.At.Before(from) || second.after(r) {
			continue
		}
		x.play(r)
		if r.Type == "S" && !r.At.Before(second.at) {
			x.onItsWay(r.ID)
		}
		x.noteEnd(second, r)
	}
	x.arrive(c.Start)
	x.settle(c.Start)
	x.admit(c)
	return x
}

// arrive lets jobs run that were on their way when the bundle was taken, if that was long ago.
func (x *state) arrive(at time.Time) {
	for i := range x.Jobs {
		if p := x.Jobs[i].PBS; p != nil && p.State == "R" && p.Substate == starting && !p.Started.IsZero() &&
			p.Started.Before(at.Add(-settling)) && x.jobs[p.ID] == &x.Jobs[i] {
			x.job(p.ID).PBS.Substate = runs
		}
	}
}

// onItsWay changes a job to its state in the second of its start. Its host has not yet reported that it
// runs. So a cycle that begins in this second does not know its start time.
func (x *state) onItsWay(id string) {
	if j := x.job(id); j != nil && j.PBS.State == "R" {
		if x.onWay == nil {
			x.onWay = map[string]time.Time{}
		}
		x.onWay[id] = j.PBS.Started
		j.PBS.Started, j.PBS.Substate = time.Time{}, starting
	}
}

// admit lets those jobs wait that the cycle considered, and that were held, suspended by hand or had to
// wait for some time before: no record tells when that ends.
func (x *state) admit(c *model.SchedCycle) {
	for _, id := range c.Considered() {
		j := x.job(id)
		switch {
		case j == nil:
		case j.PBS.State == "H" || j.PBS.State == "W":
			wait(j)
		case j.PBS.State == "S":
			j.PBS.Substate = suspendedByTheSched
		}
	}
}

// play lets happen what a record tells.
func (x *state) play(r *model.AccountingRecord) {
	j := x.job(r.ID)
	switch r.Type {
	case "Q":
		if j == nil {
			came := recorded(r)
			came.PBS.EligibleTime = x.TakenAt.Sub(r.At) // less than nothing: what it has waited is added when the cycle begins
			x.enqueue(came)
			x.came = append(x.came, r.ID)
		}
	case "S":
		x.playStart(j, r)
	case "E", "A":
		x.remove(r.ID)
	case "D":
		if j != nil && strings.Contains("QHWB", j.PBS.State) { // one that runs has another record when it ends
			x.remove(r.ID)
		}
	case "R":
		if j != nil {
			wait(j)
		}
	case "z":
		if j != nil {
			suspend(j, r)
		}
	case "r":
		if j != nil {
			j.PBS.State, j.PBS.Substate, j.PBS.Preempted = "R", runs, time.Time{}
		}
	case "a":
		x.playChange(j, r)
	default:
		x.playReservation(r)
	}
}

// enqueue adds a job at the end of its queue.
func (x *state) enqueue(j model.Job) {
	j.PBS.QueueRank = max(j.PBS.QueueRank, x.rank+1)
	x.insert(j)
}

func (x *state) playStart(j *model.Job, r *model.AccountingRecord) {
	id, _ := model.ParsePBSID(r.ID)
	array := x.job(model.PBSArrayOf(r.ID))
	if id.Index > 0 && array != nil {
		array.PBS.State, array.PBS.ArrayRemaining = "B", model.Without(array.PBS.ArrayRemaining, id.Index)
	}
	switch {
	case j != nil && j.PBS.State != "R" && !j.Array:
		start(j, r)
	case j != nil && j.Array:
		j.PBS.State = "B"
	case j == nil && id.Index > 0 && array != nil:
		sub := subjob(array, id.Index)
		start(&sub, r)
		x.insert(sub)
	}
}

// subjob is a subjob of an array that waits.
func subjob(array *model.Job, index uint32) model.Job {
	j, p := *array, *array.PBS
	j.PBS, j.Array, j.Structure = &p, false, nil
	p.Array, p.Index, p.ArrayRemaining, p.ArrayStates = p.ID, index, nil, nil
	p.ID = cluster.SubjobID(p.ID, index)
	return j
}

func (x *state) playChange(j *model.Job, r *model.AccountingRecord) {
	if j == nil {
		return
	}
	for _, f := range r.Fields {
		if !alter(j, f.Name, f.Value) {
			x.addDoubt(r.ID, "job "+r.ID+" was altered ("+f.Name+")")
		}
		if f.Name == "eligible_time" && j.PBS.AccrueType == 2 {
			j.PBS.EligibleTime += x.TakenAt.Sub(r.At)
		}
	}
}

func (x *state) playReservation(r *model.AccountingRecord) {
	v := x.reservation(r.ID)
	switch {
	case r.Type == "U" && v == nil:
		x.addDoubt("", "reservation "+r.ID+" was requested, but accounting does not say with which requests", decisions...)
	case v == nil:
	case r.Type == "Y":
		v.State, v.Nodes = "RESV_CONFIRMED", cmp.Or(r.Value("nodes"), v.Nodes)
	case r.Type == "B":
		v.State = "RESV_RUNNING"
		x.open(v.Queue, true)
	case strings.Contains("FKk", r.Type):
		x.PBS.Reservations = slices.DeleteFunc(x.PBS.Reservations, func(o model.PBSReservation) bool { return o.ID == r.ID })
	}
}
