package cycle

import (
	"math"
	"strconv"

	"qprism/engine/fairshare"
	"qprism/engine/formula/python"
	"qprism/engine/model"
)

// special are the names of a job_sort_formula that are no resources.
var special = []string{"eligible_time", "queue_priority", "job_priority", "fairshare_perc", "fair_share_perc", "fairshare_tree_usage", "fairshare_factor", "accrue_type"}

// A program computes a formula over resources, and over what else is known of a job.
type program struct {
	*python.Program
	numeric []int // resources that are numbers
	values  []python.Value
	slot    map[int]int
}

// compile readies a formula; nil for none, and for one that Python does not accept.
func (w *world) compile(source string) *program {
	x, err := python.Parse(source)
	if source == "" || err != nil {
		return nil
	}
	p := &program{slot: map[int]int{}}
	var names []string
	for r := range w.res.list {
		if w.res.list[r].kind.consumable() {
			p.slot[r] = len(names)
			names, p.numeric = append(names, w.res.list[r].name), append(p.numeric, r)
		}
	}
	names = append(names, special...)
	p.values = make([]python.Value, len(names))
	if p.Program, err = x.Compile(names...); err != nil {
		return nil
	}
	return p
}

// number is an amount as the scheduler writes it for Python.
func printed(x float64) python.Value {
	if d := floatDigits(x); d > 0 {
		return rounded(x, d)
	}
	return python.Int(int64(math.Round(x)))
}

func rounded(x float64, digits int) python.Value {
	v, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'f', digits, 64), 64)
	return python.Float(v)
}

// value computes a formula over requests. What raises an error is 0.
func (p *program) value(needs []request) float64 {
	zero := python.Int(0)
	for i := range p.values[:len(p.numeric)] {
		p.values[i] = zero
	}
	for i := len(needs) - 1; i >= 0; i-- {
		if s, ok := p.slot[needs[i].res]; ok {
			p.values[s] = printed(needs[i].amount)
		}
	}
	v, err := p.Run(p.values...)
	if err != nil {
		return 0
	}
	f, err := v.Float64()
	if err != nil {
		return 0
	}
	return f
}

// know sets what a job_sort_formula knows of a job beside its resources.
func (p *program) know(c *claim) {
	n := &fairshare.Node{}
	if c.entity != nil {
		n = c.entity
	}
	factor := 0.0
	if n.Perc != 0 {
		factor = math.Pow(2, -float64(n.TreeUsage/n.Perc))
	}
	copy(p.values[len(p.numeric):], []python.Value{
		python.Int(int64(c.source.PBS.EligibleTime.Seconds())), python.Int(int64(c.queue.priority)), python.Int(int64(c.priority)),
		rounded(float64(n.Perc), 6), rounded(float64(n.Perc), 6), rounded(float64(n.TreeUsage), 6), rounded(factor, 6),
		python.Int(int64(max(0, c.source.PBS.AccrueType))),
	})
}

// evaluate computes the formula of each job, and passes over those that are not above the threshold.
func (r *run) evaluate() {
	w := r.world
	if w.pbs.Formula == "" {
		return
	}
	p, threshold := w.compile(w.pbs.Formula), float64(math.MinInt32)
	if t, ok := model.PBSAmount(w.sched.Threshold); ok && w.sched.Threshold != "" {
		threshold = t
	}
	for _, c := range w.jobs {
		if p != nil {
			p.know(c)
			c.formula = float32(p.value(c.asked))
		}
		if !c.cannotRun && float64(c.formula) <= threshold {
			r.passOverJob(c, fails(underThreshold))
		}
	}
}

// accrue does what the beginning of a cycle does to the fairshare tree: it charges running jobs, and usage decays.
func (r *run) accrue() {
	w := r.world
	value := func(string, []model.Amount) float64 { return 0 }
	if p := w.compile(w.tree.Policy.UsageResource); p != nil {
		value = func(_ string, list []model.Amount) float64 { return p.value(w.requests(list)) }
		w.charge = func(c *claim) float64 { return p.value(c.asked) }
	}
	w.tree.Begin(fairshare.Cycle{At: r.opts.At, FairShare: w.policy.FairShare, Formula: w.pbs.Formula != "", Running: r.inUse(), Value: value})
}

// inUse are the running jobs, by what they used.
func (r *run) inUse() (list []fairshare.Running) {
	for _, c := range r.world.running {
		if c.entity != nil {
			list = append(list, fairshare.Running{Job: c.id, Entity: c.entity.Name, Starting: c.starting, Used: r.world.amounts(c.used)})
		}
	}
	return list
}

func (w *world) requests(list []model.Amount) (needs []request) {
	for _, a := range list {
		needs = append(needs, request{res: w.res.of(a.Name, ""), amount: a.Value})
	}
	return needs
}

// remember keeps what the scheduler knows in its next cycle.
func (r *run) remember() {
	r.world.tree.End(r.world.policy.FairShare, r.inUse())
	r.memory.Fairshare = r.world.tree
}
