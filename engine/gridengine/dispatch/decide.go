package dispatch

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"qprism/engine/model"
)

// An Input is a cluster at a moment, the wanted order, and the rules.
type Input struct {
	Snapshot *model.Snapshot
	Owned    map[uint32]model.TaskSet // waiting tasks that the driver manages
	Order    []uint32                 // of all waiting jobs, the first starts first
	Rules    []Rule

	// Idle has owned tasks that cannot start now: the driver holds them, or their start time has not come.
	// Later has jobs whose start time has not come. After has jobs that wait only because the driver made
	// them wait for the end of other jobs (-hold_jid). With Chains, the driver may do this.
	Idle   map[uint32]model.TaskSet
	Later  map[uint32]bool
	After  map[uint32][]uint32
	Chains bool
}

// A Wish is what the driver changes on a waiting job, besides its place in the order.
type Wish struct {
	Held model.TaskSet // tasks that must not start now
	// held by a limit only; they keep their place in the order, because they may be released at any moment
	Limited bool
	After   uint32   // they may start when this job ends, 0 for none
	Why     []string // reasons for holds and places, for people
	Reserve bool
	Hosts   string   // an expression: it may start only on these hosts, "" for all
	Queues  string   // an expression: it may start only in these queues, "" for all
	Also    string   // one more request, "exclusive=true"
	First   []string // preferred hosts: a soft request

	holds int // by how many rules it is held
}

// Bound reports whether a wish changes a job.
func (w *Wish) Bound() bool {
	return len(w.Held) > 0 || w.Reserve || w.Hosts != "" || w.Queues != "" || w.Also != "" || len(w.First) > 0
}

// A Result is the order after the rules, and the wishes for owned jobs.
type Result struct {
	Order  []uint32
	Wishes map[uint32]*Wish
	Notes  []string // parts of rules that were not followed
	Again  bool     // a job waits for a place that another job gives up in this step
	Late   []uint32 // jobs whose start time has not come; they may take the place of others then
}

// Check reports a rule that no cluster can follow.
func Check(rules []Rule) error {
	for i := range rules {
		_, err := Choose(rules[i].Jobs)
		if err = cmp.Or(err, rules[i].wrong()); err != nil {
			return fmt.Errorf("rule %d: %w", i+1, err)
		}
	}
	return nil
}

// Decide applies rules. If several rules are about one job, Decide applies all of them. Decide notes and
// ignores hosts, queues and jobs that do not exist.
func Decide(in Input) (*Result, error) {
	if err := Check(in.Rules); err != nil {
		return nil, err
	}
	d := &decision{in: in, jobs: map[uint32]*model.Job{}, hosts: hostsOf(in.Snapshot),
		Result: &Result{Order: in.Order, Wishes: map[uint32]*Wish{}}}
	for i := range in.Snapshot.Jobs {
		d.jobs[in.Snapshot.Jobs[i].Number] = &in.Snapshot.Jobs[i]
	}
	d.noteJobs()
	for i := range in.Rules { // the order first: others count in it
		d.putLongestWaitFirst(&in.Rules[i])
	}
	for i := range in.Rules {
		d.follow(&in.Rules[i])
	}
	d.places()
	d.bindToEnds()
	for _, w := range d.Wishes {
		w.Limited = w.Limited && w.holds == 1
	}
	return d.Result, nil
}

type decision struct {
	in Input
	*Result
	jobs   map[uint32]*model.Job
	hosts  []host
	bounds map[uint32]*bounds
	chains []map[uint32]uint32 // by whose ends jobs are let go, for each rule with a limit
}

func (d *decision) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(d.Notes, text) {
		d.Notes = append(d.Notes, text)
	}
}

// noteJobs notes which jobs rules name that are not there.
func (d *decision) noteJobs() {
	there := map[string]bool{}
	for number := range d.jobs {
		there[strconv.FormatUint(uint64(number), 10)] = true
	}
	for i := range d.in.Rules {
		c, _ := Choose(d.in.Rules[i].Jobs)
		for _, job := range c.Jobs {
			if !there[job] {
				d.note("there is no job %q", job)
			}
		}
	}
}

// meant are the jobs that a rule is about and that are decided about, in their order.
func (d *decision) meant(r *Rule) (list []*model.Job) {
	c, _ := Choose(r.Jobs)
	for _, number := range d.Order {
		if j := d.jobs[number]; j != nil && len(d.in.Owned[number]) > 0 && (c.Has(j) || len(r.Jobs) == 0) {
			list = append(list, j)
		}
	}
	return list
}

func (d *decision) wish(job uint32) *Wish {
	if d.Wishes[job] == nil {
		d.Wishes[job] = &Wish{Held: model.TaskSet{}}
	}
	return d.Wishes[job]
}

// putLongestWaitFirst puts those first who have waited for too long, the longest first.
func (d *decision) putLongestWaitFirst(r *Rule) {
	if r.LongestWait == 0 {
		return
	}
	late := map[uint32]bool{}
	for _, j := range d.meant(r) {
		if !j.Submitted.IsZero() && d.in.Snapshot.TakenAt.Sub(j.Submitted) > time.Duration(r.LongestWait) {
			late[j.Number] = true
			d.wish(j.Number).Reserve = true
		}
	}
	if len(late) == 0 {
		return
	}
	if d.in.Snapshot.Policy.MaxReservation == 0 {
		d.note("longest_wait: the scheduler makes no reservations (max_reservation 0): these jobs come " +
			"first, but small jobs can overtake large ones")
	}
	d.Order = slices.Clone(d.Order)
	slices.SortStableFunc(d.Order, func(a, b uint32) int {
		switch {
		case late[a] && late[b]:
			return cmp.Or(d.jobs[a].Submitted.Compare(d.jobs[b].Submitted), cmp.Compare(a, b))
		case late[a]:
			return -1
		case late[b]:
			return 1
		}
		return 0
	})
}

// follow notes what a rule says of each job that it is about.
func (d *decision) follow(r *Rule) {
	later := r.NotBefore.After(d.in.Snapshot.TakenAt)
	for _, j := range d.meant(r) {
		b := d.boundsOf(j.Number)
		switch waits := d.in.Owned[j.Number]; {
		case r.NotNow != "":
			d.hold(j.Number, waits, r.NotNow)
		case later:
			d.hold(j.Number, waits, "not before "+r.NotBefore.UTC().Format("2006-01-02 15:04 MST"))
		}
		b.pack, b.spread = b.pack || r.Pack, b.spread || r.Spread
		if r.Exclusive {
			d.alone(j.Number)
		}
	}
	if r.AtMost > 0 && r.NotNow == "" && !later {
		d.limit(r)
	}
	d.bind(r)
}

// hold says that tasks must not start now.
func (d *decision) hold(job uint32, tasks model.TaskSet, why string) {
	w := d.wish(job)
	w.Held, w.holds = w.Held.With(tasks), w.holds+1
	w.because(why)
}

func (w *Wish) because(why string) {
	if !slices.Contains(w.Why, why) {
		w.Why = append(w.Why, why)
	}
}

// alone asks for whole hosts, where the cluster knows a resource for that.
func (d *decision) alone(job uint32) {
	for _, r := range d.in.Snapshot.Resources {
		if r.Relop == model.Exclusive {
			d.wish(job).Also = r.Name + "=true"
			return
		}
	}
	d.note("exclusive: no resource of the cluster has the relation EXCL (qconf -mc)")
}

func setOf(numbers []uint32) model.TaskSet {
	s := model.TaskSet{}
	for _, n := range numbers {
		s[n] = true
	}
	return s
}
