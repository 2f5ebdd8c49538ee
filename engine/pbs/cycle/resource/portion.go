package resource

import (
	"slices"
	"strings"

	"qprism/engine/model"
)

// A Portion is a job's or reservation's part of one vnode.
type Portion struct {
	Vnode int
	Gives []Request
	Last  bool // of its chunk
	Seq   int  // of the chunk, then in the order of the search
	Sub   int
}

// ParsePortions reads "(n1:ncpus=2:mem=4kb+n2:ncpus=1)+(n3:ncpus=1)". A vnode that is not in index makes it
// invalid.
func (r *Table) ParsePortions(spec string, index map[string]int) (list []Portion, ok bool) {
	for _, part := range model.CutOutside(strings.TrimSpace(spec), '+') {
		part = strings.TrimPrefix(strings.TrimSpace(part), "(")
		body, closed := strings.CutSuffix(part, ")")
		fields := model.CutOutside(body, ':')
		v, known := index[fields[0]]
		if !known {
			return nil, false
		}
		p := Portion{Vnode: v, Last: closed || !strings.Contains(spec, "("), Seq: len(list)}
		for _, f := range fields[1:] {
			name, value, isPair := strings.Cut(f, "=")
			need, isNumber := r.Request(name, value)
			if !isPair || !isNumber {
				return nil, false
			}
			p.Gives = append(p.Gives, need)
		}
		list = append(list, p)
	}
	return list, len(list) > 0
}

// Combine adds up the portions of each vnode.
func Combine(list []Portion) []Portion {
	var sums []Portion
	at := map[int]int{}
	for _, p := range list {
		i, seen := at[p.Vnode]
		if !seen {
			at[p.Vnode] = len(sums)
			sums = append(sums, Portion{Vnode: p.Vnode, Gives: append([]Request(nil), p.Gives...), Last: true})
			continue
		}
		for _, g := range p.Gives {
			if have := Find(sums[i].Gives, g.Res); have != nil {
				have.Amount += g.Amount
			} else {
				sums[i].Gives = append([]Request{g}, sums[i].Gives...)
			}
		}
	}
	return sums
}

// OnVnode is the portion on a vnode, nil for none.
func OnVnode(list []Portion, vnode int) *Portion {
	for i := range list {
		if list[i].Vnode == vnode {
			return &list[i]
		}
	}
	return nil
}

// InOrder sorts portions by their chunks, as exec_vnode shows them.
func InOrder(found []Portion) []Portion {
	slices.SortStableFunc(found, func(a, b Portion) int {
		if a.Seq != b.Seq {
			return a.Seq - b.Seq
		}
		return a.Sub - b.Sub
	})
	return found
}
