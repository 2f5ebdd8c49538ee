package cycle

import (
	"math"
	"qprism/engine/model"
	"strings"
)

// check says how many times requests fit into a stock.
type check struct {
	totals    bool // against everything, assigned or not
	unsetZero bool // what a vnode says nothing about it has not
	booleans  bool // look at every boolean, whatever only says
	fixed     bool // only what is not used up
	only      []bool
	code      model.Failure // of a failure
	every     *[]failure    // for all failures, not just the first
}

// endless is how often requests fit that use up nothing.
const endless int64 = -2

// count says how often all requests fit into a stock, and why not at all. Of several that fit the last one counts, not the least (P41).
func (w *world) count(s *stock, needs []request, c check) (times int64, why failure) {
	times, lacks := endless, false
	for i := range needs {
		n := &needs[i]
		if c.only != nil && !c.only[n.res] && !(c.booleans && w.res.list[n.res].kind == boolean) {
			continue
		}
		h, assigned := w.lookUp(s, n.res)
		if !h.set && w.infinite[n.res] || !h.known && !c.unsetZero {
			continue
		}
		var f failure
		if times, f = w.countOne(h, assigned, n, c); times != 0 {
			continue
		}
		lacks = true
		if f.failed() {
			why = f
		}
		if c.every == nil {
			break
		}
		if f.failed() {
			*c.every = append(*c.every, f)
		}
	}
	if lacks {
		times = 0
	}
	return times, why
}

// countOne says how often one request fits.
func (w *world) countOne(h *holding, assigned float64, n *request, c check) (int64, failure) {
	kind := w.res.list[n.res].kind
	if !kind.consumable() {
		if w.matches(h, n, kind) {
			return endless, failure{}
		}
		return 0, w.mismatch(h, n, c.code)
	}
	if c.fixed || n.amount == 0 {
		return endless, failure{}
	}
	there := h.total
	if !h.known {
		there = 0
	} else if !c.totals && !math.IsInf(there, 1) {
		there = max(0, there-assigned)
	}
	if math.IsInf(there, 1) {
		if !c.unsetZero {
			return endless, failure{}
		}
		there = 0
	}
	if there < n.amount {
		return 0, w.shortage(h, n, there, c)
	}
	return int64(min(there/n.amount, 1<<53)), failure{}
}

// matches compares what is not used up.
func (w *world) matches(h *holding, n *request, k kind) bool {
	if k == boolean {
		have := 0.0
		if h.known && h.set {
			have = h.total
		}
		return h.mixed || have == n.amount
	}
	if !h.known {
		return n.text == ""
	}
	for _, v := range h.values {
		if v == n.text || n.res == w.res.host && strings.EqualFold(v, n.text) {
			return true
		}
	}
	return false
}

func (w *world) mismatch(h *holding, n *request, c model.Failure) failure {
	asked, there := n.text, strings.Join(h.values, ",")
	if w.res.list[n.res].kind == boolean {
		asked, there = w.res.print(n.res, n.amount), w.res.print(n.res, h.total)
		if !h.set {
			there = "False"
		}
	}
	f := failure{status: notRun, code: c, res: n.res, amounts: amounts{asked: asked, there: there, differs: true}}
	if n.res == w.res.host || n.res == w.res.vnode {
		f.place = asked
	}
	return f
}

func (w *world) shortage(h *holding, n *request, there float64, c check) failure {
	total := h.total
	if !h.known || c.unsetZero && math.IsInf(total, 1) {
		total = 0
	}
	return failure{status: notRun, code: c.code, res: n.res,
		amounts: amounts{asked: w.res.print(n.res, n.amount), there: w.res.print(n.res, there), total: w.res.print(n.res, total)}}
}
