package diff

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"qprism/engine/model"
)

// A Cause says why the task that was expected later started first.
type Cause struct {
	Kind   Kind
	Detail string        // the resource, the quota, the quirk's id, the change …
	Why    *model.Reason // given by the run, nil for none
	Start  time.Time     // of the late task's reservation
	Over   Task          // for RunTime: it ended sooner than expected, and the early task got its place
}

// A Kind is a kind of cause.
type Kind string

// The kinds, the most certain first.
const (
	// the early task fitted before a reservation: for the late task, or for one that the late task waits for
	Backfilled Kind = "backfilled"
	Resource   Kind = "resource"       // the late task waited for a resource: Detail
	Quota      Kind = "quota or limit" // resource quota, limits on running jobs or tasks
	HostState  Kind = "host or queue"  // no usable queue instance was open: state, load, calendar, primetime
	// the late task was held, in error, or waited for a time, a job or an advance reservation
	Held    Kind = "hold or dependency"
	Request Kind = "request"          // no place meets its requests
	Policy  Kind = "policy"           // strict ordering, threshold of a formula, no shares
	Changed Kind = "priority changed" // since the prediction; Detail names the change
	RunTime Kind = "run times"        // a task ended sooner than expected and made room for the early one
	Quirk   Kind = "quirk"            // of the release: Detail is its id; without the quirk there is no inversion
	Tie     Kind = "tie"              // both were equal; the deciding fact is in no snapshot
	Unknown Kind = "unknown"
)

// Kinds are all kinds, in that order.
var Kinds = []Kind{Backfilled, Resource, Quota, HostState, Held, Request, Policy, Changed, RunTime, Quirk, Tie, Unknown}

// A decided run is a plan whose decisions are found by task.
type decided struct {
	*model.Plan
	memory *memory // of the scheduler after it
	whys   map[*model.Decision]Cause
	single map[Task]int // what starts or is reserved for
	groups map[uint32][]int
}

// decide plans the run again, once for each set of quirks. Why tasks wait is asked of those of the release alone.
func (s *step) decide(q model.Quirks) *decided {
	if s.plans[q] == nil {
		s.plans[q] = byTask(planRun(s.state, s.at, q, s.memory, q != s.Release))
	}
	return s.plans[q]
}

// byTask finds the decisions of a plan by task.
func byTask(p *model.Plan, m *memory) *decided {
	d := &decided{Plan: p, memory: m, single: map[Task]int{}, groups: map[uint32][]int{}}
	for i := range d.Decisions {
		n := &d.Decisions[i]
		if t := group(n.Job, n.Tasks).task; n.Verdict != model.Never {
			if _, known := d.single[t]; !known {
				d.single[t] = i
			}
		}
		d.groups[n.Job] = append(d.groups[n.Job], i)
	}
	return d
}

// index is the place of the decision about a task: that it starts, that it is reserved for, or that it
// waits; -1 for none.
func (d *decided) index(t Task) int {
	if i, ok := d.single[t]; ok {
		return i
	}
	for _, i := range d.groups[t.Job] {
		if n := &d.Decisions[i]; len(n.Tasks) == 0 || holds(n.Tasks, t.Number) {
			return i
		}
	}
	return -1
}

// about is the decision about a task, nil for none.
func (d *decided) about(t Task) *model.Decision {
	if i := d.index(t); i >= 0 {
		return &d.Decisions[i]
	}
	return nil
}

func starts(d *model.Decision) bool { return d != nil && d.Verdict == model.Now }

// sortedAgain reports whether the run itself came to try the early task first: what it starts counts as usage at once.
func (d *decided) sortedAgain(late, early Task) bool {
	a, b := d.about(late), d.about(early)
	return starts(b) && a != nil && (starts(a) || a.Tried) && d.index(early) < d.index(late)
}

// inverts reports whether the run starts the early task and lets the late one wait.
func (d *decided) inverts(late, early Task) bool {
	return starts(d.about(early)) && !starts(d.about(late))
}

// cause finds why a run started the early task before the late one. Each cause is shown by something: two
// orders that differ, a plan of the run that starts the one and lets the other wait, what the master
// recorded. What none of them shows is unknown.
func (s *step) cause(late, early Task) Cause {
	d := s.decide(s.Release)
	if s.state != s.expected && s.orderChanged(late, early) {
		return Cause{Kind: Changed, Detail: s.whatChanged(s.expected, s.at, late, early)}
	}
	if d.sortedAgain(late, early) {
		return Cause{Kind: Changed, Detail: "the run sorted the jobs again"}
	}
	recorded, isRecorded := s.recorded(late)
	switch {
	case isRecorded && s.differences > 0: // a plan that is not quite that of the run says less than the record
		return recorded
	case d.inverts(late, early):
		return s.planned(late, early)
	case isRecorded:
		return recorded
	}
	if c, ok := s.ifAltered(late, early); ok {
		return c
	}
	if s.tied(late, early, d) {
		return Cause{Kind: Tie}
	}
	return Cause{Kind: Unknown, Detail: s.words(late)}
}

