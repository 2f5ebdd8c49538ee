package resource

import (
	"math"
	"strconv"
	"strings"

	"qprism/engine/model"
)

// A Request is an amount of a resource, asked for or given. If the resource is no number, it is the value as
// text.
type Request struct {
	Res    int
	Amount float64
	Text   string
}

// A Chunk is one part of a select specification: Count equal pieces.
type Chunk struct {
	Count int
	Seq   int // its place among all chunks that the scheduler read; placed chunks are sorted by it
	Needs []Request
}

// A Selection is a select specification.
type Selection struct {
	Chunks []Chunk
	Total  int   // number of pieces
	Uses   []int // requested resources
}

// maxPieces bounds the pieces of a select specification; no cluster has as many vnodes.
const maxPieces = 1 << 20

// ParseSelect reads "2:ncpus=4:mem=1gb+1:ncpus=1". Like the scheduler it keeps only booleans and the
// resources that sched_config names. Values that are no numbers come first. ok is false if the specification
// is invalid.
func (r *Table) ParseSelect(spec string) (s *Selection, ok bool) {
	s = &Selection{}
	for _, part := range model.CutOutside(spec, '+') {
		c, ok := r.parseChunk(part)
		if !ok || s.Total+c.Count > maxPieces {
			return nil, false
		}
		c.Seq = r.NextRank()
		s.Total += c.Count
		s.Chunks = append(s.Chunks, c)
		for _, n := range c.Needs {
			s.Uses = append(s.Uses, n.Res)
		}
	}
	return s, len(s.Chunks) > 0
}

func (r *Table) parseChunk(spec string) (c Chunk, ok bool) {
	c = Chunk{Count: 1}
	for i, field := range model.CutOutside(spec, ':') {
		name, value, isPair := strings.Cut(field, "=")
		if !isPair {
			n, err := strconv.Atoi(field)
			if i != 0 || err != nil || n < 0 {
				return c, false
			}
			c.Count = n
			continue
		}
		need, ok := r.Request(name, strings.Trim(value, `"'`))
		if !ok {
			return c, false
		}
		if k := r.List[need.Res].Kind; k != Boolean && !r.LooksAt(name) {
			continue
		} else if k.Consumable() || len(c.Needs) == 0 {
			c.Needs = append(c.Needs, need)
		} else {
			c.Needs = append([]Request{need}, c.Needs...)
		}
	}
	return c, true
}

// LooksAt reports whether the scheduler considers a resource, by the option "resources" of sched_config.
func (r *Table) LooksAt(name string) bool { return r.Checked == nil || r.Checked[name] }

// Request is a requested amount. ok is false if the text should be a number but is not.
func (r *Table) Request(name, value string) (Request, bool) {
	n := Request{Res: r.Number(name, value), Text: value}
	n.Amount, _ = model.PBSAmount(value)
	return n, !math.IsInf(n.Amount, 0) && !math.IsNaN(n.Amount) || r.List[n.Res].Kind == Text
}

// Find is the first request for a resource.
func Find(list []Request, res int) *Request {
	for i := range list {
		if list[i].Res == res {
			return &list[i]
		}
	}
	return nil
}

// A Place is a place specification: how a job's chunks may be spread over vnodes, and who may share the
// vnodes.
type Place struct {
	Pack, Scatter, Vscatter, Free bool
	Excl, Shared, Exclhost        bool
	Group                         string // resource of the job's own placement sets
}

func ParsePlace(spec string) (p Place, ok bool) {
	for _, word := range strings.FieldsFunc(spec, func(r rune) bool { return r == ':' }) {
		switch {
		case word == "pack":
			p.Pack = true
		case word == "scatter":
			p.Scatter = true
		case word == "vscatter":
			p.Vscatter = true
		case word == "free":
			p.Free = true
		case word == "excl":
			p.Excl = true
		case word == "shared":
			p.Shared = true
		case word == "exclhost":
			p.Exclhost, p.Excl = true, true
		case strings.HasPrefix(word, "group="):
			p.Group = word[len("group="):]
		default:
			return p, false
		}
	}
	arrangements := 0
	for _, set := range []bool{p.Pack, p.Scatter, p.Vscatter, p.Free} {
		if set {
			arrangements++
		}
	}
	p.Free = p.Free || arrangements == 0
	return p, arrangements <= 1
}
