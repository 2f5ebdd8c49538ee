package cycle

import (
	"math"
	"slices"
	"strings"

	"qprism/engine/model"
)

// A stock is what a vnode, a set of vnodes, a queue or the server has of each resource, and what of it is assigned.
type stock struct {
	held     []holding // by resource; never changed in place, since copies of a world share it
	assigned []float64
}

// A holding is what is there of one resource.
type holding struct {
	known  bool    // the resource is mentioned at all
	set    bool    // resources_available has it
	total  float64 // NoAmount where it is not set
	values []string
	mixed  bool // of a set of vnodes: a boolean that is true on some and false on others
	from   int  // 1 and the vnode that lends the resource ("@vnode"), 0 for none
}

func newStock(n int) stock {
	return stock{held: make([]holding, n), assigned: make([]float64, n)}
}

func (s stock) duplicate() stock {
	s.assigned = slices.Clone(s.assigned)
	return s
}

// own is a copy that may be changed in all.
func (s stock) own() stock {
	return stock{held: slices.Clone(s.held), assigned: slices.Clone(s.assigned)}
}

// fill sets resources_available and resources_assigned of one resource.
func (w *world) fill(s *stock, available, assigned []model.Setting) {
	for _, a := range available {
		r := w.res.of(a.Name, a.Value)
		s.grow(len(w.res.list))
		amount, _ := model.PBSAmount(a.Value)
		s.held[r] = holding{known: true, set: true, total: amount, values: splitValues(a.Value)}
	}
	for _, a := range assigned {
		r := w.res.of(a.Name, a.Value)
		s.grow(len(w.res.list))
		if !s.held[r].known {
			s.held[r] = holding{known: true, total: model.NoAmount}
		}
		if amount, ok := model.PBSAmount(a.Value); ok && !strings.HasPrefix(a.Value, "@") {
			s.assigned[r] = amount
		}
	}
}

// grow makes room for resources that became known later.
func (s *stock) grow(n int) {
	for len(s.held) < n {
		s.held, s.assigned = append(s.held, holding{}), append(s.assigned, 0)
	}
}

// growStocks gives every stock room for all resources known by now.
func (w *world) growStocks() {
	n := len(w.res.list)
	w.server.stock.grow(n)
	for _, q := range w.queues {
		q.stock.grow(n)
	}
	for i := range w.vnodes {
		w.vnodes[i].stock.grow(n)
	}
}

func splitValues(v string) []string {
	var list []string
	for _, s := range strings.Split(v, ",") {
		if s = strings.TrimSpace(s); s != "" {
			list = append(list, s)
		}
	}
	return list
}

// free is what is not assigned of a resource, infinite where there is no end of it.
func (s *stock) free(res int) float64 {
	if math.IsInf(s.held[res].total, 1) {
		return model.NoAmount
	}
	return max(0, s.held[res].total-s.assigned[res])
}

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

// lookUp finds a resource, with the vnode that lends it.
func (w *world) lookUp(s *stock, res int) (h *holding, assigned float64) {
	if res >= len(s.held) {
		return &holding{}, 0
	}
	if from := s.held[res].from; from > 0 {
		s = &w.vnodes[from-1].stock
	}
	return &s.held[res], s.assigned[res]
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

// add books requests onto a stock, or off it with -1. Amounts that turn negative become none.
func (s *stock) add(needs []request, sign float64, k *resources) {
	for i := range needs {
		n := &needs[i]
		if n.res < len(s.held) && s.held[n.res].known && k.list[n.res].kind.consumable() {
			s.assigned[n.res] = s.assigned[n.res] + sign*n.amount
			if sign < 0 {
				s.assigned[n.res] = max(0, s.assigned[n.res])
			}
		}
	}
}
