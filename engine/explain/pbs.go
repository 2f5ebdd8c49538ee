package explain

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"qprism/engine/formula"
	"qprism/engine/model"
	"qprism/engine/pbs/criteria"
	"qprism/engine/pbs/fairshare"
)

// standOf finds the job of an id.
func (sc *Scene) standOf(id string) (*criteria.Stand, error) {
	if s := sc.lineup.Find(id); s != nil {
		return s, nil
	}
	for i := range sc.Snapshot.Jobs {
		if j := &sc.Snapshot.Jobs[i]; j.PBS != nil && j.PBS.ID == id {
			return &criteria.Stand{Rating: model.Rating{ID: id}, Job: j}, nil
		}
	}
	return nil, unknownJob(id)
}

func (sc *Scene) explainPBS(id string) (*Explanation, error) {
	s, err := sc.standOf(id)
	if err != nil {
		return nil, err
	}
	e := &Explanation{Job: s.Job, At: sc.At, ID: s.ID, State: stateOf(s), Place: s.Place, Waiting: sc.considered(), Inert: sc.inertPBS(),
		Ahead: sc.aheadPBS(s.Place)}
	if s.Queue == "" {
		e.Notes = append(e.Notes, "The scheduler does not look at it: its state is "+s.Job.PBS.State+
			", or its queue is none of an execution queue.")
		return e, nil
	}
	e.Criteria = sc.criteria(s)
	e.PassedOver = s.Why
	if s.Place == 0 && len(s.Why) == 0 && e.State == Aside {
		e.Notes = append(e.Notes, "The cycle does not consider it: its state is "+s.Job.PBS.State+".")
	}
	if sc.lineup.Policy.RoundRobin {
		e.Notes = append(e.Notes,
			"round_robin takes one job of each queue in turn, queues of the highest priority first; what follows orders the jobs of one queue.")
	}
	e.Notes = append(e.Notes, sc.lineup.Notes...)
	return e, nil
}

func stateOf(s *criteria.Stand) State {
	switch {
	case s.Place > 0:
		return Pending
	case s.Job.PBS.State == "R" || s.Job.PBS.State == "E":
		return Running
	}
	return Aside
}

func (sc *Scene) considered() (n int) {
	for i := range sc.lineup.Jobs {
		if sc.lineup.Jobs[i].Place > 0 {
			n++
		}
	}
	return n
}

// criteria are what the cycle sorts by, the most important first, as far as it tells any jobs apart.
func (sc *Scene) criteria(s *criteria.Stand) []Criterion {
	var list []Criterion
	for _, c := range sc.lineup.Criteria() {
		if !c.Compares() || c.Kind == criteria.Rank || c.Rare && !sc.anyone(&c) {
			continue
		}
		t := sc.term(&c, s)
		t.Name = c.Name
		list = append(list, Criterion{Name: c.Name, Up: c.First, Term: t})
	}
	return list
}

// term derives what a criterion compares of a job.
func (sc *Scene) term(c *criteria.Criterion, s *criteria.Stand) Term {
	switch c.Kind {
	case criteria.Reservation, criteria.Express:
		return truth(c.Value(s) != 0)
	case criteria.Queue:
		return Term{Value: c.Value(s), Text: fmt.Sprintf("queue %s, priority %d, %s of all queues", s.Queue, s.QueuePriority,
			Ordinal(s.QueuePlace))}
	case criteria.Level:
		return Term{Value: c.Value(s), Note: "as " + s.LevelOf + " in preempt_prio"}
	case criteria.Preempted:
		if s.Preempted.IsZero() {
			return Term{Text: "not preempted"}
		}
		return moment(s.Preempted)
	case criteria.Formula:
		return sc.formula(s)
	case criteria.Fairshare:
		return sc.fairshare(s)
	case criteria.Arrival:
		return moment(s.Job.Arrived())
	}
	return given(c.Name, c.Value(s))
}

// anyone reports whether a job that is considered has another value than 0.
func (sc *Scene) anyone(c *criteria.Criterion) bool {
	for i := range sc.lineup.Jobs {
		if s := &sc.lineup.Jobs[i]; s.Place > 0 && c.Value(s) != 0 {
			return true
		}
	}
	return false
}

func truth(b bool) Term {
	if b {
		return Term{Value: 1, Text: "yes"}
	}
	return Term{Text: "no"}
}

func moment(t time.Time) Term {
	return Term{Value: float64(t.UnixMicro()) / 1e6, Text: t.UTC().Format("2006-01-02 15:04:05.999999")}
}

// parse readies the formula; nil where it cannot be evaluated.
func (sc *Scene) parse() (*formula.Job, formula.Names) {
	names := formula.NamesOf(sc.Snapshot.Resources)
	if len(names.Numeric) == 0 {
		names = formula.StandardNames()
	}
	f, err := formula.ParseJob(sc.lineup.Formula, names)
	if err != nil {
		return nil, names
	}
	return f, names
}

