package search

import (
	"math"
	"strings"

	"qprism/engine/model"
	"qprism/engine/pbs/cycle/cluster"
	"qprism/engine/pbs/cycle/reason"
	"qprism/engine/pbs/cycle/resource"
)

// Check says how requests are compared with a stock.
type Check struct {
	Totals    bool // compare with all amounts, even assigned ones
	UnsetZero bool // unset resources of a vnode count as 0
	Booleans  bool // check every boolean, regardless of only
	fixed     bool // only what is not used up
	Only      []bool
	Code      model.Failure     // for a failure
	every     *[]reason.Failure // for all failures, not just the first
}

// endless is how often requests fit that use up nothing.
const endless int64 = -2

// Count says how many times all requests fit into a stock. If they do not fit, Count says why. If several
// requests fit, the last request decides the number, not the request that fits the fewest times (P41).
func (w Finder) Count(s *resource.Stock, needs []resource.Request, c Check) (times int64, why reason.Failure) {
	times, lacks := endless, false
	for i := range needs {
		n := &needs[i]
		if c.Only != nil && !c.Only[n.Res] && !(c.Booleans && w.Res.List[n.Res].Kind == resource.Boolean) {
			continue
		}
		h, assigned := w.LookUp(s, n.Res)
		if !h.Set && w.UnsetInfinite[n.Res] || !h.Known && !c.UnsetZero {
			continue
		}
		var f reason.Failure
		if times, f = w.countOne(h, assigned, n, c); times != 0 {
			continue
		}
		lacks = true
		if f.Failed() {
			why = f
		}
		if c.every == nil {
			break
		}
		if f.Failed() {
			*c.every = append(*c.every, f)
		}
	}
	if lacks {
		times = 0
	}
	return times, why
}

// countOne says how often one request fits.
func (w Finder) countOne(h *resource.Holding, assigned float64, n *resource.Request, c Check) (int64, reason.Failure) {
	kind := w.Res.List[n.Res].Kind
	if !kind.Consumable() {
		if w.matches(h, n, kind) {
			return endless, reason.Failure{}
		}
		return 0, w.mismatch(h, n, c.Code)
	}
	if c.fixed || n.Amount == 0 {
		return endless, reason.Failure{}
	}
	there := h.Total
	if !h.Known {
		there = 0
	} else if !c.Totals && !math.IsInf(there, 1) {
		there = max(0, there-assigned)
	}
	if math.IsInf(there, 1) {
		if !c.UnsetZero {
			return endless, reason.Failure{}
		}
		there = 0
	}
	if there < n.Amount {
		return 0, w.shortage(h, n, there, c)
	}
	return int64(min(there/n.Amount, 1<<53)), reason.Failure{}
}

// matches compares what is not used up.
func (w Finder) matches(h *resource.Holding, n *resource.Request, k resource.Kind) bool {
	if k == resource.Boolean {
		have := 0.0
		if h.Known && h.Set {
			have = h.Total
		}
		return h.Mixed || have == n.Amount
	}
	if !h.Known {
		return n.Text == ""
	}
	for _, v := range h.Values {
		if v == n.Text || n.Res == w.Res.Host && strings.EqualFold(v, n.Text) {
			return true
		}
	}
	return false
}

func (w Finder) mismatch(h *resource.Holding, n *resource.Request, c model.Failure) reason.Failure {
	asked, there := n.Text, strings.Join(h.Values, ",")
	if w.Res.List[n.Res].Kind == resource.Boolean {
		asked, there = w.Res.Print(n.Res, n.Amount), w.Res.Print(n.Res, h.Total)
		if !h.Set {
			there = "False"
		}
	}
	f := reason.Failure{Status: reason.NotRun, Code: c, Res: n.Res,
		Amounts: reason.Amounts{Asked: asked, Available: there, Differs: true}}
	if n.Res == w.Res.Host || n.Res == w.Res.Vnode {
		f.Place = asked
	}
	return f
}

func (w Finder) shortage(h *resource.Holding, n *resource.Request, there float64, c Check) reason.Failure {
	total := h.Total
	if !h.Known || c.UnsetZero && math.IsInf(total, 1) {
		total = 0
	}
	return reason.Failure{Status: reason.NotRun, Code: c.Code, Res: n.Res,
		Amounts: reason.Amounts{Asked: w.Res.Print(n.Res, n.Amount), Available: w.Res.Print(n.Res, there),
			Total: w.Res.Print(n.Res, total)}}
}

// tooBig says why a claim does not fit into a set, all chunks on any vnodes of it: in free vnodes, in sums over all
// chunks, and in the sums for each chunk. every collects all reasons instead of the first.
func (w Finder) tooBig(s *cluster.Set, c *cluster.Claim, totals bool, every *[]reason.Failure) (why reason.Failure) {
	note := func(f reason.Failure) bool {
		if f.Failed() && !why.Failed() {
			why = f
		}
		if f.Failed() && every != nil {
			*every = append(*every, f)
		}
		return f.Failed() && every == nil
	}
	there, short := s.Free, reason.Failure{Status: reason.NotRun, Code: model.FailNoFreeNodes}
	if totals {
		there, short = s.Total, reason.Failure{Status: reason.NeverRun, Code: model.FailNoTotalNodes}
	}
	if there == 0 && note(short) {
		return why
	}
	if (c.Place.Scatter || c.Place.Vscatter) && there < c.Selection.Total && note(short) {
		return why
	}
	asked := c.Asked
	if c.AskedToResume != nil {
		asked = c.AskedToResume
	}
	if s.Held == nil { // forgotten, and not added up again yet
		return why
	}
	ck := Check{Totals: totals, UnsetZero: true, Only: w.CheckedInSums, Code: model.FailInsufficient}
	if times, f := w.Count(&s.Stock, asked, ck); times == 0 && note(f) {
		return why
	}
	ck.Only, ck.Booleans = w.Checked, true
	spec, _ := c.Specification()
	for i := range spec.Chunks {
		if times, f := w.Count(&s.Stock, spec.Chunks[i].Needs, ck); times == 0 && note(f) {
			return why
		}
	}
	return why
}
