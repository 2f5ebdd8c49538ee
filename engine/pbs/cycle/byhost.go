package cycle

import (
	"slices"

	"qprism/engine/model"
)

// byHost goes host by host, as the scheduler does where some host has several vnodes: all chunks that fit on the first,
// then on the next. A packed job has to fit on one.
func (s *search) byHost(vnodes []int) ([]portion, failure) {
	hosts := s.hosts
	if hosts == nil || !s.isAll(vnodes) {
		hosts = s.partition(vnodes, []string{"host"}, false)
	}
	counts := make([]int, len(s.spec.chunks))
	for i := range counts {
		counts[i] = s.spec.chunks[i].count
	}
	h := hostSearch{search: s, rest: counts, missing: s.spec.total}
	for i, host := range hosts {
		if h.missing == 0 {
			break
		}
		h.host(host)
		s.bare = s.bare || i == 0 && !s.looked
	}
	if h.missing == 0 {
		return h.found, failure{}
	}
	return nil, h.first
}

// isAll reports whether these are all vnodes of the server, whose hosts are known.
func (s *search) isAll(vnodes []int) bool {
	return !s.queueVnodes && len(vnodes) > 0 && len(vnodes) == len(s.anyone) && &vnodes[0] == &s.anyone[0]
}

// A hostSearch is a search that goes host by host.
type hostSearch struct {
	*search
	rest    []int // pieces of each chunk that have no place yet
	missing int
	found   []portion
	first   failure
}

// host places what fits on one host.
func (h *hostSearch) host(host *set) {
	var got []portion
	span := h.span
	switch {
	case h.place.pack:
		got = h.pack(host)
	case h.place.vscatter:
		got = h.vscatter(host)
	case h.place.scatter:
		got = h.scatter(host)
	case h.place.free:
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
func (h *hostSearch) takesHost(host *set) bool {
	sharing := h.vnodes[host.vnodes[0]].sharing
	return sharing.host && sharing.forced || sharing.host && sharing.exclusive && !h.place.excl && !h.place.shared || h.place.exclhost
}

// withRest adds the other vnodes of a host, with nothing of them.
func (h *hostSearch) withRest(got []portion, host *set) []portion {
	seq := 0
	for _, p := range got {
		seq = max(seq, p.seq)
	}
	for _, all := range h.hosts {
		if all.value == h.vnodes[host.vnodes[0]].host {
			host = all
		}
	}
	for _, v := range host.vnodes {
		if on(got, v) == nil {
			got = append(got, portion{vnode: v, last: true, seq: seq, sub: h.res.nextRank()})
		}
	}
	return got
}

// note keeps the first failure.
func (h *hostSearch) note(f failure) {
	if !h.first.failed() {
		h.first = f
	}
}

// pack places all chunks on the host, or none.
func (h *hostSearch) pack(host *set) []portion {
	h.span = true
	got, why := h.allChunks(host.vnodes)
	if got == nil {
		h.note(why)
		return nil
	}
	h.missing = 0
	return got
}

// suffices reports whether the sums of a host are enough for one piece of a chunk.
func (h *hostSearch) suffices(host *set, c *chunk) bool {
	times, why := h.count(&host.stock, c.needs, check{unsetZero: true, code: model.FailInsufficient})
	if host.free > 0 && times != 0 {
		return true
	}
	if host.free > 0 {
		why.amounts = amounts{}
		h.note(why)
	}
	return false
}

// fill places as many pieces on the host as fit.
func (h *hostSearch) fill(host *set) (got []portion) {
	marks, journal := h.saveMarks(host.vnodes), len(h.journal)
	defer h.restoreMarks(host.vnodes, marks)
	defer h.takeBack(journal)
	h.span = true
	return h.pieces(host, func(p portion) { h.tryOut(p.vnode, p.gives) })
}

// pieces places pieces on the host one after the other, as many as fit, and does with each portion what keeps it from the next.
func (h *hostSearch) pieces(host *set, keep func(portion)) (got []portion) {
	for i := range h.spec.chunks {
		c := &h.spec.chunks[i]
		if !h.suffices(host, c) {
			continue
		}
		h.unmark(host.vnodes, visited)
		for h.rest[i] > 0 {
			piece, why := h.oneChunk(c, host.vnodes)
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
func (h *hostSearch) scatter(host *set) []portion {
	h.span = true
	for i := range h.spec.chunks {
		c := &h.spec.chunks[i]
		if !h.suffices(host, c) || h.rest[i] == 0 {
			continue
		}
		h.unmark(host.vnodes, visited)
		got, why := h.oneChunk(c, host.vnodes)
		if got != nil {
			h.placed(i)
			return got
		}
		h.note(why)
	}
	return nil
}

// vscatter places one piece on each vnode of the host.
func (h *hostSearch) vscatter(host *set) []portion {
	return h.pieces(host, func(p portion) {
		if slices.Contains(host.vnodes, p.vnode) {
			h.scratch[p.vnode] |= scattered
		}
	})
}
