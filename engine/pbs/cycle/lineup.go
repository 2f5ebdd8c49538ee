package cycle

import (
	"slices"
	"time"

	"qprism/engine/formula"
	"qprism/engine/model"
	"qprism/engine/pbs/fairshare"
)

// A Lineup is the order in which a cycle considers jobs before it has started any, and what they are sorted by.
type Lineup struct {
	At        time.Time
	Policy    model.CyclePolicy // the one in force, by prime time
	Prime     bool
	Tree      *fairshare.Tree
	Formula   string // job_sort_formula, empty for none
	Threshold string // job_sort_formula_threshold, empty for none
	Jobs      []Stand
	Notes     []string // what keeps numbers from being known, in words
}

// A Stand is one job in a lineup.
type Stand struct {
	model.Rating // what a plan says of it too
	Job          *model.Job
	Place        int // among the jobs that are considered, from 1; 0 for one that is not
	// Why says why it is not considered, where the cycle passes over it; none for jobs that run or are held.
	Why []model.Reason

	Queue         string
	QueuePriority int
	QueuePlace    int    // of its queue among all, by priority where by_queue or round_robin asks for that
	Waits         bool   // it can be tried
	Reserved      bool   // it belongs to a reservation whose time has come
	Express       bool   // its queue is express, or it was preempted: by_queue takes those first
	LevelOf       string // what gives it its preempt priority, in the words of preempt_prio
	Preempted     time.Time
	Input         formula.Input
	Node          *fairshare.Node // of the entity that is charged; nil where nobody is
	Keys          []float64       // by job_sort_key
	QueueRank     int64
	Rank          int // in the server's own order
}

// LineUp sorts the jobs as the cycle at that moment does, as if these jobs (by id) had just been started in it.
func LineUp(s *model.Snapshot, at time.Time, started ...string) *Lineup {
	if s.PBS == nil {
		return &Lineup{At: at}
	}
	r := newRun(s, Options{At: at})
	w := r.world
	w.load()
	r.passOver()
	r.accrue()
	r.rate()
	w.sortJobs()
	r.pretend(started)
	l := &Lineup{At: at, Policy: w.policy.CyclePolicy, Prime: w.policy.prime, Tree: w.tree.Tree, Formula: w.pbs.Formula,
		Threshold: w.sched.Threshold, Notes: r.plan.Notes}
	r.lineUp(l)
	return l
}

// pretend counts jobs as started, as far as the order of the others depends on it.
func (r *run) pretend(ids []string) {
	w := r.world
	for _, id := range ids {
		for _, c := range w.jobs {
			if c.id == id && c.runnable() {
				c.state, c.suspendedHere, c.cannotRun = 'R', false, true
				w.countStart(c)
			}
		}
	}
	if len(ids) > 0 {
		w.sortJobs()
	}
}

// lineUp lists the jobs that are considered, in that order, and then all others.
func (r *run) lineUp(l *Lineup) {
	w := r.world
	why := map[string][]model.Reason{}
	for i := range r.plan.Decisions {
		if d := &r.plan.Decisions[i]; len(d.Why) > 0 {
			why[claimKey(d.Job, d.Tasks)] = d.Why
		}
	}
	seen := map[*claim]bool{}
	r.cursor.rounds = w.rounds()
	for c := w.next(&r.cursor, keepOrder); c != nil; c = w.next(&r.cursor, keepOrder) {
		seen[c], c.cannotRun = true, true
		s := r.stand(c)
		s.Place = len(l.Jobs) + 1
		l.Jobs = append(l.Jobs, s)
	}
	for _, c := range w.jobs {
		if !seen[c] {
			s := r.stand(c)
			s.Why = why[claimKey(c.number, r.decision(c).Tasks)]
			l.Jobs = append(l.Jobs, s)
		}
	}
}

// claimKey tells apart the jobs and subjobs of one number.
func claimKey(number uint32, tasks []model.Range) string {
	key := utoa(number)
	for _, t := range tasks {
		key += "," + utoa(t.Min) + "-" + utoa(t.Max)
	}
	return key
}

func (r *run) stand(c *claim) Stand {
	w := r.world
	s := Stand{Rating: r.rating(c), Job: c.source, Queue: c.queue.name, QueuePriority: c.queue.priority, QueuePlace: c.queue.index + 1,
		Waits: c.runnable(), Reserved: c.queue.reservation != nil && c.queue.reservation.inForce, Express: c.bits&express != 0 || c.preempted,
		LevelOf: levelWords(c.bits), Input: r.input(c), Node: c.entity, QueueRank: c.queueRank, Rank: c.rank}
	if c.preemptedAt != never {
		s.Preempted = time.Unix(c.preemptedAt, 0).UTC()
	}
	for i := range w.policy.jobKeys {
		s.Keys = append(s.Keys, w.policy.jobKeys[i].of(c))
	}
	return s
}

// levelWords are the words of preempt_prio for bits, "fairshare+queue_softlimits".
func levelWords(bits int) string {
	words := ""
	for _, name := range []string{"express_queue", "fairshare", "queue_softlimits", "server_softlimits", "normal_jobs"} {
		if bits&levelNames[name] != 0 {
			if words != "" {
				words += "+"
			}
			words += name
		}
	}
	return words
}

// Find is the job of an id, nil where the cycle does not know it.
func (l *Lineup) Find(id string) *Stand {
	i := slices.IndexFunc(l.Jobs, func(s Stand) bool { return s.ID == id })
	if i < 0 {
		return nil
	}
	return &l.Jobs[i]
}

// A Criterion is one of the things that jobs are sorted by, and what it says of two of them.
type Criterion struct {
	Name  string
	Order int // negative where the first job comes first, 0 where it does not tell them apart
}

// Compare goes through what the cycle sorts by, the most important first; the first criterion that tells two jobs apart
// decides. Round robin takes jobs of queues in turn, which no criterion says.
func (l *Lineup) Compare(a, b *Stand) []Criterion {
	var list []Criterion
	add := func(name string, order int) { list = append(list, Criterion{Name: name, Order: sign(order)}) }
	p := &l.Policy
	add("reservation", b2i(b.Reserved)-b2i(a.Reserved))
	if p.ByQueue && !p.RoundRobin {
		add("express", b2i(b.Express)-b2i(a.Express))
		if !(a.Express && b.Express) {
			add("queue", a.QueuePlace-b.QueuePlace)
		}
	}
	if p.Preemptive {
		add("preempt priority", b.Level-a.Level)
	}
	if !a.Preempted.IsZero() || !b.Preempted.IsZero() {
		add("preempted", comparePreempted(unixOr(a.Preempted), unixOr(b.Preempted)))
	}
	if l.Formula != "" {
		add("formula", b2i(a.Formula < b.Formula)-b2i(a.Formula > b.Formula))
	}
	if p.FairShare {
		order := 0
		if a.Node != b.Node {
			order = compareEntities(a.Node, b.Node)
		}
		add("fairshare", order)
	}
	for i, k := range p.JobSortKeys {
		if i < len(a.Keys) && i < len(b.Keys) {
			add(k.Resource, inDirection(a.Keys[i], b.Keys[i], k.Descending))
		}
	}
	add("arrival", sign64(a.QueueRank-b.QueueRank))
	add("server's order", a.Rank-b.Rank)
	return list
}

func sign(n int) int { return b2i(n > 0) - b2i(n < 0) }

func sign64(n int64) int { return b2i(n > 0) - b2i(n < 0) }
