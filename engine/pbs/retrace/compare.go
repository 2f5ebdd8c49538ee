package retrace

import (
	"cmp"
	"fmt"
	"slices"

	"qprism/engine/batch"
)

// A pair is what the master tells of something, and what was computed; empty for nothing.
type pair struct{ master, computed string }

// pairs sets the facts of both sides against each other, those of the order too, in the order in which they are told.
func pairs(master, computed *side) (keys []key, facts map[key]pair) {
	facts = map[key]pair{}
	add := func(k key, p pair) {
		if _, known := facts[k]; !known {
			keys = append(keys, k)
		}
		facts[k] = p
	}
	for _, k := range master.keys {
		add(k, pair{master.facts[k], computed.facts[k]})
	}
	for _, k := range computed.keys {
		if master.logged[k.field] {
			add(k, pair{master.facts[k], computed.facts[k]})
		}
	}
	for _, p := range places(master.order, computed.order) {
		add(key{Order, p.name}, p.pair)
	}
	return keys, facts
}

// A placed job is where it stands in both orders.
type placed struct {
	name string
	pair
}

// places numbers the jobs that both orders have, so that one that only the master considers, or only the
// plan, moves no others. An array is considered again for each of its subjobs.
func places(master, computed []string) (list []placed) {
	m, c := counted(master), counted(computed)
	at := map[string]int{}
	for _, o := range []struct {
		order, common []string
		set           func(*pair, string)
	}{
		{m, c, func(p *pair, text string) { p.master = text }},
		{c, m, func(p *pair, text string) { p.computed = text }},
	} {
		common := map[string]bool{}
		for _, name := range o.common {
			common[name] = true
		}
		place := 0
		for _, name := range o.order {
			i, known := at[name]
			if !known {
				i = len(list)
				at[name] = i
				list = append(list, placed{name: name})
			}
			text := "considered"
			if common[name] {
				place++
				text = fmt.Sprint(place)
			}
			o.set(&list[i].pair, text)
		}
	}
	return list
}

// counted tells repeated names apart.
func counted(order []string) []string {
	seen, list := map[string]int{}, make([]string, 0, len(order))
	for _, name := range order {
		if seen[name]++; seen[name] > 1 {
			name = fmt.Sprintf("%s (%d)", name, seen[name])
		}
		list = append(list, name)
	}
	return list
}

// differences counts what differs.
func (x *side) differences(master *side) (n int) {
	keys, facts := pairs(master, x)
	for _, k := range keys {
		if facts[k].master != facts[k].computed {
			n++
		}
	}
	return n
}

// compare counts what agrees with an outcome, and says of the rest what no file tells that can have made it.
func (r *Report) compare(master *side, o *outcome) {
	keys, facts := pairs(master, o.side)
	why := newExplanations(master, o)
	for _, k := range keys {
		p, c := facts[k], &r.Fields[k.field]
		c.Reported++
		c.Compared++
		if p.master == p.computed {
			c.Agree++
			continue
		}
		d := Disagreement{Field: k.field, Name: k.name, Master: p.master, Computed: p.computed, Class: batch.Unexplained}
		if text := why.of(k); text != "" {
			d.Class, d.Why = batch.Missing, text
		}
		r.add(d)
	}
	slices.SortStableFunc(r.Disagreements, func(a, b Disagreement) int { return cmp.Compare(a.Field, b.Field) })
}

// add counts a disagreement by its class, and lists it.
func (r *Report) add(d Disagreement) {
	switch c := &r.Fields[d.Field]; d.Class {
	case batch.Stale:
		c.Stale++
	case batch.Missing:
		c.Missing++
	default:
		c.Unexplained++
	}
	r.Disagreements = append(r.Disagreements, d)
}
