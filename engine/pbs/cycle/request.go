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
func (r *resources) parseSelect(spec string) (s *selection, ok bool) {
	s = &selection{}
	for _, part := range model.CutOutside(spec, '+') {
		c, ok := r.parseChunk(part)
		if !ok || s.total+c.count > maxPieces {
			return nil, false
		}
		c.seq = r.nextRank()
		s.total += c.count
		s.chunks = append(s.chunks, c)
		for _, n := range c.needs {
			s.uses = append(s.uses, n.res)
		}
	}
	return s, len(s.chunks) > 0
}

func (r *resources) parseChunk(spec string) (c chunk, ok bool) {
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
		need, ok := r.request(name, strings.Trim(value, `"'`))
		if !ok {
			return c, false
		}
		if k := r.list[need.res].kind; k != boolean && !r.looksAt(name) {
			continue
		} else if k.consumable() || len(c.needs) == 0 {
			c.needs = append(c.needs, need)
		} else {
			c.needs = append([]request{need}, c.needs...)
		}
	}
	return c, true
}

// looksAt reports whether sched_config's option "resources" lets the scheduler look at a resource.
func (r *resources) looksAt(name string) bool { return r.checked == nil || r.checked[name] }

// request is an amount asked for. ok is false where a number is expected and the text is none.
func (r *resources) request(name, value string) (request, bool) {
	n := request{res: r.of(name, value), text: value}
	n.amount, _ = model.PBSAmount(value)
	return n, !math.IsInf(n.amount, 0) && !math.IsNaN(n.amount) || r.list[n.res].kind == text
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
	arrangements := 0
	for _, set := range []bool{p.pack, p.scatter, p.vscatter, p.free} {
		if set {
			arrangements++
		}
	}
	p.free = p.free || arrangements == 0
	return p, arrangements <= 1
}
