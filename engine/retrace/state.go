package retrace

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"qprism/engine/cycle"
	"qprism/engine/model"
)

// A state is what the cluster can have been like when a cycle began.
type state struct {
	*model.Snapshot
	forward bool     // made of a snapshot taken before the cycle
	from    string   // what it is made of, in words
	lost    []string // what happened between the snapshot and the cycle that no file tells in full
	index   map[string]int
}

// newState copies what records change of a snapshot.
func newState(s *model.Snapshot) *state {
	own, pbs := *s, *s.PBS
	own.PBS, own.Jobs, own.Queues = &pbs, slices.Clone(s.Jobs), slices.Clone(s.Queues)
	pbs.Reservations = slices.Clone(pbs.Reservations)
	x := &state{Snapshot: &own, index: map[string]int{}}
	x.number()
	return x
}

func (x *state) number() {
	clear(x.index)
	for i := range x.Jobs {
		if p := x.Jobs[i].PBS; p != nil {
			x.index[p.ID] = i
		}
	}
}

// job is a job that may be changed, nil where there is none.
func (x *state) job(id string) *model.Job {
	i, known := x.index[id]
	if !known {
		return nil
	}
	own := *x.Jobs[i].PBS
	x.Jobs[i].PBS = &own
	return &x.Jobs[i]
}

// insert puts a job where its number says that the server lists it.
func (x *state) insert(j model.Job) {
	i, _ := slices.BinarySearchFunc(x.Jobs, j.Number, func(a model.Job, n uint32) int {
		if a.Number == n {
			return -1 // behind those of the same number
		}
		return cmp.Compare(a.Number, n)
	})
	x.Jobs = slices.Insert(x.Jobs, i, j)
	x.number()
}

func (x *state) remove(id string) {
	if i, known := x.index[id]; known {
		x.Jobs = slices.Delete(x.Jobs, i, i+1)
		x.number()
	}
}

