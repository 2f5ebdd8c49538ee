package queue

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/batch"
	"qprism/engine/formula"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
	"qprism/engine/pbs/criteria"
	"qprism/engine/pbs/cycle"
	"qprism/engine/pbs/fairshare"
)

// Priorities lists the jobs of PBS in the order in which the next cycle would try them, with what orders them.
func (s PBSOrdering) Priorities(d *cli.Deps, opts PrioritiesOptions, w io.Writer) error {
	view := opts.View
	if view != "pri" && view != "all" {
		return fmt.Errorf("--view %s is for bundles of Grid Engine; PBS has pri and all", view)
	}
	if err := s.Lacks(false); err != nil {
		return err
	}
	at, err := s.Moment()
	if err != nil {
		return err
	}
	list := s.Ranking(at.At)
	shown := *list
	shown.Jobs = slices.DeleteFunc(slices.Clone(list.Jobs), func(r ranked) bool { return !opts.Takes(r.Job) || opts.pending && r.runs() })
	if d.Format == "json" {
		return s.writeRanking(w, at, &shown)
	}
	out, hidden := d.Output(w), ""
	if out.People() && !opts.All {
		shown.Jobs, hidden = subject.FirstLines(shown.Jobs, ranked.runs)
	}
	subject.PrintHeader(out, s.Subject, at.At, at.Source)
	t := shown.sheet(out, view == "all")
	t.Whole = opts.All
	if err := out.Sheet(t); err != nil {
		return err
	}
	out.More(hidden)
	for _, line := range list.words() {
		out.Say("%s", line)
	}
	return nil
}

// A ranking is the jobs in the order of a cycle, and what the cycle orders them by.
type ranking struct {
	*model.PBS
	policy  model.CyclePolicy
	Jobs    []ranked
	formula *formula.Job // nil for none, or one that Python does not accept
	reads   []string     // what the formula reads
	tree    *fairshare.Memory
	notes   []string
}

// runs reports whether a job is past waiting.
func (r ranked) runs() bool { return !slices.Contains([]string{"Q", "H", "W", "T"}, r.PBS.State) }

// A ranked job is a job with its place, 0 for one that the cycle does not try.
type ranked struct {
	*model.Job
	model.Rating
	Rank   int
	inputs formula.Input
}

// Ranking plans a cycle, and lists first what it tries, then what else waits, then what runs.
func (s PBSOrdering) Ranking(at time.Time) *ranking {
	p := s.Plan(at)
	l := &ranking{PBS: s.PBS, policy: cycle.PolicyAt(s.Snapshot, at), tree: fairshare.Start(s.PBS.Fairshare, at), notes: p.Notes}
	l.readFormula(s.Resources)
	ratings := map[string]model.Rating{}
	for _, r := range p.Ratings {
		ratings[r.ID] = r
		l.tree.Entity(r.Entity) // makes those that the files do not name
	}
	queues := queuePriorities(s.Snapshot)
	for i := range s.Jobs {
		j := &s.Jobs[i]
		if j.PBS == nil || j.PBS.State == "F" || j.PBS.State == "X" || subject.WaitsInArray(j) {
			continue
		}
		r := ranked{Job: j, Rating: ratings[j.PBS.ID]}
		r.inputs = formula.InputOf(j, queues[j.PBS.Queue], at.Sub(s.TakenAt))
		r.inputs.Perc, r.inputs.TreeUsage = r.Perc, r.TreeUsage
		l.Jobs = append(l.Jobs, r)
	}
	l.sort(p)
	return l
}

func queuePriorities(s *model.Snapshot) map[string]int {
	m := map[string]int{}
	for i := range s.Queues {
		if q := &s.Queues[i]; q.PBS != nil {
			m[q.Name] = q.PBS.Priority
		}
	}
	return m
}

// sort puts the jobs into the order of a plan, those that it does not try behind the others. Strict order alone takes no rank: it
// is by their order that such jobs are kept back.
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
	for i := range l.Jobs {
		l.Jobs[i].Rank = rank[l.Jobs[i].PBS.ID]
	}
	slices.SortStableFunc(l.Jobs, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(orLast(a.Rank), orLast(b.Rank)), cmp.Compare(orLast(place[a.PBS.ID]), orLast(place[b.PBS.ID])),
			cmp.Compare(a.Number, b.Number), cmp.Compare(a.PBS.Index, b.PBS.Index))
	})
}

// Strictly reports whether strict order alone keeps the job of a decision from being tried.
func Strictly(d *model.Decision) bool {
	return len(d.Why) > 0 && d.Why[0].Kind == model.ReasonStrictOrder
}

func (l *ranking) readFormula(resources []model.Resource) {
	if l.Formula == "" {
		return
	}
	names := formula.NamesOf(resources)
	if len(names.Numeric) == 0 {
		names = formula.StandardNames()
	}
	if f, err := formula.ParseJob(l.Formula, names); err == nil {
		l.formula, l.reads = f, f.Names()
	}
}

