package search

import (
	"slices"

	"qprism/engine/model"
	"qprism/engine/pbs/cycle/cluster"
	"qprism/engine/pbs/cycle/reason"
	"qprism/engine/pbs/cycle/resource"
)

// searchHosts goes host by host, as the scheduler does where some host has several vnodes: all chunks that
// fit on the first, then on the next. A packed job has to fit on one.
func (s *search) searchHosts(vnodes []int) ([]resource.Portion, reason.Failure) {
	hosts := s.Hosts
	if hosts == nil || !s.isAll(vnodes) {
		hosts = s.Grouped(vnodes, "host", false)
	}
	counts := make([]int, len(s.spec.Chunks))
	for i := range counts {
		counts[i] = s.spec.Chunks[i].Count
	}
	h := hostSearch{search: s, rest: counts, missing: s.spec.Total}
	for i, host := range hosts {
		if h.missing == 0 {
			break
		}
		h.host(host)
		s.missedFirstHost = s.missedFirstHost || i == 0 && !s.sawVnode
	}
	if h.missing == 0 {
		return h.found, reason.Failure{}
	}
	return nil, h.first
}

// isAll reports whether these are all vnodes of the server, whose hosts are known.
func (s *search) isAll(vnodes []int) bool {
	return !s.QueueVnodes && len(vnodes) > 0 && len(vnodes) == len(s.Common) && &vnodes[0] == &s.Common[0]
}

// A hostSearch is a search that goes host by host.
type hostSearch struct {
	*search
	rest    []int // pieces of each chunk that have no place yet
	missing int
	found   []resource.Portion
	first   reason.Failure
}

// host places what fits on one host.
func (h *hostSearch) host(host *cluster.Set) {
	var got []resource.Portion
	span := h.span
	switch {
	case h.place.Pack:
		got = h.pack(host)
	case h.place.Vscatter:
		got = h.vscatter(host)
	case h.place.Scatter:
		got = h.scatter(host)
	case h.place.Free:
		got = h.fill(host)
	}
	h.span = span
	if got == nil {
		return
	}
	if h.takesHost(host) {
		got = h.withRest(got, host)
	}
	h.found = append(h.found, got...)
}

// takesHost reports whether the job gets all vnodes of a host.
func (h *hostSearch) takesHost(host *cluster.Set) bool {
	sharing := h.Vnodes[host.Vnodes[0]].Sharing
	return sharing.Host && sharing.Forced || sharing.Host && sharing.Exclusive && !h.place.Excl &&
		!h.place.Shared || h.place.Exclhost
}

// withRest adds the other vnodes of a host, with nothing of them.
func (h *hostSearch) withRest(got []resource.Portion, host *cluster.Set) []resource.Portion {
	seq := 0
	for _, p := range got {
		seq = max(seq, p.Seq)
	}
	for _, all := range h.Hosts {
		if all.Value == h.Vnodes[host.Vnodes[0]].Host {
			host = all
		}
	}
	for _, v := range host.Vnodes {
		if resource.OnVnode(got, v) == nil {
			got = append(got, resource.Portion{Vnode: v, Last: true, Seq: seq, Sub: h.Res.NextRank()})
		}
	}
	return got
}

// note keeps the first failure.
func (h *hostSearch) note(f reason.Failure) {
	if !h.first.Failed() {
		h.first = f
	}
}

// pack places all chunks on the host, or none.
func (h *hostSearch) pack(host *cluster.Set) []resource.Portion {
	h.span = true
	got, why := h.allChunks(host.Vnodes)
	if got == nil {
		h.note(why)
		return nil
	}
	h.missing = 0
	return got
}

// suffices reports whether the sums of a host are enough for one piece of a chunk.
func (h *hostSearch) suffices(host *cluster.Set, c *resource.Chunk) bool {
	times, why := h.Count(&host.Stock, c.Needs, Check{UnsetZero: true, Code: model.FailInsufficient})
	if host.Free > 0 && times != 0 {
		return true
	}
	if host.Free > 0 {
		why.Amounts = reason.Amounts{}
		h.note(why)
	}
	return false
}

// fill places as many pieces on the host as fit.
func (h *hostSearch) fill(host *cluster.Set) (got []resource.Portion) {
	marks, journal := h.saveMarks(host.Vnodes), len(h.journal)
	defer h.restoreMarks(host.Vnodes, marks)
	defer h.takeBack(journal)
	h.span = true
	return h.pieces(host, func(p resource.Portion) { h.tryOut(p.Vnode, p.Gives) })
}

// pieces places pieces on the host one after the other, as many as fit, and does with each portion what
// keeps it from the next.
func (h *hostSearch) pieces(host *cluster.Set, keep func(resource.Portion)) (got []resource.Portion) {
	for i := range h.spec.Chunks {
		c := &h.spec.Chunks[i]
		if !h.suffices(host, c) {
			continue
		}
		h.unmark(host.Vnodes, visited)
		for h.rest[i] > 0 {
			piece, why := h.oneChunk(c, host.Vnodes)
			if piece == nil {
				h.note(why)
				break
			}
			h.placed(i)
			for _, p := range piece {
				keep(p)
			}
			got = append(got, piece...)
		}
	}
	return got
}

func (h *hostSearch) placed(chunk int) { h.rest[chunk]--; h.missing-- }

// scatter places one piece on the host.
func (h *hostSearch) scatter(host *cluster.Set) []resource.Portion {
	h.span = true
	for i := range h.spec.Chunks {
		c := &h.spec.Chunks[i]
		if !h.suffices(host, c) || h.rest[i] == 0 {
			continue
		}
		h.unmark(host.Vnodes, visited)
		got, why := h.oneChunk(c, host.Vnodes)
		if got != nil {
			h.placed(i)
			return got
		}
		h.note(why)
	}
	return nil
}

// vscatter places one piece on each vnode of the host.
func (h *hostSearch) vscatter(host *cluster.Set) []resource.Portion {
	return h.pieces(host, func(p resource.Portion) {
		if slices.Contains(host.Vnodes, p.Vnode) {
			h.Marks[p.Vnode] |= scattered
		}
	})
}
