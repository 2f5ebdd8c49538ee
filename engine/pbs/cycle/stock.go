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
func (s *stock) fill(k *resources, available, assigned []model.Setting) {
	for _, a := range available {
		r := k.of(a.Name, a.Value)
		s.grow(len(k.list))
		amount, _ := model.PBSAmount(a.Value)
		s.held[r] = holding{known: true, set: true, total: amount, values: splitValues(a.Value)}
	}
	for _, a := range assigned {
		r := k.of(a.Name, a.Value)
		s.grow(len(k.list))
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

// shift is add without a floor.
func (s *stock) shift(gives []request, sign float64, k *resources) {
	for i := range gives {
		if g := &gives[i]; g.res < len(s.held) && s.held[g.res].known && k.list[g.res].kind.consumable() {
			s.assigned[g.res] += sign * g.amount
		}
	}
}

func (h *holding) addAmount(o *holding) {
	h.set = h.set || o.set
	switch {
	case math.IsInf(h.total, 1):
		h.total = o.total
	case !math.IsInf(o.total, 1):
		h.total += o.total
	}
}

func (h *holding) addValues(values []string) {
	for _, v := range values {
		if !slices.Contains(h.values, v) {
			h.values = append(h.values[:len(h.values):len(h.values)], v)
		}
	}
}

// amountOf is a resource's amount of a set or a vnode, by what a sort key says.
func (s *stock) amountOf(res int, by string) float64 {
	if res < 0 || res >= len(s.held) || !s.held[res].known {
		return 0
	}
	switch by {
	case "assigned":
		return s.assigned[res]
	case "unused":
		return s.held[res].total - s.assigned[res]
	}
	return s.held[res].total
}