// planned is why the plan of the run lets the late task wait and starts the early one. A reservation that
// the schedule file lacks is no reason.
func (s *step) planned(late, early Task) Cause {
	if id, ok := s.quirk(late, early); ok {
		return Cause{Kind: Quirk, Detail: id}
	}
	c := s.whyItWaited(late)
	if c.Start.Unix() > 0 && s.lacksReservation(late) {
		if recorded, ok := s.recorded(late); ok {
			return recorded
		}
		return Cause{Kind: Unknown, Detail: "a plan of the run has a reservation for it, but the schedule file does not"}
	}
	return c
}

// orderChanged reports whether the run tried the early task first, unlike expected.
func (s *step) orderChanged(late, early Task) bool {
	found := s.foundOrder("found", s.Release)
	return found.place(late) >= 0 && found.ahead(early, late) && s.expectedOrder().ahead(late, early)
}

// whyItWaited is why a task waits by the plan of the run, or because it was not among those that the run tried.
func (s *step) whyItWaited(t Task) Cause {
	c := s.decide(s.Release).waits(t)
	if j := s.jobIn(s.state, t); c.Kind == Unknown && j != nil && heldOrFailed(j, t) {
		return Cause{Kind: Held, Detail: "state " + stateOf(j, t)}
	}
	return c
}

// waits is why a task waits, by the decision about it. Of a PBS array the first subjob that waits is tried,
// and the others wait behind it.
func (d *decided) waits(t Task) Cause {
	n := d.about(t)
	if group := d.groups[t.Job]; n == nil && len(group) > 0 && !starts(&d.Decisions[group[len(group)-1]]) {
		n = &d.Decisions[group[len(group)-1]]
	}
	if n == nil {
		return Cause{Kind: Unknown, Detail: "not among the jobs of the run"}
	}
	c, known := d.whys[n]
	if !known {
		if c = d.ofReasons(n.Why); n.Verdict == model.Later {
			c.reserve(n.Start)
		}
		if d.whys == nil {
			d.whys = map[*model.Decision]Cause{}
		}
		d.whys[n] = c
	}
	return c
}

// reserve notes that the late task was reserved for: the early one was backfilled, unless the late one
// would have to wait without anybody before it, too.
func (c *Cause) reserve(start time.Time) {
	if start.IsZero() {
		return
	}
	c.Start = start
	if c.Kind != Quota && c.Kind != HostState && c.Kind != Held {
		c.Kind = Backfilled
	}
}

// ofReasons is the cause that the reasons of a decision amount to. A job has a reason for each place where
// it does not fit; what time can mend there is what it waits for, and of that the most frequent. Where no
// open place ever suits it, it waits for one that was closed.
func (d *decided) ofReasons(why []model.Reason) Cause {
	best := heaviest(d.resolve(why))
	if best != nil && best.grade == misfit {
		if closed := heaviest(d.closedFor(why)); closed != nil {
			best = closed
		}
	}
	if best == nil {
		return Cause{Kind: Unknown, Detail: "the run gives no reason"}
	}
	return best.Cause
}

// heaviest is the cause of reasons that counts most, nil for none.
func heaviest(why []model.Reason) (best *tally) {
	for _, t := range tallies(why) {
		if best == nil || t.weight() > best.weight() {
			best = t
		}
	}
	return best
}

// closedFor are the queue instances that took no part in the run, of queues of which no other instance
// turned the job away: where no open one suits a job, it may have waited for these.
func (d *decided) closedFor(why []model.Reason) (closed []model.Reason) {
	denied := map[string]bool{}
	for i := range why {
		if why[i].Level != "Q" && why[i].Level != "H" && why[i].Level != "L" {
			return nil // wherever it is
		}
		queue, _, _ := strings.Cut(why[i].Object, "@")
		denied[queue] = true
	}
	for _, r := range d.Closed {
		if queue, _, _ := strings.Cut(r.Object, "@"); !denied[queue] {
			closed = append(closed, r)
		}
	}
	return closed
}

// A tally counts the places with one cause.
type tally struct {
	Cause
	count int
	grade int
}

func (t *tally) weight() int { return t.grade<<32 + t.count }

// tallies are the causes of reasons, in the order of the first of each.
func tallies(why []model.Reason) (list []*tally) {
	places := map[[2]string]*tally{}
	for i := range why {
		c, grade := ofReason(&why[i])
		key := [2]string{string(c.Kind), c.Detail}
		t := places[key]
		if t == nil {
			t = &tally{Cause: c}
			places[key] = t
			list = append(list, t)
		}
		t.count++
		t.grade = max(t.grade, grade)
	}
	return list
}

// resolve leaves out that the run ended early where a job's own places say what it waits for, else says
// what was closed then.
func (d *decided) resolve(why []model.Reason) []model.Reason {
	list := slices.DeleteFunc(slices.Clone(why), func(r model.Reason) bool { return r.Kind == model.ReasonStopped })
	if len(list) == 0 && len(why) > 0 {
		return d.whenStopped()
	}
	return list
}