// formula derives the value of job_sort_formula: the sum of its terms, and what each reads.
func (sc *Scene) formula(s *criteria.Stand) Term {
	f, names := sc.parse()
	if f == nil {
		return Term{Value: float64(s.Formula), Note: "job_sort_formula cannot be evaluated, so every job has 0"}
	}
	r := f.Evaluate(s.Input)
	exact := Term{Name: "exactly", Value: r.Exact, Text: Number(r.Exact)}
	switch {
	case r.Err != nil:
		return Term{Value: float64(s.Formula), Note: "the formula fails for this job (" + r.Err.Error() + "), which counts as 0"}
	case r.NoType != "":
		return Term{Value: float64(s.Formula), Note: "the formula gives a " + r.NoType + ", which is no number"}
	}
	exact = sc.formulaSum(f, names, s, exact)
	exact.Text = ""
	if float64(float32(exact.Value)) == exact.Value {
		return exact
	}
	t := made("formula", float64(s.Formula), Single, exact)
	t.Note = "as a number of 24 bits"
	t.Terms[0].Text = exact.Expression()
	return t
}

// formulaSum makes a sum of the formula's terms, where it is one and all of them have values.
func (sc *Scene) formulaSum(f *formula.Job, names formula.Names, s *criteria.Stand, whole Term) Term {
	t := Term{Name: whole.Name, Value: whole.Value, Op: Sum}
	parts := f.Terms(names)
	if len(parts) < 2 {
		return oneTerm(f, s, whole)
	}
	for _, part := range parts {
		r := part.Evaluate(s.Input)
		if r.Err != nil || r.NoType != "" {
			return oneTerm(f, s, whole)
		}
		p := Term{Name: part.Text, Value: r.Exact, Minus: part.Minus, Terms: reads(part.Job, s)}
		p.Text = Number(r.Exact) + " " + part.Text
		if len(p.Terms) != 1 || p.Terms[0].Name != part.Text {
			p.Text = Number(r.Exact) + " (" + part.Text + with(p.Terms) + ")"
		}
		t.Terms = append(t.Terms, p)
	}
	return t
}

// oneTerm is the value of a formula that is taken as a whole.
func oneTerm(f *formula.Job, s *criteria.Stand, whole Term) Term {
	t := Term{Name: f.String(), Value: whole.Value, Terms: reads(f, s)}
	if t.Text = f.String() + with(t.Terms); len(t.Terms) == 1 && t.Terms[0].Name == t.Name {
		t.Text = t.Terms[0].Words()
	}
	return made(whole.Name, whole.Value, Copy, t)
}

// with says what a formula reads: " with ncpus 4, walltime 3600".
func with(terms []Term) string {
	var words []string
	for i := range terms {
		words = append(words, terms[i].Words())
	}
	if len(words) == 0 {
		return ""
	}
	return " with " + strings.Join(words, ", ")
}

// reads are the names that a formula reads, with their numbers.
func reads(f *formula.Job, s *criteria.Stand) []Term {
	var terms []Term
	for _, name := range f.Names() {
		terms = append(terms, ofShares(given(name, s.Input.Number(name)), s.Node))
	}
	slices.SortFunc(terms, func(a, b Term) int { return strings.Compare(a.Name, b.Name) })
	return slices.CompactFunc(terms, func(a, b Term) bool { return a.Name == b.Name })
}

// ofShares says how a number of the fairshare tree is made, by the formulas of PP-718: an entity's usage with a part of its parent's, and
// what that makes of its target.
func ofShares(t Term, n *fairshare.Node) Term {
	if n == nil || n.Parent == nil {
		return t
	}
	root := n
	for root.Parent != nil {
		root = root.Parent
	}
	own := n.Usage / root.Usage
	switch text := t.Words(); {
	case t.Name == "fairshare_tree_usage" && n.Parent == root:
		t.Text = fmt.Sprintf("%s (%s/%s of all usage)", text, Number(n.Usage), Number(root.Usage))
	case t.Name == "fairshare_tree_usage":
		t.Text = fmt.Sprintf("%s (usage %s/%s + (%s's %s - %s) × %d/%d shares)", text, Number(n.Usage), Number(root.Usage), n.Parent.Name,
			Number(float64(n.Parent.TreeUsage)), Number(own), n.Shares, n.Parent.SharesBelow())
	case t.Name == "fairshare_factor" && n.Perc > 0:
		t.Text = fmt.Sprintf("%s (2^-(fairshare_tree_usage %s ÷ fairshare_perc %s); 0.5 is on target)", text, Number(float64(n.TreeUsage)),
			Number(float64(n.Perc)))
	}
	return t
}

