package cycle

import (
	"math"
	"strconv"
	"strings"

	"qprism/engine/model"
)

// A request is an amount of a resource that is asked for or given; of one that is no number, the value as text.
type request struct {
	res    int
	amount float64
	text   string
}

// A chunk is one part of a select specification: count pieces that ask for the same.
type chunk struct {
	count  int
	seq    int // its place among all chunks that the scheduler read, by which placed chunks are sorted
	needs  []request
	source string // as written
}

// A selection is a select specification.
type selection struct {
	chunks []chunk
	total  int   // number of pieces
	uses   []int // resources asked for
}

// maxPieces bounds the pieces of a select specification; no cluster has as many vnodes.
const maxPieces = 1 << 20

// parseSelect reads "2:ncpus=4:mem=1gb+1:ncpus=1". Like the scheduler it keeps only booleans and the resources that
// sched_config names, values that are no numbers before the others. ok is false for a specification that makes no sense.
func (w *world) parseSelect(spec string) (s *selection, ok bool) {
	s = &selection{}
	for _, part := range model.CutOutside(spec, '+') {
		c, ok := w.parseChunk(part)
		if !ok || s.total+c.count > maxPieces {
			return nil, false
		}
		c.seq = w.nextRank()
		s.total += c.count
		s.chunks = append(s.chunks, c)
		for _, n := range c.needs {
			s.uses = append(s.uses, n.res)
		}
	}
	return s, len(s.chunks) > 0
}

func (w *world) parseChunk(spec string) (c chunk, ok bool) {
	c = chunk{count: 1, source: spec}
	for i, field := range model.CutOutside(spec, ':') {
		name, value, isPair := strings.Cut(field, "=")
		if !isPair {
			n, err := strconv.Atoi(field)
			if i != 0 || err != nil || n < 0 {
				return c, false
			}
			c.count = n
			continue
		}
		need, ok := w.request(name, strings.Trim(value, `"'`))
		if !ok {
			return c, false
		}
		if k := w.res.list[need.res].kind; k != boolean && !w.checked(name) {
			continue
		} else if k.consumable() || len(c.needs) == 0 {
			c.needs = append(c.needs, need)
		} else {
			c.needs = append([]request{need}, c.needs...)
		}
	}
	return c, true
}

// checked reports whether sched_config's option "resources" lets the scheduler look at a resource.
func (w *world) checked(name string) bool {
	return w.checkedNames == nil || w.checkedNames[name]
}

// request is an amount asked for. ok is false where a number is expected and the text is none.
func (w *world) request(name, value string) (request, bool) {
	r := request{res: w.res.of(name, value), text: value}
	r.amount, _ = model.PBSAmount(value)
	return r, !math.IsInf(r.amount, 0) && !math.IsNaN(r.amount) || w.res.list[r.res].kind == text
}

// find is the first request for a resource.
func find(list []request, res int) *request {
	for i := range list {
		if list[i].res == res {
			return &list[i]
		}
	}
	return nil
}

// A place is a place specification: how the chunks of a job may be spread over vnodes, and who may be there besides it.
type place struct {
	pack, scatter, vscatter, free bool
	excl, shared, exclhost        bool
	group                         string // resource of a placement set of its own
}

func parsePlace(spec string) (p place, ok bool) {
	for _, word := range strings.FieldsFunc(spec, func(r rune) bool { return r == ':' }) {
		switch {
		case word == "pack":
			p.pack = true
		case word == "scatter":
			p.scatter = true
		case word == "vscatter":
			p.vscatter = true
		case word == "free":
			p.free = true
		case word == "excl":
			p.excl = true
		case word == "shared":
			p.shared = true
		case word == "exclhost":
			p.exclhost, p.excl = true, true
		case strings.HasPrefix(word, "group="):
			p.group = word[len("group="):]
		default:
			return p, false
		}
	}
	switch b2i(p.pack) + b2i(p.scatter) + b2i(p.vscatter) + b2i(p.free) {
	case 0:
		p.free = true
	case 1:
	default:
		return p, false
	}
	return p, true
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// A portion is what a job or reservation gets of one vnode.
type portion struct {
	vnode int
	gives []request
	last  bool // of its chunk
	seq   int  // of the chunk, then order of the finds
	sub   int
}

// parsePortions reads "(n1:ncpus=2:mem=4kb+n2:ncpus=1)+(n3:ncpus=1)". Vnodes that nobody knows make it invalid.
func (w *world) parsePortions(spec string) (list []portion, ok bool) {
	for _, part := range model.CutOutside(strings.TrimSpace(spec), '+') {
		part = strings.TrimPrefix(strings.TrimSpace(part), "(")
		body, closed := strings.CutSuffix(part, ")")
		fields := model.CutOutside(body, ':')
		v, known := w.vnodeIndex[fields[0]]
		if !known {
			return nil, false
		}
		p := portion{vnode: v, last: closed || !strings.Contains(spec, "("), seq: len(list)}
		for _, f := range fields[1:] {
			name, value, isPair := strings.Cut(f, "=")
			need, isNumber := w.request(name, value)
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
		c := chunk{count: 1, seq: w.nextRank(), needs: []request{{res: w.res.vnode, amount: model.NoAmount, text: w.vnodes[p.vnode].name}}}
		for _, g := range p.gives {
			if w.res.list[g.res].kind == boolean || w.checked(w.res.list[g.res].name) {
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
