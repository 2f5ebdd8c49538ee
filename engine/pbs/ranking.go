package pbs

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"qprism/engine/batch"
	"qprism/engine/formula"
	"qprism/engine/model"
	"qprism/engine/pbs/criteria"
	"qprism/engine/pbs/cycle"
	"qprism/engine/pbs/cycle/clock"
	"qprism/engine/pbs/fairshare"
)

// A Ranking has the jobs in the order of a cycle, and the values that order them.
type Ranking struct {
	batch.Ranking
	Order     []criteria.Criterion // the most important first
	Broken    bool                 // Python rejects the formula: every job has the value 0
	Threshold string               // job_sort_formula_threshold, empty for none
	PlanNotes []string             // why numbers are not known, in words
	Sure      map[cycle.Certainty]int
}

// ranking is what the numbers of all jobs are read from.
type ranking struct {
	*model.PBS
	policy  model.CyclePolicy
	jobs    []*ranked
	formula *formula.Job // nil for none, or one that Python does not accept
	reads   []string     // what the formula reads
	tree    *fairshare.Memory
}

// A ranked job is a job with its place, 0 for one that the cycle does not try.
type ranked struct {
	*ranking
	job *model.Job
	model.Rating
	rank   int
	sure   cycle.Certainty // of its place before the next job's
	inputs formula.Input
}

// Rank plans a cycle. It lists first the jobs that the cycle tries, then the other waiting jobs, then the
// running jobs. all adds more columns.
func Rank(s *model.Snapshot, at time.Time, all bool) *Ranking {
	p := cycle.Run(s, cycle.Options{At: at})
	p.Decisions = append(p.Decisions, cycle.Ignored(s)...)
	l := &ranking{PBS: s.PBS, policy: clock.PolicyAt(s, at), tree: fairshare.Start(s.PBS.Fairshare, at)}
	l.readFormula(s.Resources)
	l.readJobs(s, p, at)
	l.sort(p)
	r := &Ranking{Order: criteria.List(&l.policy, l.Formula), Broken: l.Formula != "" && l.formula == nil,
		Threshold: l.Scheduler().Threshold, PlanNotes: p.Notes}
	r.Sure = l.doubt(cycle.DoubtOf(s, at), cycle.LineUp(s, at))
	r.Cluster, r.Release, r.RunAt, r.Ranking.Formula = s.Cluster, s.Release.String(), batch.Time{Time: at}, &l.Formula
	r.Columns = batch.Columns(">rank", "job", "name", "user", "queue", "state")
	for _, name := range l.criteria(r.Order, all) {
		r.Columns = append(r.Columns, batch.Column{Name: shown + name, Title: ">" + name})
	}
	if r.Sure != nil {
		r.Columns = append(r.Columns, batch.Columns("sure")...)
	}
	r.Columns = append(r.Columns, batch.Columns("queued")...)
	for _, j := range l.jobs {
		waits := slices.Contains([]string{"Q", "H", "W", "T"}, j.job.PBS.State)
		r.Jobs = append(r.Jobs, batch.Ranked{Job: j.job, Rank: j.rank, Runs: !waits, Waits: j.rank > 0, Numbers: j})
	}
	return r
}

// doubt notes how sure the order of each job and the next is, and counts that; nil if nothing is in doubt.
func (l *ranking) doubt(d *cycle.Doubt, up *cycle.Lineup) map[cycle.Certainty]int {
	if d == nil {
		return nil
	}
	stands := map[string]*criteria.JobValues{}
	for i := range up.Jobs {
		stands[up.Jobs[i].ID] = &up.Jobs[i]
	}
	counts := map[cycle.Certainty]int{}
	for i, j := range l.jobs {
		if j.rank == 0 {
			break
		}
		j.sure = cycle.Certain
		if i+1 < len(l.jobs) && l.jobs[i+1].rank > 0 && l.sharesDecide(stands[j.ID], stands[l.jobs[i+1].ID]) {
			j.sure = d.Between(j.Rating, l.jobs[i+1].Rating)
		}
		counts[j.sure]++
	}
	return counts
}