func (x *state) lose(text string) {
	if !slices.Contains(x.lost, text) {
		x.lost = append(x.lost, text)
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
	played := playedOn(base, s.PBS.Accounting, c)
	alone.lost = append(alone.lost, played.lost...)
	played.lost = nil
	alone.loseCharges(c)
	alone.loseUnknown(c, played)
	alone.loseFormula(c)
	alone.loseReservation(c)
	states = append(states, played)
	if later != nil {
		states = append(states, completed(played, later, c))
	}
	return states
}

// loseUnknown notes the jobs of a cycle that no file describes.
func (x *state) loseUnknown(c *model.SchedCycle, known *state) {
	for _, id := range c.Considered() {
		if _, ok := known.index[id]; !ok {
			x.lose("the cycle considered job " + id + ", which no file describes")
		}
	}
}

// loseFormula notes that a formula was set after the bundle was taken.
func (x *state) loseFormula(c *model.SchedCycle) {
	if values := c.Of(model.EventFormula); x.PBS.Formula == "" && slices.ContainsFunc(values, func(e model.CycleEvent) bool { return e.Text != "0" }) {
		x.lose("the cycle had a job_sort_formula, which was set after the bundle was taken")
	}
}

// loseReservation notes that a cycle confirmed a reservation that waits for that in no file: altering one leaves no record.
func (x *state) loseReservation(c *model.SchedCycle) {
	waits := func(r model.PBSReservation) bool {
		return r.State == "RESV_UNCONFIRMED" || r.State == "RESV_BEING_ALTERED"
	}
	if events := c.Of(model.EventReservation); len(events) > 0 && !slices.ContainsFunc(x.PBS.Reservations, waits) {
		x.lose("the cycle tried to confirm reservation " + events[0].Object + ", which was asked for or altered after the bundle was taken")
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

// loseCharges notes that the scheduler charged running jobs when the cycle began: the bundle shows what they used in all, but
// not what they had used when the scheduler read it last.
func (x *state) loseCharges(c *model.SchedCycle) {
	for i := range c.Events {
		if e := &c.Events[i]; e.Kind == model.EventFairshare && strings.Contains(e.Text, "Usage Sync") {
			x.lose("when the cycle began, running jobs were charged for what they had used since the one before, which the bundle does not show")
		}
	}
}

// loseMemory notes that the scheduler sorts by a tree of its own, where the log tells that it has charged anybody.
func (x *state) loseMemory(c *model.SchedCycle) {
	for i := range x.PBS.Cycles {
		if o := &x.PBS.Cycles[i]; !o.Start.After(c.Start) && cycle.PolicyAt(x.Snapshot, c.Start).FairShare {
			if slices.ContainsFunc(o.Events, func(e model.CycleEvent) bool { return e.Kind == model.EventFairshare }) {
				x.lose("the scheduler sorts by the fairshare tree in its memory, whose groups are charged on their own; the files show another one")
				return
			}
		}
	}
}

// playedOn is a snapshot with what happened until a cycle began, as accounting tells.
func playedOn(base *model.Snapshot, records []model.AccountingRecord, c *model.SchedCycle) *state {
	x := newState(base)
	x.forward, x.from = true, "the bundle and what accounting tells of the time until the cycle"
	from, until, did := base.TakenAt.Truncate(time.Second), c.Start.Truncate(time.Second), doings(c)
	for i := range records {
		r := &records[i]
		if r.At.Before(from) || r.At.After(until) || r.At.Equal(until) && did[doing{r.Type, r.ID}] {
			continue
		}
		x.play(r)
		if r.Type == "S" && r.At.Equal(until) {
			x.onItsWay(r.ID)
		}
	}
	x.settle(c.Start)
	x.admit(c)
	return x
}

// A doing is what an accounting record tells, of what.
type doing struct{ kind, id string }

// doings are what a cycle did, as accounting records tell it.
func doings(c *model.SchedCycle) map[doing]bool {
	did := map[doing]bool{}
	for i := range c.Events {
		switch e := &c.Events[i]; e.Kind {
		case model.EventRun:
			did[doing{"S", e.Object}], did[doing{"S", arrayOf(e.Object)}], did[doing{"r", e.Object}] = true, true, true
		case model.EventPreempted:
			did[doing{"R", e.Object}], did[doing{"z", e.Object}] = true, true
		case model.EventReservation:
			did[doing{"Y", e.Object}] = true
		}
	}
	return did
}

// onItsWay makes a job as it is in the second in which it was started: its host has not said yet that it runs, so that the
// scheduler of a cycle that begins then does not know since when it does.
func (x *state) onItsWay(id string) {
	if j := x.job(id); j != nil && j.PBS.State == "R" {
		j.PBS.Started, j.PBS.Substate = time.Time{}, starting
	}
}

// admit lets those jobs wait that the cycle considered, and that were held, suspended by hand or had to wait for some time before:
// no record tells when that ends.
func (x *state) admit(c *model.SchedCycle) {
	for _, id := range c.Considered() {
		i, known := x.index[id]
		if !known {
			continue
		}
		switch p := x.Jobs[i].PBS; p.State {
		case "H", "W":
			wait(x.job(id))
		case "S":
			x.job(id).PBS.Substate = suspendedByTheSched
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
			x.lose("job " + r.ID + " came after the bundle was taken, and accounting does not tell its priority")
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
	for i := range x.Jobs {
		if p := x.Jobs[i].PBS; p != nil {
			j.PBS.QueueRank = max(j.PBS.QueueRank, p.QueueRank+1)
		}
	}
	x.insert(j)
}

func (x *state) playStart(j *model.Job, r *model.AccountingRecord) {
	_, index := numbers(r.ID)
	switch array := x.job(arrayOf(r.ID)); {
	case j != nil && j.PBS.State != "R" && !j.Array:
		start(j, r)
	case j != nil && j.Array:
		j.PBS.State = "B"
	case j == nil && index > 0 && array != nil:
		array.PBS.State, array.PBS.ArrayRemaining = "B", without(array.PBS.ArrayRemaining, index)
		sub := subjob(array, index)
		start(&sub, r)
		x.insert(sub)
	}
}

// subjob is a subjob of an array that waits.
func subjob(array *model.Job, index uint32) model.Job {
	j, p := *array, *array.PBS
	j.PBS, j.Array, j.Structure = &p, false, nil
	p.Array, p.Index, p.ArrayRemaining, p.ArrayStates = p.ID, index, nil, nil
	p.ID = strings.Replace(p.ID, "[]", "["+utoa(index)+"]", 1)
	return j
}

func (x *state) playChange(j *model.Job, r *model.AccountingRecord) {
	if j == nil {
		return
	}
	for _, f := range r.Fields {
		if !alter(j, f.Name, f.Value) {
			x.lose("job " + r.ID + " was altered (" + f.Name + ")")
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
		x.lose("reservation " + r.ID + " was asked for, and accounting does not tell what it asks for")
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
