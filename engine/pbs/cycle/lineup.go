package cycle

import (
	"fmt"
	"slices"
	"time"

	"qprism/engine/model"
	"qprism/engine/pbs/criteria"
	"qprism/engine/pbs/cycle/clock"
	"qprism/engine/pbs/cycle/cluster"
	"qprism/engine/pbs/cycle/order"
	"qprism/engine/pbs/fairshare"
)

// A Lineup is the order of the jobs at the start of a cycle, and its criteria.
type Lineup struct {
	At        time.Time
	Policy    model.CyclePolicy // in force now, in primetime or outside it
	Prime     bool
	Tree      *fairshare.Tree
	Formula   string // job_sort_formula, empty for none
	Threshold string // job_sort_formula_threshold, empty for none
	Jobs      []criteria.JobValues
	Notes     []string // why numbers are not known, in words
}

// LineUp sorts the jobs as the cycle at that moment does, as if the cycle had just started these jobs (ids).
func LineUp(s *model.Snapshot, at time.Time, started ...string) *Lineup {
	if s.PBS == nil {
		return &Lineup{At: at}
	}
	r := newRun(s, Options{At: at})
	w := r.world
	r.noteGuesses()
	r.passOver()
	r.accrue()
	r.noteCharges()
	r.rate()
	r.line.SortJobs()
	r.assumeStarted(started)
	l := &Lineup{At: at, Policy: w.Policy.CyclePolicy, Prime: w.Policy.Prime, Tree: w.Tree.Tree, Formula: w.PBS.Formula,
		Threshold: w.Sched.Threshold, Notes: r.plan.Notes}
	r.lineUp(l)
	return l
}

// assumeStarted counts jobs as started, as far as the order of the others depends on it.
func (r *run) assumeStarted(ids []string) {
	w := r.world
	for _, id := range ids {
		for _, c := range w.Jobs {
			if c.ID == id && c.Runnable() {
				c.State, c.SchedSuspended, c.CannotRun = 'R', false, true
				w.CountStart(c)
			}
		}
	}
	if len(ids) > 0 {
		r.line.SortJobs()
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
	seen := map[*cluster.Claim]bool{}
	for c := r.line.Next(order.Keep); c != nil; c = r.line.Next(order.Keep) {
		seen[c], c.CannotRun = true, true
		s := r.stand(c)
		s.Place = len(l.Jobs) + 1
		l.Jobs = append(l.Jobs, s)
	}
	for _, c := range w.Jobs {
		if !seen[c] {
			s := r.stand(c)
			s.Why = why[claimKey(c.Number, r.decision(c).Tasks)]
			l.Jobs = append(l.Jobs, s)
		}
	}
}

// claimKey tells apart the jobs and subjobs of one number.
func claimKey(number uint32, tasks []model.Range) string {
	key := fmt.Sprint(number)
	for _, t := range tasks {
		key += fmt.Sprintf(",%d-%d", t.Min, t.Max)
	}
	return key
}

func (r *run) stand(c *cluster.Claim) criteria.JobValues {
	w := r.world
	s := criteria.JobValues{Rating: r.rating(c), Job: c.Source, Queue: c.Queue.Name, QueuePriority: c.Queue.Priority,
		QueuePlace: c.Queue.Index + 1,
		Waits:      c.Runnable(), Reserved: c.Queue.Reservation != nil && c.Queue.Reservation.InForce,
		Express: c.Bits&cluster.Express != 0 || c.Preempted,
		LevelOf: levelWords(c.Bits), Input: r.input(c), Node: c.Entity, QueueRank: c.QueueRank, Rank: c.Rank}
	if c.PreemptedAt != clock.Never {
		s.Preempted = time.Unix(c.PreemptedAt, 0).UTC()
	}
	for i := range w.Policy.JobKeys {
		s.Keys = append(s.Keys, w.Policy.JobKeys[i].OfJob(c))
	}
	return s
}

// levelWords are the words of preempt_prio for bits, "fairshare+queue_softlimits".
func levelWords(bits int) string {
	words := ""
	for _, name := range []string{"express_queue", "fairshare", "queue_softlimits", "server_softlimits", "normal_jobs"} {
		if bits&cluster.LevelNames[name] != 0 {
			if words != "" {
				words += "+"
			}
			words += name
		}
	}
	return words
}

// Find is the job with an id, nil if the cycle does not have it.
func (l *Lineup) Find(id string) *criteria.JobValues {
	i := slices.IndexFunc(l.Jobs, func(s criteria.JobValues) bool { return s.ID == id })
	if i < 0 {
		return nil
	}
	return &l.Jobs[i]
}

// Criteria are the criteria of this order, the most important first.
func (l *Lineup) Criteria() []criteria.Criterion { return criteria.List(&l.Policy, l.Formula) }

// Order is the order in which the cycle at a moment would consider the waiting jobs, if the starts in this
// cycle did not change the order. The list has each waiting subjob of an array, and the jobs of closed
// queues. Order updates a Memory as the start of a cycle does.
func Order(s *model.Snapshot, opts Options) []model.Decision {
	r := newRun(s, opts)
	if s.PBS == nil {
		return nil
	}
	w := r.world
	r.accrue()
	r.rate()
	r.line.SortJobs()
	for _, c := range w.Jobs {
		c.CannotRun = !c.Runnable()
	}
	var list []model.Decision
	for c := r.line.Next(order.Keep); c != nil; c = r.line.Next(order.Keep) {
		c.CannotRun = true
		d := r.decision(c)
		d.Tasks, d.Verdict = slices.Clone(d.Tasks), model.Never
		list = append(list, d)
	}
	return list
}