// sharesDecide reports whether nothing that the cycle compares before formula and fairshare tells two jobs apart.
func (l *ranking) sharesDecide(a, b *criteria.JobValues) bool {
	return a != nil && b != nil && a.Level == b.Level && a.Preempted.IsZero() && b.Preempted.IsZero() &&
		(a.Queue == b.Queue || !l.policy.ByQueue && !l.policy.RoundRobin)
}

// readJobs rates the jobs that a cycle looks at.
func (l *ranking) readJobs(s *model.Snapshot, p *model.Plan, at time.Time) {
	ratings, queues := map[string]model.Rating{}, map[string]int{}
	for _, r := range p.Ratings {
		ratings[r.ID] = r
		l.tree.Entity(r.Entity) // makes those that the files do not name
	}
	for i := range s.Queues {
		if q := &s.Queues[i]; q.PBS != nil {
			queues[q.Name] = q.PBS.Priority
		}
	}
	for i := range s.Jobs {
		j := &s.Jobs[i]
		if j.PBS == nil || j.PBS.State == "F" || j.PBS.State == "X" || j.IsWaitingSubjob() {
			continue
		}
		r := &ranked{ranking: l, job: j, Rating: ratings[j.PBS.ID], inputs: formula.InputOf(
			j, queues[j.PBS.Queue], at.Sub(s.TakenAt))}
		r.inputs.Perc, r.inputs.TreeUsage = r.Perc, r.TreeUsage
		l.jobs = append(l.jobs, r)
	}
}

// sort puts the jobs into the order of a plan, those that it does not try behind the others. Strict order
// alone takes no rank: it is by their order that such jobs are kept back.
func (l *ranking) sort(p *model.Plan) {
	rank, place := map[string]int{}, map[string]int{}
	for i := range p.Decisions {
		d := &p.Decisions[i]
		id := model.PBSArrayOf(d.ID)
		if place[id] == 0 {
			place[id] = len(place) + 1
		}
		if rank[id] == 0 && (d.Tried || Strictly(d)) {
			rank[id] = len(rank) + 1
		}
	}
	orLast := func(n int) int {
		if n == 0 {
			return math.MaxInt
		}
		return n
	}
	for i := range l.jobs {
		l.jobs[i].rank = rank[l.jobs[i].job.PBS.ID]
	}
	slices.SortStableFunc(l.jobs, func(a, b *ranked) int {
		return cmp.Or(cmp.Compare(orLast(a.rank), orLast(b.rank)),
			cmp.Compare(orLast(place[a.job.PBS.ID]), orLast(place[b.job.PBS.ID])),
			cmp.Compare(a.job.Number, b.job.Number), cmp.Compare(a.job.PBS.Index, b.job.PBS.Index))
	})
}

// Strictly reports whether only strict_ordering keeps a job from being tried.
func Strictly(d *model.Decision) bool {
	return len(d.Why) > 0 && d.Why[0].Kind == model.ReasonStrictOrder
}

func (l *ranking) readFormula(resources []model.Resource) {
	if l.Formula == "" {
		return
	}
	if f, err := formula.ParseJob(l.Formula, formula.KnownNames(resources)); err == nil {
		l.formula, l.reads = f, f.Names()
	}
}

// criteria are the columns of what decides, in the order in which the scheduler looks at it.
func (l *ranking) criteria(order []criteria.Criterion, all bool) []string {
	var list []string
	for _, c := range order {
		switch {
		case c.Column == "" || c.Kind == criteria.Level && !l.levelsDiffer():
			continue
		case c.Kind == criteria.Formula:
			list = append(list, c.Column)
			list = append(list, l.reads...)
			continue
		}
		list = append(list, c.Column)
	}
	if all {
		list = append(list, "fairshare_perc", "fairshare_tree_usage", "fairshare_factor", "job_priority", "queue_priority")
	}
	return unique(list)
}

// levelsDiffer reports whether the preempt priority tells any jobs apart.
func (l *ranking) levelsDiffer() bool {
	return slices.ContainsFunc(l.jobs, func(r *ranked) bool { return r.Level != l.jobs[0].Level })
}