// whenStopped says why no queue instance was left when the run ended: those that were closed before it, and
// those that it filled itself.
func (d *decided) whenStopped() []model.Reason {
	if len(d.single) > 0 || len(d.Closed) == 0 {
		return append([]model.Reason{{Kind: model.ReasonFull, Resource: "slots", Later: true}}, d.Closed...)
	}
	return d.Closed
}

// Grades of reasons: what is about the job itself counts more than what is about places, what time mends more than what
// never fits.
const (
	vague   = iota // says only that others failed alike
	misfit         // no time mends it
	mends          // another time would do
	keeping        // free, and kept for others
	ofJob          // about the job, whatever the place
)

// ofReason is the cause that a reason means, and its grade.
func ofReason(r *model.Reason) (Cause, int) {
	c := Cause{Why: r}
	switch r.Kind {
	case model.ReasonHold, model.ReasonError, model.ReasonDependency, model.ReasonExecutionTime, model.ReasonStale:
		c.Kind, c.Detail = Held, string(r.Kind)
		return c, ofJob
	case model.ReasonAdvance:
		c.Kind, c.Detail = Held, string(r.Kind)
		return c, misfit
	case model.ReasonTaskLimit, model.ReasonUserLimit, model.ReasonFilter:
		c.Kind, c.Detail = Quota, string(r.Kind)
		return c, ofJob
	case model.ReasonQuota:
		c.Kind, c.Detail = Quota, r.Object
		return c, mends
	case model.ReasonLimit:
		c.Kind, c.Detail = Quota, cmp.Or(r.Text, string(r.Kind))
		return c, mends
	case model.ReasonStrictOrder, model.ReasonThreshold, model.ReasonShares:
		c.Kind, c.Detail = Policy, string(r.Kind)
		return c, ofJob
	case model.ReasonReserved:
		c.Kind, c.Detail = Backfilled, "reserved for others"
		return c, keeping
	case model.ReasonFull, model.ReasonPESlots:
		c.Kind, c.Detail = Resource, "slots"
		return c, mends
	case model.ReasonExclusive:
		c.Kind, c.Detail = Resource, cmp.Or(r.Resource, string(r.Kind))
		return c, mends
	case model.ReasonPlacementSet:
		c.Kind, c.Detail = Resource, string(r.Kind)
		return c, mends
	case model.ReasonQueueState, model.ReasonLoad, model.ReasonCalendar, model.ReasonReschedule,
		model.ReasonDedicated, model.ReasonPrime:
		c.Kind, c.Detail = HostState, string(r.Kind)
		return c, mends
	case model.ReasonReservations, model.ReasonStopped:
		c.Kind, c.Detail = Unknown, string(r.Kind)
		return c, vague
	case model.ReasonResource:
		return ofResource(r)
	}
	c.Kind, c.Detail = Request, string(r.Kind)
	return c, misfit
}

// ofResource tells a resource that is short from one that is kept for others, and from a value that does not match.
func ofResource(r *model.Reason) (Cause, int) {
	switch {
	case r.Reserved:
		return Cause{Kind: Backfilled, Detail: r.Resource + " reserved for others", Why: r}, keeping
	case r.Later:
		return Cause{Kind: Resource, Detail: r.Resource, Why: r}, mends
	}
	return Cause{Kind: Request, Detail: r.Resource, Why: r}, misfit
}

// tied reports whether the two came in this order by a choice that no snapshot shows: both started, and
// nothing tells at which place among the starts; or a task that was tried before got another place than in
// the plan, one that was as good.
func (s *step) tied(late, early Task, d *decided) bool {
	if s.unordered[late] && s.unordered[early] {
		return true
	}
	return slices.ContainsFunc(s.starts, func(one start) bool {
		return d.index(one.task) <= d.index(early) && d.choseAnother(&one)
	})
}

// choseAnother reports whether a task was started in a place that was as good as the one that the plan gives it.
func (d *decided) choseAnother(one *start) bool {
	n := d.about(one.task)
	return starts(n) && slices.ContainsFunc(one.slots, func(g model.Grant) bool {
		return slices.Contains(n.Tied, g.Instance) && !slices.ContainsFunc(n.Slots,
			func(own model.Grant) bool { return own.Instance == g.Instance })
	})
}

// words are what the master says of a task that waits, where nothing else tells; else that the plan is not
// that of the run.
func (s *step) words(late Task) string {
	j := s.jobIn(s.after, late)
	switch {
	case j == nil:
	case len(j.Messages) > 0:
		return "the scheduler says: " + j.Messages[0].Text
	case j.PBS != nil && strings.HasPrefix(j.PBS.Comment, "Not Running"):
		return "the scheduler says: " + j.PBS.Comment
	}
	if s.differences > 0 {
		return "from the snapshots, the run would have started other tasks"
	}
	return ""
}
