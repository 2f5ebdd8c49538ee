package resource

import (
	"math"
	"slices"
	"strings"

	"qprism/engine/model"
)

// A Stock has the resources of a vnode, a set of vnodes, a queue or the server, and how much of each is
// assigned.
type Stock struct {
	Held     []Holding // by resource; never changed in place, because copies of a world share it
	Assigned []float64
}

// A Holding is one resource of a stock.
type Holding struct {
	Known  bool    // the resource is mentioned
	Set    bool    // resources_available has it
	Total  float64 // NoAmount if not set
	Values []string
	Mixed  bool // for a set of vnodes: a boolean that is true on some of them
	From   int  // 1 plus the number of the vnode that lends the resource ("@vnode"), 0 for none
}

func NewStock(n int) Stock {
	return Stock{Held: make([]Holding, n), Assigned: make([]float64, n)}
}

func (s Stock) Copy() Stock {
	s.Assigned = slices.Clone(s.Assigned)
	return s
}

// Clone is an independent copy.
func (s Stock) Clone() Stock {
	return Stock{Held: slices.Clone(s.Held), Assigned: slices.Clone(s.Assigned)}
}

// Fill sets resources_available and resources_assigned of one resource.
func (s *Stock) Fill(k *Table, available, assigned []model.Setting) {
	for _, a := range available {
		r := k.Number(a.Name, a.Value)
		s.Grow(len(k.List))
		amount, _ := model.PBSAmount(a.Value)
		s.Held[r] = Holding{Known: true, Set: true, Total: amount, Values: SplitValues(a.Value)}
	}
	for _, a := range assigned {
		r := k.Number(a.Name, a.Value)
		s.Grow(len(k.List))
		if !s.Held[r].Known {
			s.Held[r] = Holding{Known: true, Total: model.NoAmount}
		}
		if amount, ok := model.PBSAmount(a.Value); ok && !strings.HasPrefix(a.Value, "@") {
			s.Assigned[r] = amount
		}
	}
}

// Grow makes room for resources that were numbered later.
func (s *Stock) Grow(n int) {
	for len(s.Held) < n {
		s.Held, s.Assigned = append(s.Held, Holding{}), append(s.Assigned, 0)
	}
}

func SplitValues(v string) []string {
	var list []string
	for _, s := range strings.Split(v, ",") {
		if s = strings.TrimSpace(s); s != "" {
			list = append(list, s)
		}
	}
	return list
}

// Free is the amount that is not assigned, infinite if the resource is unlimited.
func (s *Stock) Free(res int) float64 {
	if math.IsInf(s.Held[res].Total, 1) {
		return model.NoAmount
	}
	return max(0, s.Held[res].Total-s.Assigned[res])
}

// Add books requests, or removes them with sign -1. A negative amount becomes 0.
func (s *Stock) Add(needs []Request, sign float64, k *Table) {
	for i := range needs {
		n := &needs[i]
		if n.Res < len(s.Held) && s.Held[n.Res].Known && k.List[n.Res].Kind.Consumable() {
			s.Assigned[n.Res] = s.Assigned[n.Res] + sign*n.Amount
			if sign < 0 {
				s.Assigned[n.Res] = max(0, s.Assigned[n.Res])
			}
		}
	}
}

// Shift is Add without that lower bound.
func (s *Stock) Shift(gives []Request, sign float64, k *Table) {
	for i := range gives {
		if g := &gives[i]; g.Res < len(s.Held) && s.Held[g.Res].Known && k.List[g.Res].Kind.Consumable() {
			s.Assigned[g.Res] += sign * g.Amount
		}
	}
}

func (h *Holding) AddAmount(o *Holding) {
	h.Set = h.Set || o.Set
	switch {
	case math.IsInf(h.Total, 1):
		h.Total = o.Total
	case !math.IsInf(o.Total, 1):
		h.Total += o.Total
	}
}

func (h *Holding) AddValues(values []string) {
	for _, v := range values {
		if !slices.Contains(h.Values, v) {
			h.Values = append(h.Values[:len(h.Values):len(h.Values)], v)
		}
	}
}

// AmountOf is the amount of a resource that a sort key asks for.
func (s *Stock) AmountOf(res int, by string) float64 {
	if res < 0 || res >= len(s.Held) || !s.Held[res].Known {
		return 0
	}
	switch by {
	case "assigned":
		return s.Assigned[res]
	case "unused":
		return s.Held[res].Total - s.Assigned[res]
	}
	return s.Held[res].Total
}
