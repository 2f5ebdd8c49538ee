package cluster

import (
	"strings"

	"qprism/engine/model"
	"qprism/engine/pbs/cycle/reason"
	"qprism/engine/pbs/cycle/resource"
)

// VnodesOf are the vnodes of portions, each once.
func (w *World) VnodesOf(list []resource.Portion) []int {
	var vs []int
	var names []string
	seen := map[int]bool{}
	for _, p := range list {
		if !seen[p.Vnode] {
			seen[p.Vnode] = true
			vs, names = append(vs, p.Vnode), append(names, w.Vnodes[p.Vnode].Name)
		}
	}
	if len(vs) < 2 {
		return vs
	}
	order := resource.HashOrder(names)
	for i, k := range order {
		order[i] = vs[k]
	}
	return order
}

// SelectionOf asks for exactly the portions that a job had.
func (w *World) SelectionOf(list []resource.Portion) *resource.Selection {
	s := &resource.Selection{Uses: []int{w.Res.Vnode}}
	for _, p := range list {
		if len(p.Gives) == 0 {
			continue
		}
		c := resource.Chunk{Count: 1, Seq: w.Res.NextRank(),
			Needs: []resource.Request{{Res: w.Res.Vnode, Amount: model.NoAmount, Text: w.Vnodes[p.Vnode].Name}}}
		for _, g := range p.Gives {
			if w.Res.List[g.Res].Kind == resource.Boolean || w.Res.LooksAt(w.Res.List[g.Res].Name) {
				c.Needs, s.Uses = append(c.Needs, g), append(s.Uses, g.Res)
			}
		}
		s.Chunks = append(s.Chunks, c)
		s.Total++
	}
	if s.Total == 0 {
		return nil
	}
	return s
}

// ExecVnode is the attribute exec_vnode of a job that gets these portions.
func (w *World) ExecVnode(place []resource.Portion) string {
	var b strings.Builder
	open := true
	for i, p := range place {
		if i > 0 {
			b.WriteByte('+')
		}
		if open {
			b.WriteByte('(')
		}
		b.WriteString(w.Vnodes[p.Vnode].Name)
		for _, g := range p.Gives {
			if w.Res.List[g.Res].Kind.Consumable() {
				b.WriteString(":" + w.Res.List[g.Res].Name + "=" + w.Res.PrintGiven(g.Res, g.Amount))
			}
		}
		if open = p.Last; open {
			b.WriteByte(')')
		}
	}
	return b.String()
}

// Grants are the processors of each vnode.
func (w *World) Grants(place []resource.Portion) []model.Grant {
	sums := resource.Combine(place)
	list := make([]model.Grant, 0, len(sums))
	for _, p := range sums {
		g := model.Grant{Instance: w.Vnodes[p.Vnode].Name}
		if n := resource.Find(p.Gives, w.Res.Ncpus); n != nil {
			g.Slots = int(resource.ToLong(n.Amount))
		}
		list = append(list, g)
	}
	return list
}

// Reason converts a failure to data.
func (w *World) Reason(f *reason.Failure) model.Reason { return f.Reason(w.Res.List[f.Res].Name) }
