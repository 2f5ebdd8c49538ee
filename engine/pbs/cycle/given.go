package cycle

import (
	"qprism/engine/model"
	"strings"
)

// vnodesOf are the vnodes of portions, each once.
func (w *world) vnodesOf(list []portion) []int {
	var vs []int
	var names []string
	seen := map[int]bool{}
	for _, p := range list {
		if !seen[p.vnode] {
			seen[p.vnode] = true
			vs, names = append(vs, p.vnode), append(names, w.vnodes[p.vnode].name)
		}
	}
	if len(vs) < 2 {
		return vs
	}
	order := hashed(names)
	for i, k := range order {
		order[i] = vs[k]
	}
	return order
}

// selectionOf asks for exactly the portions that a job had.
func (w *world) selectionOf(list []portion) *selection {
	s := &selection{uses: []int{w.res.vnode}}
	for _, p := range list {
		if len(p.gives) == 0 {
			continue
		}
		c := chunk{count: 1, seq: w.res.nextRank(), needs: []request{{res: w.res.vnode, amount: model.NoAmount, text: w.vnodes[p.vnode].name}}}
		for _, g := range p.gives {
			if w.res.list[g.res].kind == boolean || w.res.looksAt(w.res.list[g.res].name) {
				c.needs, s.uses = append(c.needs, g), append(s.uses, g.res)
			}
		}
		s.chunks = append(s.chunks, c)
		s.total++
	}
	if s.total == 0 {
		return nil
	}
	return s
}

// execVnode is the attribute exec_vnode of a job that gets these portions.
func (w *world) execVnode(place []portion) string {
	var b strings.Builder
	open := true
	for i, p := range place {
		if i > 0 {
			b.WriteByte('+')
		}
		if open {
			b.WriteByte('(')
		}
		b.WriteString(w.vnodes[p.vnode].name)
		for _, g := range p.gives {
			if w.res.list[g.res].kind.consumable() {
				b.WriteString(":" + w.res.list[g.res].name + "=" + w.res.printGiven(g.res, g.amount))
			}
		}
		if open = p.last; open {
			b.WriteByte(')')
		}
	}
	return b.String()
}

// grants are the processors of each vnode.
func (w *world) grants(place []portion) []model.Grant {
	sums := combine(place)
	list := make([]model.Grant, 0, len(sums))
	for _, p := range sums {
		g := model.Grant{Instance: w.vnodes[p.vnode].name}
		if n := find(p.gives, w.res.ncpus); n != nil {
			g.Slots = int(whole(n.amount))
		}
		list = append(list, g)
	}
	return list
}
