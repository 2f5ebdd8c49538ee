package cycle

import (
	"qprism/engine/model"
	"slices"
	"strings"
)

// A portion is what a job or reservation gets of one vnode.
type portion struct {
	vnode int
	gives []request
	last  bool // of its chunk
	seq   int  // of the chunk, then order of the finds
	sub   int
}

// parsePortions reads "(n1:ncpus=2:mem=4kb+n2:ncpus=1)+(n3:ncpus=1)". Vnodes that are not in
// the index make it invalid.
func (r *resources) parsePortions(spec string, index map[string]int) (list []portion, ok bool) {
	for _, part := range model.CutOutside(strings.TrimSpace(spec), '+') {
		part = strings.TrimPrefix(strings.TrimSpace(part), "(")
		body, closed := strings.CutSuffix(part, ")")
		fields := model.CutOutside(body, ':')
		v, known := index[fields[0]]
		if !known {
			return nil, false
		}
		p := portion{vnode: v, last: closed || !strings.Contains(spec, "("), seq: len(list)}
		for _, f := range fields[1:] {
			name, value, isPair := strings.Cut(f, "=")
			need, isNumber := r.request(name, value)
			if !isPair || !isNumber {
				return nil, false
			}
			p.gives = append(p.gives, need)
		}
		list = append(list, p)
	}
	return list, len(list) > 0
}

// combine adds up the portions of each vnode.
func combine(list []portion) []portion {
	var sums []portion
	at := map[int]int{}
	for _, p := range list {
		i, seen := at[p.vnode]
		if !seen {
			at[p.vnode] = len(sums)
			sums = append(sums, portion{vnode: p.vnode, gives: append([]request(nil), p.gives...), last: true})
			continue
		}
		for _, g := range p.gives {
			if have := find(sums[i].gives, g.res); have != nil {
				have.amount += g.amount
			} else {
				sums[i].gives = append([]request{g}, sums[i].gives...)
			}
		}
	}
	return sums
}

// on is the portion of a vnode.
func on(list []portion, vnode int) *portion {
	for i := range list {
		if list[i].vnode == vnode {
			return &list[i]
		}
	}
	return nil
}

// inOrder sorts portions by their chunks, as exec_vnode shows them.
func inOrder(found []portion) []portion {
	slices.SortStableFunc(found, func(a, b portion) int {
		if a.seq != b.seq {
			return a.seq - b.seq
		}
		return a.sub - b.sub
	})
	return found
}