// fairshare derives what an entity is compared by: on every level of the tree its usage by its percentage.
func (sc *Scene) fairshare(s *criteria.Stand) Term {
	n := s.Node
	if n == nil {
		return Term{Text: "nobody is charged"}
	}
	t := Term{Op: Levels, Text: n.Name}
	for _, node := range n.Path() {
		if node.Parent != nil {
			t.Terms = append(t.Terms, sc.node(node))
		}
	}
	if len(t.Terms) > 0 {
		t.Value = t.Terms[len(t.Terms)-1].Value
	}
	return t
}

// node derives usage by percentage of one node, and its percentage from shares.
func (sc *Scene) node(n *fairshare.Node) Term {
	usage, perc := given("usage", n.Temporary), sc.percentage(n)
	if n.Perc == 0 {
		return Term{Name: n.Name, Value: -1, Text: "no share", Note: "no percentage: it comes after all that have one",
			Terms: []Term{usage, perc}}
	}
	return made(n.Name, n.Temporary/float64(n.Perc), Product, usage, perc.over())
}

// percentage derives the part of the whole tree that a node has: that of its parent, divided as shares are among siblings.
func (sc *Scene) percentage(n *fairshare.Node) Term {
	t := Term{Name: "share of " + n.Name, Value: float64(n.Perc)}
	if n.Parent == nil || n.Part == 0 {
		return t
	}
	all := n.Parent.SharesBelow()
	exact := made("part among siblings", float64(n.Shares)/float64(all), Product, given("shares", float64(n.Shares)),
		given("shares of all siblings", float64(all)).over())
	part := made("part among siblings", float64(n.Part), Single, exact).as(Number(float64(n.Shares)) + "/" + Number(float64(all)) + " shares")
	whole := made("exactly", part.Value*float64(n.Parent.Perc), Product, part)
	if n.Parent.Parent != nil {
		whole.Terms = append(whole.Terms, sc.percentage(n.Parent))
	}
	t.Op, t.Terms = Single, []Term{whole.as(whole.productWords())}
	return t
}

// inertPBS lists what tells no two of the jobs apart that are considered.
func (sc *Scene) inertPBS() []Inert {
	l, p := sc.lineup, &sc.lineup.Policy
	var list []Inert
	add := func(policy, why string) { list = append(list, Inert{policy, why}) }
	same := func(of func(*criteria.Stand) float64) (v float64, same bool) {
		first := true
		for i := range l.Jobs {
			s := &l.Jobs[i]
			switch x := of(s); {
			case s.Place == 0:
			case first:
				v, first = x, false
			case x != v:
				return v, false
			}
		}
		return v, !first
	}
	value := func(s *criteria.Stand) float64 { return float64(s.Formula) }
	switch v, same := same(value); {
	case l.Formula == "":
		add("formula", "there is no job_sort_formula")
	case same:
		add("formula", "it is "+Number(v)+" for every job")
	}
	switch entities := sc.entities(); {
	case !p.FairShare:
		add("fairshare", "fair_share is off")
	case entities <= 1:
		add("fairshare", "all jobs are charged to one entity")
	}
	if !p.Preemptive {
		add("preempt priority", "preemptive_sched is off")
	} else if _, same := same(func(s *criteria.Stand) float64 { return float64(s.Level) }); same {
		add("preempt priority", "every job is "+l.Jobs[0].LevelOf)
	}
	if len(p.JobSortKeys) == 0 {
		add("job_sort_key", "there is none")
	}
	for i, k := range p.JobSortKeys {
		if v, same := same(func(s *criteria.Stand) float64 { return s.Keys[i] }); same {
			add("job_sort_key "+k.Resource, "it is "+Number(v)+" for every job")
		}
	}
	if l.Formula != "" || !p.FairShare && len(p.JobSortKeys) == 0 {
		list = append(list, sc.inertPriority()...)
	}
	if len(l.Jobs) == 0 || l.Jobs[0].Place == 0 {
		return nil
	}
	return list
}

// inertPriority says that nothing looks at the jobs' own priority, where that is so.
func (sc *Scene) inertPriority() []Inert {
	f, _ := sc.parse()
	if f != nil && slices.Contains(f.Names(), "job_priority") {
		return nil
	}
	for _, k := range sc.lineup.Policy.JobSortKeys {
		if k.Resource == "job_priority" || k.Resource == "sort_priority" {
			return nil
		}
	}
	return []Inert{{"priority of jobs (-p)", "no formula and no job_sort_key reads job_priority"}}
}

func (sc *Scene) entities() int {
	seen := map[*fairshare.Node]bool{}
	for i := range sc.lineup.Jobs {
		if s := &sc.lineup.Jobs[i]; s.Place > 0 {
			seen[s.Node] = true
		}
	}
	return len(seen)
}