// criteria are the columns of what decides, in the order in which the scheduler looks at it.
func (l *ranking) criteria(all bool) []string {
	var list []string
	for _, c := range criteria.List(&l.policy, l.Formula) {
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
	return slices.ContainsFunc(l.Jobs, func(r ranked) bool { return r.Level != l.Jobs[0].Level })
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

func (l *ranking) sheet(out show.Output, all bool) show.Sheet {
	criteria := l.criteria(all)
	names := []string{">rank", "job", "name", "user", "queue", "state"}
	for _, c := range criteria {
		names = append(names, ">"+c)
	}
	t := show.Sheet{Columns: show.Columns(append(names, "queued")...)}
	for i := range l.Jobs {
		r := &l.Jobs[i]
		rank := "-"
		if r.Rank > 0 {
			rank = fmt.Sprint(r.Rank)
		}
		row := []string{rank, r.PBS.ID, r.Name, r.Owner, r.PBS.Queue, r.PBS.State}
		for _, c := range criteria {
			row = append(row, l.cell(r, c))
		}
		t.Add(append(row, out.Moment(r.Arrived()))...)
	}
	return t
}

// cell is a criterion of a job; a job that the scheduler does not read has only what the job itself says.
func (l *ranking) cell(r *ranked, name string) string {
	switch {
	case r.ID == "" && !r.inputs.Has(name):
		return "-"
	case name == "formula" && r.ID == "":
		return "-"
	case name == "formula" && r.Error != "":
		return formula.Print(r.Formula) + "!"
	case name == "formula":
		return formula.Print(r.Formula)
	case name == "preempt_priority":
		return fmt.Sprint(r.Level)
	case name == "usage/perc":
		return shareLevels(l.tree.Find(r.Entity))
	}
	return inputText(r.inputs.Number(name))
}

// shareLevels are usage over percentage of an entity and the groups that it is in, from the root down: the scheduler compares them level
// by level.
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

// words says what orders the jobs, criterion by criterion.
func (l *ranking) words() []string {
	order := show.Printable(strings.Join(criteria.Words(criteria.List(&l.policy, l.Formula)), "; then "))
	lines := []string{"The order: " + order + "."}
	if l.Formula != "" && l.formula == nil {
		lines = append(lines, "The scheduler cannot evaluate the formula: every job has the value 0; qprism formula check says why.")
	}
	if t := l.Scheduler().Threshold; t != "" && l.Formula != "" {
		lines = append(lines, "Jobs of a value at or under job_sort_formula_threshold "+show.Printable(t)+" are not tried.")
	}
	for _, r := range l.Jobs {
		if r.Error != "" {
			lines = append(lines, fmt.Sprintf("The formula fails for %s, which gets 0: %s.", r.PBS.ID, show.Printable(r.Error)))
			break
		}
	}
	for _, n := range l.notes {
		lines = append(lines, "Note: "+show.Printable(n))
	}
	return lines
}

// jsonRanked is a job of PBS in JSON.
type jsonRanked struct {
	Job       string                 `json:"job"`
	Formula   *single                `json:"formula"` // null without a formula
	Perc      single                 `json:"fairshare_perc"`
	TreeUsage single                 `json:"fairshare_tree_usage"`
	Factor    show.Number            `json:"fairshare_factor"`
	Rank      *int                   `json:"rank"` // null for a job that the cycle does not try
	Name      string                 `json:"name"`
	User      string                 `json:"user"`
	Queue     string                 `json:"queue"`
	State     string                 `json:"state"`
	Level     int                    `json:"preempt_priority"`
	Entity    string                 `json:"fairshare_entity"`
	Usage     show.Number            `json:"fairshare_usage"`
	Inputs    map[string]show.Number `json:"inputs"` // what the formula reads
	Error     string                 `json:"error,omitempty"`
	Queued    *string                `json:"queued"`
}

// writeRanking writes the list as JSON, job by job.
func (s PBSOrdering) writeRanking(w io.Writer, at lastrun.Moment, l *ranking) error {
	j := show.NewJSONWriter(w)
	j.Open(struct {
		Cluster string  `json:"cluster"`
		Release string  `json:"release"`
		RunAt   *string `json:"run_at"`
		Formula string  `json:"job_sort_formula"`
	}{s.Cluster, s.Release.String(), show.Rfc3339(at.At), l.Formula})
	j.List("jobs")
	for i := range l.Jobs {
		j.Item(l.json(&l.Jobs[i]))
	}
	j.EndList()
	return j.Close()
}

func (l *ranking) json(r *ranked) jsonRanked {
	k := jsonRanked{Job: r.PBS.ID, Perc: single(r.Perc), TreeUsage: single(r.TreeUsage), Factor: show.Number(r.Factor), Name: r.Name, User: r.Owner, Queue: r.PBS.Queue,
		State: r.PBS.State, Level: r.Level, Entity: r.Entity, Usage: show.Number(r.Usage), Inputs: map[string]show.Number{}, Error: r.Error, Queued: show.Rfc3339(r.Arrived())}
	if r.Rank > 0 {
		k.Rank = &r.Rank
	}
	if l.Formula != "" && r.ID != "" {
		value := single(r.Formula)
		k.Formula = &value
	}
	for _, name := range l.reads {
		k.Inputs[name] = show.Number(r.inputs.Number(name))
	}
	return k
}

// A single is a float32 that is null in JSON where it is not known.
type single float32

// MarshalJSON prints the shortest form that reads back to the same 32 bits.
func (v single) MarshalJSON() ([]byte, error) { return json.Marshal(batch.Value{Is: float32(v)}) }
