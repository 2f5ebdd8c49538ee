package synthesis

import (
	"cmp"
	"slices"
	"time"

	"qprism/engine/gridengine/split"
	"qprism/engine/model"
	"qprism/engine/pbs/fairshare"
	"qprism/engine/whatif"
)

// A resident is a job while it is in the queue or runs.
type resident struct {
	number             uint32
	submitted          time.Time
	started, until     time.Time // zero where it has not started, or is still there
	aside              bool      // held, or otherwise not a candidate, as far as it was seen
	names              [3]string // of its parties
	node               string    // entity of the tree that it counts for
	slots              float64   // by which it dilutes share-tree tickets: the least that it asks for
	jobShare           uint32
	override           uint32
	functional, given  [3]uint32 // fshare and oticket of its parties
	shared, functioned float64   // override and functional tickets, in the census's last count
	key                float64   // its place among the waiting jobs of its node
	kind               category  // where kindKnown, for the job share that it has
	kindKnown          bool
}

// A census knows who was in the queue when, as far as a history up to some run and its accounting records tell.
type census struct {
	residents []*resident // by submission
	byNumber  map[uint32]*resident
	accounts  accounts
	tree      *whatif.Tree
	units     *fairshare.Tree // the same in units of PBS, nil until it is asked for
}

// takeCensus looks at a history up to its last run.
func takeCensus(h History) *census {
	last := h[len(h)-1]
	c := &census{byNumber: map[uint32]*resident{}, accounts: accountsOf(last.Snapshot),
		tree: whatif.NewTree(last.Snapshot)}
	for _, r := range h {
		c.see(r)
	}
	for i := range last.Snapshot.Ended {
		c.end(&last.Snapshot.Ended[i])
	}
	for _, r := range c.byNumber {
		c.residents = append(c.residents, r)
	}
	slices.SortFunc(c.residents, bySubmission)
	return c
}

func bySubmission(a, b *resident) int {
	return cmp.Or(a.submitted.Compare(b.submitted), cmp.Compare(a.number, b.number))
}

// see notes the jobs of one run.
func (c *census) see(run Run) {
	for _, list := range [][]split.Entry{run.Lists.Running, run.Lists.Pending, run.Lists.Blocked} {
		for i := range list {
			c.resident(list[i].Job)
		}
	}
	for i := range run.Lists.Blocked {
		r := c.byNumber[run.Lists.Blocked[i].Job.Number]
		r.aside = r.aside || run.Result.Job(r.number) == nil
	}
	for i := range run.Lists.Running {
		j := run.Lists.Running[i].Job
		for k := range j.Tasks {
			if at := j.Tasks[k].Started; !at.IsZero() {
				c.byNumber[j.Number].started = model.Earliest(c.byNumber[j.Number].started, at)
			}
		}
	}
	there := make(map[uint32]bool, len(run.Snapshot.Jobs))
	for i := range run.Snapshot.Jobs {
		there[run.Snapshot.Jobs[i].Number] = true
	}
	for _, r := range c.byNumber {
		if r.until.IsZero() && !there[r.number] {
			r.until = run.At
		}
	}
}

// resident is what is known of a job, as it was when it was first seen.
func (c *census) resident(j *model.Job) *resident {
	if r := c.byNumber[j.Number]; r != nil {
		r.jobShare, r.override = j.JobShare, j.OverrideTickets
		return r
	}
	r := &resident{number: j.Number, submitted: j.Submitted,
		slots: float64(j.LeastSlots()), jobShare: j.JobShare, override: j.OverrideTickets}
	r.join(c, j.Owner, j.Project, j.Department)
	if c.accounts.inTree(j) {
		r.node = c.tree.Entity(j)
	}
	c.byNumber[j.Number] = r
	return r
}

// join finds the parties of a job.
func (r *resident) join(c *census, owner, project, department string) {
	r.names = [3]string{owner, project, department}
	for p, name := range r.names {
		a := c.accounts.of[p][name]
		r.functional[p], r.given[p] = a.shares, a.tickets
	}
}

// end notes an accounting record.
func (c *census) end(e *model.EndedTask) {
	r := c.byNumber[e.Job]
	if r == nil {
		r = &resident{number: e.Job, submitted: e.Submitted, slots: max(1, float64(e.Slots))}
		r.join(c, e.Owner, e.Project, e.Department)
		if j := (&model.Job{Owner: e.Owner, Project: e.Project}); c.accounts.inTree(j) {
			r.node = c.tree.Entity(j)
		}
		c.byNumber[e.Job] = r
	}
	if !e.Started.IsZero() {
		r.started = model.Earliest(r.started, e.Started)
	}
	if r.until.IsZero() || !e.Array {
		r.until = e.Ended
	}
}

// atSubmission gives each job its tickets at submission, and its key among the jobs of its node. It calls f
// with the jobs that are present then, because a hook sees these.
func (c *census) atSubmission(t *ticketRules, f func(r *resident, met *population)) {
	met := newPopulation()
	var starts, ends []*resident
	for _, r := range c.residents {
		if !r.started.IsZero() {
			starts = append(starts, r)
		}
		if !r.until.IsZero() {
			ends = append(ends, r)
		}
	}
	slices.SortStableFunc(starts, func(a, b *resident) int { return a.started.Compare(b.started) })
	slices.SortStableFunc(ends, func(a, b *resident) int { return a.until.Compare(b.until) })
	there, runs := map[*resident]bool{}, map[*resident]bool{}
	for _, r := range c.residents {
		for ; len(starts) > 0 && !starts[0].started.After(r.submitted); starts = starts[1:] {
			if s := starts[0]; there[s] {
				met.remove(s, false)
				met.add(s, 1, true)
				runs[s] = true
			}
		}
		for ; len(ends) > 0 && !ends[0].until.After(r.submitted); ends = ends[1:] {
			if e := ends[0]; there[e] {
				met.remove(e, runs[e])
				delete(there, e)
			}
		}
		given := r.override // with qalter, after the job was submitted
		r.override = 0
		r.shared = t.override(r, met.tasks)
		met.add(r, 1, false)
		r.functioned = t.functional(r, met)
		met.rekey(t, r)
		r.override = given
		f(r, met)
		if there[r] = !r.aside; r.aside {
			met.remove(r, false)
		}
	}
}

// rekey puts the last job of a node in its place.
func (c *population) rekey(t *ticketRules, r *resident) {
	r.key = t.key(r)
	if l := c.nodes[r.node]; l != nil {
		(*l)[len(*l)-1].key = r.key
	}
}

// atRun does the same for each waiting job of a run with all that run or wait then: what a periodic job sees.
func (c *census) atRun(run Run, t *ticketRules, f func(r *resident, met *population)) {
	met := c.running(run)
	var waiting []*resident
	for _, j := range run.Result.Pending {
		waiting = append(waiting, c.resident(j.Job))
	}
	slices.SortFunc(waiting, bySubmission)
	for _, r := range waiting {
		met.add(r, 1, false)
	}
	t.share(met)
	for _, r := range waiting {
		r.functioned = t.functional(r, met)
	}
	for _, l := range met.nodes {
		for i := range *l {
			m := &(*l)[i]
			m.key = t.key(m.resident)
			m.resident.key = m.key
		}
	}
	for _, r := range waiting {
		f(r, met)
	}
}