// unique keeps the first of what is named twice.
func unique(list []string) (once []string) {
	for _, name := range list {
		if !slices.Contains(once, name) {
			once = append(once, name)
		}
	}
	return once
}

// shown is before the names of columns of what decides: of it tables have other words than programs.
const shown = "order:"

// Cell is the value of a column.
func (r *ranked) Cell(name string) batch.Value {
	if criterion, ok := strings.CutPrefix(name, shown); ok {
		return batch.Text(r.criterion(criterion))
	}
	switch j := r.job; name {
	case "job":
		return text(j.PBS.ID)
	case "formula":
		if r.PBS.Formula != "" && r.ID != "" {
			return single(r.Rating.Formula)
		}
	case "fairshare_perc":
		return single(r.Perc)
	case "fairshare_tree_usage":
		return single(r.TreeUsage)
	case "fairshare_factor":
		return exact(r.Factor)
	case "rank":
		if r.rank == 0 {
			return batch.Value{Text: "-"}
		}
		return batch.Value{Is: r.rank, Text: strconv.Itoa(r.rank)}
	case "name":
		return text(j.Name)
	case "user":
		return text(j.Owner)
	case "queue":
		return text(j.PBS.Queue)
	case "state":
		return text(j.PBS.State)
	case "preempt_priority":
		return batch.Value{Is: r.Level}
	case "fairshare_entity":
		return text(r.Entity)
	case "fairshare_usage":
		return exact(r.Usage)
	case "inputs":
		return batch.Value{Is: r.read()}
	case "error":
		return batch.Text(r.Error)
	case "sure":
		return batch.Text(string(r.sure))
	case "queued":
		return batch.Value{Is: batch.Time{Time: j.Arrived()}}
	}
	return batch.Value{}
}

// numbers are all values of a job, by name.
var numbers = []string{"job", "formula", "fairshare_perc", "fairshare_tree_usage", "fairshare_factor",
	"rank", "name", "user", "queue", "state",
	"preempt_priority", "fairshare_entity", "fairshare_usage", "inputs", "error", "sure", "queued"}

// Row has all values of the job. It has an error only if the formula failed. It says how certain the place of
// the job is only if the place is not certain.
func (r *ranked) Row() batch.Row {
	list := make(batch.Row, 0, len(numbers))
	for _, name := range numbers {
		if (name != "error" || r.Error != "") && (name != "sure" || r.sure != "") {
			list = append(list, batch.Cell{Name: name, Value: r.Cell(name)})
		}
	}
	return list
}

// read is what the formula reads of the job.
func (r *ranked) read() map[string]batch.Value {
	m := map[string]batch.Value{}
	for _, name := range r.reads {
		m[name] = exact(r.inputs.Number(name))
	}
	return m
}

// criterion prints what decides; a job that the scheduler does not read has only what the job itself says.
func (r *ranked) criterion(name string) string {
	switch {
	case r.ID == "" && (name == "formula" || !r.inputs.Has(name)):
		return "-"
	case name == "formula" && r.Error != "":
		return formula.Print(r.Rating.Formula) + "!"
	case name == "formula":
		return formula.Print(r.Rating.Formula)
	case name == "preempt_priority":
		return strconv.Itoa(r.Level)
	case name == "usage/perc":
		return shareLevels(r.tree.Find(r.Entity))
	}
	return formula.Plain(r.inputs.Number(name))
}

// shareLevels are usage over percentage of an entity and the groups that it is in, from the root down: the
// scheduler compares them level by level.
func shareLevels(n *fairshare.Node) string {
	if n == nil || n.Perc == 0 {
		return "-"
	}
	var parts []string
	for _, p := range n.Path()[min(1, n.Depth()):] {
		parts = append(parts, fmt.Sprintf("%.0f", p.PerShare()))
	}
	return strings.Join(parts, " › ")
}

func text(s string) batch.Value { return batch.Value{Is: s, Text: s} }
