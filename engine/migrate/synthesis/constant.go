package synthesis

import (
	"math"
	"slices"
	"strconv"

	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/urgency"
	"qprism/engine/model"
	"qprism/engine/pbs/fairshare"
)

// A scale holds what Grid Engine normalizes by in one run, and a formula cannot know.
type scale struct {
	urgency float64 // greatest less least urgency; NaN where all are alike
	highest float64 // greatest urgency
	tickets float64 // the most that a task has; NaN where nobody has any
	weights float64 // of the tree: the sum of target²/usage of all entities that take part, as far as each counts
	most    float64 // of the tree: the part of all tickets that an entity with all of the targets can have
	floor   float64 // of the tree: the part of all usage that counts as least for an entity with all of the targets
}

// scaleOf is the scale of a run.
func scaleOf(run Run, c *census) scale {
	s := scale{urgency: math.NaN(), tickets: math.NaN(), highest: math.NaN()}
	if hi := run.Result.Urgency.Hi; hi >= urgency.Epsilon {
		s.highest = hi
	}
	if d := run.Result.Urgency.Hi - run.Result.Urgency.Lo; d >= urgency.Epsilon && !run.Result.Empty() {
		s.urgency = d
	}
	if m := run.Result.Tickets.Maximum; m >= urgency.Epsilon {
		s.tickets = m
	}
	s.tree(run, c, slices.Concat(run.Result.Pending, run.Result.Running))
	return s
}

// tree finds what the entities of jobs are weighed by.
func (s *scale) tree(run Run, c *census, jobs []*priority.Job) {
	s.weights, s.most, s.floor = math.NaN(), math.NaN(), math.NaN()
	var nodes []*fairshare.Node
	targets, seen := 0.0, map[string]bool{}
	for _, j := range jobs {
		if r := c.resident(j.Job); r.node != "" && !seen[r.node] {
			n := c.node(j.Job)
			seen[r.node], nodes, targets = true, append(nodes, n), targets+float64(n.Perc)
		}
	}
	if targets == 0 {
		return
	}
	s.floor = 1 / (targets * max(1, c.usage()))
	all, limited := 0.0, 0.0
	for _, n := range nodes {
		all += weightOf(n, s.floor)
	}
	limit := math.Inf(1)
	if cf := run.Snapshot.Policy.CompensationFactor; cf != 0 {
		limit = cf * all / targets
	}
	for _, n := range nodes {
		limited += min(weightOf(n, s.floor), limit*float64(n.Perc))
	}
	s.weights, s.most = limited, limit/limited
}

// part is which part of all tickets of the tree the jobs of a node have between them.
func (s *scale) part(n *fairshare.Node) float64 {
	if math.IsNaN(s.weights) || s.weights == 0 {
		return 0
	}
	return min(weightOf(n, s.floor)/s.weights, s.most*float64(n.Perc))
}

// node is the node of a job's entity, in the units that PBS is given.
func (c *census) node(j *model.Job) *fairshare.Node { return c.nodeNamed(c.tree.Entity(j)) }

// nodeOf is the node of a resident that has one.
func (c *census) nodeOf(r *resident) *fairshare.Node { return c.nodeNamed(r.node) }

func (c *census) nodeNamed(entity string) *fairshare.Node {
	if c.units == nil {
		c.units = fairshare.Build(filesOf(c.tree, usageUnit(c.usage())))
	}
	return c.units.Entity(entity)
}

// usage is all that was used, as usage_weight_list weighs it.
func (c *census) usage() (sum float64) {
	for _, u := range c.tree.Files().Usage.Records {
		sum += u.Usage
	}
	return sum
}

// leastUsage is the least part of all usage that a formula can tell from none: it gets six decimals.
const leastUsage = 1e-6

// weightOf is target²/usage, by which the share tree divides tickets among its nodes, with PBS's numbers.
func weightOf(n *fairshare.Node, floor float64) float64 {
	if n.Perc == 0 {
		return 0
	}
	return float64(n.Perc) * float64(n.Perc) / max(leastUsage, floor*float64(n.Perc), float64(n.TreeUsage))
}

// drift is what each run of a history would have given for a constant.
func drift(scales []scale, of func(s scale) float64) (values []float64) {
	for _, s := range scales {
		values = append(values, of(s))
	}
	return values
}

// newest is the last number of a list that is one, else NaN, and its index.
func newest(values []float64) (float64, int) {
	for i := len(values) - 1; i >= 0; i-- {
		if !math.IsNaN(values[i]) {
			return values[i], i
		}
	}
	return math.NaN(), -1
}

// moves is by how much of a value others stand apart from it at most.
func moves(value float64, others []float64) (most float64) {
	for _, v := range others {
		if !math.IsNaN(v) && value != 0 {
			most = max(most, math.Abs(v/value-1))
		}
	}
	return most
}

// rounded keeps six digits, which is what a reader can compare.
func rounded(x float64) float64 {
	v, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 6, 64), 64)
	if err != nil {
		return x
	}
	return v
}

// text is a number as a formula has it.
func text(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1e15 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
