package cycle

import (
	"slices"
	"strings"

	"qprism/engine/model"
)

// Marks of a vnode during one search.
const (
	visited    uint8 = 1 << iota // the chunk does not fit
	scattered                    // a chunk of a scattered job is there
	ineligible                   // the job may not be there at all
)

// A search looks for vnodes for a claim.
type search struct {
	*world
	claim *claim
	spec  *selection
	place place
	span  bool // chunks may be spread over vnodes, which are all on one host

	looked bool // at a vnode
	bare   bool // but at none of the first host

	journal []undo // what is booked for the length of the search
}

// findVnodes finds vnodes for a claim at this moment, so that nothing planned is disturbed. every collects all reasons.
func (w *world) findVnodes(c *claim, byBucket bool) ([]portion, failure) {
	var found []portion
	var why failure
	if byBucket {
		found, why = w.findInBuckets(c)
	} else {
		found, why = w.findByVnode(c)
	}
	if found == nil && !why.failed() {
		why = failure{status: notRun, code: model.FailNoNodeResources}
	}
	return found, why
}

// findByVnode tries vnode by vnode, in placement sets where there are some.
func (w *world) findByVnode(c *claim) ([]portion, failure) {
	s := search{world: w, claim: c}
	s.spec, s.place = c.specification()
	vnodes, sets := w.candidates(c)
	if c.place.group != "" {
		sets = w.partition(vnodes, []string{c.place.group}, false)
		w.sortSets(sets)
	}
	return s.find(vnodes, sets)
}

// candidates are the vnodes that a claim may use, in order, and placement sets of them.
func (w *world) candidates(c *claim) (vnodes []int, sets []*set) {
	vnodes = w.anyone
	switch {
	case c.inside != nil:
		vnodes = c.inside.ownVnodes
	case c.vnodes != nil:
		vnodes = c.vnodes
	case !c.isReservation:
		if sets = c.queue.groups; len(sets) == 0 {
			sets = w.groups
		}
		if c.queue.ownVnodes {
			vnodes = c.queue.vnodes
		}
	default:
		sets = w.groups
	}
	if c.only != nil {
		return c.only, nil
	}
	return vnodes, sets
}

// find finds vnodes in one of the sets, or among all where there are none.
func (s *search) find(vnodes []int, sets []*set) ([]portion, failure) {
	first := s.markIneligible(vnodes)
	if len(sets) == 0 {
		s.span = s.multiVnode && s.oneHost(vnodes)
		found, why := s.among(vnodes)
		if found == nil && !why.failed() {
			why = first
		}
		return found, why
	}
	return s.findInSets(vnodes, sets, first)
}

// findInSets tries placement sets in turn. A claim that is too large for each of them, even if it were empty, may use
// all vnodes.
func (s *search) findInSets(vnodes []int, sets []*set, first failure) ([]portion, failure) {
	fits := false
	var why failure   // of the last set, which the scheduler names; the first reason where that has none (quirk P33)
	var empty failure // why the last one would not even do if it were empty
	for _, set := range sets {
		if why = s.tooBig(set, s.claim, false, nil); why.failed() {
			why = fails(model.FailSetTooSmall, set.name)
		} else {
			s.span = set.sameHost
			found, f := s.among(set.vnodes)
			if found != nil {
				return found, failure{}
			}
			why = f
		}
		first = first.or(why)
		if empty = s.tooBig(set, s.claim, true, nil); !empty.failed() {
			fits = true
		}
	}
	if fits {
		return nil, why.or(first)
	}
	if s.sched.DoNotSpanSets {
		return nil, failure{status: neverRun, code: model.FailCantSpanSets}
	}
	s.span = s.multiVnode && s.oneHost(vnodes)
	s.looked, s.bare = false, false
	found, f := s.among(vnodes)
	if s.looked && !s.bare {
		empty = failure{} // it is forgotten when a vnode is looked at
	}
	if found == nil {
		f = f.or(nothingFits(empty, empty)).or(first)
	}
	return found, f
}

// markIneligible marks vnodes that the claim may not use, and says why the first one is none.
func (s *search) markIneligible(vnodes []int) (first failure) {
	for _, v := range vnodes {
		s.scratch[v] = 0
	}
	for _, v := range vnodes {
		n := &s.vnodes[v]
		if !n.free() || s.scratch[v] != 0 {
			continue
		}
		why := s.notEligible(v)
		if !why.failed() {
			continue
		}
		s.scratch[v] |= ineligible
		if s.multiVnode && n.whole == 0 && (why.code == model.FailNodeNotExcl && wholeHost(s.place, n.sharing) || s.hostTaken(v)) {
			s.markHost(n.host)
		}
		if !first.failed() {
			first = why
		}
	}
	return first
}

func (s *search) markHost(host string) {
	for _, set := range s.hosts {
		if set.value == host {
			for _, v := range set.vnodes {
				s.scratch[v] |= ineligible
			}
		}
	}
}

// hostTaken reports whether something that starts before the claim ends wants the whole host of a vnode, or the claim
// does.
func (s *search) hostTaken(v int) (taken bool) {
	end := s.willEnd(s.claim)
	s.calendar.ahead(end, func(e *event) bool {
		if e.kind == startEvent && on(e.claim.given, v) != nil {
			sharing := s.vnodes[v].sharing
			taken = wholeHost(e.claim.place, sharing) || wholeHost(s.claim.place, sharing)
		}
		return !taken
	})
	return taken
}

// notEligible says why a claim may not use a vnode, whatever it asks of it.
func (s *search) notEligible(v int) failure {
	n, c := &s.vnodes[v], s.claim
	maintenance := c.inside != nil && strings.HasPrefix(c.inside.id, "M")
	switch {
	case !maintenance && exclusive(s.place, n.sharing) && (n.jobs > 0 || n.resvs > 0):
		if c.isReservation {
			return fails(model.FailNodeNotExcl, "Reservation")
		}
		return fails(model.FailNodeNotExcl, "Job")
	case c.isReservation && !n.reservable:
		return fails(model.FailNodeNotReservable)
	case c.isReservation || s.qrun != "":
	case n.maxRunning >= 0 && n.maxRunning <= int64(n.jobs):
		return fails(model.FailNodeJobLimit)
	case n.maxUserRun >= 0 && n.maxUserRun <= int64(n.users[c.user]):
		return fails(model.FailNodeUserLimit)
	case n.maxGroupRun >= 0 && c.group != "" && n.maxGroupRun <= int64(n.groups[c.group]):
		return fails(model.FailNodeGroupLimit)
	}
	if n.single && c.manyVnodes {
		return fails(model.FailNodeNoMultiJobs)
	}
	return failure{}
}

// among finds vnodes among these, all chunks or nothing.
func (s *search) among(vnodes []int) ([]portion, failure) {
	if s.place.pack && s.spec.total == 1 {
		vnodes = s.roundRobin(vnodes)
	}
	if !s.multiVnode && (!s.claim.place.pack || s.spec.total == 1) {
		return s.allChunks(vnodes)
	}
	return s.byHost(vnodes)
}

// allChunks places all chunks on these vnodes, each chunk on the first where it fits. Scattered chunks shun each other's
// vnodes, others see what is left by those before.
func (s *search) allChunks(vnodes []int) (found []portion, why failure) {
	if s.spec.total == 1 {
		return s.oneChunk(&s.spec.chunks[0], vnodes)
	}
	apart := s.place.scatter || s.place.vscatter
	marks := s.saveMarks(vnodes)
	journal := len(s.journal)
	defer s.takeBack(journal)
	if apart {
		s.unmark(vnodes, scattered)
	} else {
		defer s.restoreMarks(vnodes, marks)
		vnodes = slices.Clone(vnodes)
	}
	for i := range s.spec.chunks {
		s.unmark(vnodes, visited)
		for range s.spec.chunks[i].count {
			got, f := s.oneChunk(&s.spec.chunks[i], vnodes)
			if got == nil {
				return nil, f
			}
			s.reserve(got, vnodes, apart)
			found = append(found, got...)
		}
	}
	return s.singly(vnodes, found)
}

// reserve keeps what one chunk got from the next one.
func (s *search) reserve(got []portion, vnodes []int, apart bool) {
	for _, p := range got {
		if apart {
			s.scratch[p.vnode] |= scattered
		} else {
			s.tryOut(p.vnode, p.gives)
		}
		if s.policy.byUse && len(s.policy.nodeKeys) > 0 && !s.conf.AvoidProvision {
			s.sortVnodes(vnodes)
		}
	}
}

// singly looks again where a job over several vnodes got one that takes no such jobs.
func (s *search) singly(vnodes []int, found []portion) ([]portion, failure) {
	single := 0
	for _, p := range found {
		if s.vnodes[p.vnode].single {
			single++
		}
	}
	if single == 0 || single == 1 && len(found) == 1 || s.claim.manyVnodes {
		return found, failure{}
	}
	s.claim.manyVnodes = true
	return s.allChunks(vnodes)
}

func (s *search) saveMarks(vnodes []int) []uint8 {
	marks := make([]uint8, len(vnodes))
	for i, v := range vnodes {
		marks[i] = s.scratch[v]
	}
	return marks
}

func (s *search) restoreMarks(vnodes []int, marks []uint8) {
	for i, v := range vnodes {
		s.scratch[v] = marks[i]
	}
}

func (s *search) unmark(vnodes []int, mark uint8) {
	for _, v := range vnodes {
		s.scratch[v] &^= mark
	}
}

// oneChunk places one piece of a chunk: on the first vnode where it fits, or spread over vnodes of one host.
func (s *search) oneChunk(c *chunk, vnodes []int) ([]portion, failure) {
	fixed := 0
	for fixed < len(c.needs) && !s.res.list[c.needs[fixed].res].kind.consumable() {
		fixed++
	}
	if s.span && !s.fitsOnOne(c, vnodes) {
		return s.spread(c, fixed, vnodes)
	}
	return s.onOne(c, fixed, vnodes)
}

// fitsOnOne reports whether a chunk fits on a single vnode now.
func (s *search) fitsOnOne(c *chunk, vnodes []int) bool {
	fixed := check{unsetZero: true, booleans: true, fixed: true, code: model.FailInsufficient}
	for _, v := range vnodes {
		if times, _ := s.count(&s.vnodes[v].stock, c.needs, fixed); times == 0 {
			continue
		}
		if times, _ := s.count(&s.vnodes[v].stock, c.needs, check{unsetZero: true, code: model.FailInsufficient}); times != 0 {
			return true
		}
	}
	return false
}

// onOne places a piece on the first vnode where it fits.
func (s *search) onOne(c *chunk, fixed int, vnodes []int) ([]portion, failure) {
	var first, last failure
	for _, v := range vnodes {
		n := &s.vnodes[v]
		if !n.free() || s.scratch[v] != 0 {
			continue
		}
		s.looked = true
		last = s.lacksFixed(v, c.needs[:fixed])
		if !last.failed() && fixed < len(c.needs) {
			var times int64
			if times, last = s.fitsUntilEnd(v, c.needs[fixed:]); times != 0 {
				s.remember(v)
				return []portion{{vnode: v, gives: slices.Clone(c.needs[fixed:]), last: true, seq: c.seq, sub: s.res.nextRank()}}, failure{}
			}
		}
		s.scratch[v] |= visited
		if !first.failed() {
			first = last
		}
		if last.failed() {
			s.markAlike(v, c, vnodes, &last)
		}
	}
	return nil, nothingFits(first, last)
}

// nothingFits is the reason that stays: the last vnode's, else the first one's; without the amounts.
func nothingFits(first, last failure) failure {
	if !last.failed() {
		last = first
	}
	last.amounts, last.object = amounts{}, ""
	return last
}

// lacksFixed says which request, of those that are not used up, a vnode does not meet.
func (s *search) lacksFixed(v int, needs []request) failure {
	if s.vnodes[v].single && s.claim.manyVnodes {
		return fails(model.FailNodeNoMultiJobs)
	}
	if len(needs) == 0 {
		return failure{}
	}
	times, why := s.count(&s.vnodes[v].stock, needs, check{unsetZero: true, booleans: true, fixed: true, code: model.FailInsufficient})
	if times == 0 {
		return why
	}
	return failure{}
}

// markAlike marks the vnodes of equal resources where a chunk does not even fit if they were empty.
func (s *search) markAlike(v int, c *chunk, vnodes []int, why *failure) {
	all := check{totals: true, unsetZero: true, booleans: true, only: s.checksNode, code: model.FailInsufficient}
	times, f := s.count(&s.vnodes[v].stock, c.needs, all)
	if times != 0 {
		return
	}
	if f.failed() {
		*why = f
	}
	for _, o := range vnodes {
		if s.vnodes[o].signature == s.vnodes[v].signature {
			s.scratch[o] |= visited
		}
	}
}

// spread takes what a chunk needs from several vnodes of a host, resource by resource.
func (s *search) spread(c *chunk, fixed int, vnodes []int) (found []portion, why failure) {
	marks, journal := s.saveMarks(vnodes), len(s.journal)
	defer s.restoreMarks(vnodes, marks)
	defer s.takeBack(journal)
	rest := slices.Clone(c.needs[fixed:])
	var first, last failure
	for _, v := range vnodes {
		if !s.vnodes[v].free() || s.scratch[v] != 0 {
			continue
		}
		s.looked = true
		if last = s.lacksFixed(v, c.needs[:fixed]); !last.failed() {
			var gives []request
			if gives, last = s.scrape(v, rest); gives != nil {
				found = append(found, portion{vnode: v, gives: gives, seq: c.seq, sub: s.res.nextRank()})
				rest = slices.DeleteFunc(rest, func(r request) bool { return r.amount == 0 })
				if len(rest) == 0 {
					found[len(found)-1].last = true
					return found, failure{}
				}
				continue
			}
		}
		if !first.failed() {
			first = last
		}
	}
	return nil, nothingFits(first, last)
}

// scrape takes as much as there is of each resource on one vnode.
func (s *search) scrape(v int, rest []request) (gives []request, why failure) {
	for i := range rest {
		one := rest[i]
		one.amount = 1
		times, f := s.fitsUntilEnd(v, []request{one})
		if why = f.or(why); times <= 0 {
			continue
		}
		one.amount = min(float64(times), rest[i].amount)
		rest[i].amount -= one.amount
		s.tryOut(v, []request{one})
		gives = append([]request{one}, gives...)
	}
	return gives, why
}

// fitsUntilEnd says how often requests fit on a vnode, now and until the claim ends: what starts there before has to find
// its share.
func (s *search) fitsUntilEnd(v int, needs []request) (int64, failure) {
	c := s.claim
	ck := check{unsetZero: true, booleans: true, code: model.FailInsufficient}
	times, why := s.count(&s.vnodes[v].stock, needs, ck)
	if times <= 0 || c.inside != nil {
		return times, why
	}
	end := s.willEnd(c)
	if !s.calendar.startsBefore(end) {
		return times, why
	}
	if times = s.leastUntil(v, needs, end, times); times == 0 {
		why = failure{status: notRun, code: model.FailReservedAhead}
	}
	return times, why
}

// leastUntil goes through what starts and ends on a vnode until a time, and says how often requests fit at the worst.
func (s *search) leastUntil(v int, needs []request, end seconds, times int64) int64 {
	n := &s.vnodes[v]
	alone := exclusive(s.claim.place, n.sharing)
	var later *stock
	for _, e := range s.eventsOn(v) {
		if e.at >= end || times <= 0 {
			break
		}
		if e.done || e.off || e.at < s.now || e.claim == s.claim || e.claim.inside != nil {
			continue
		}
		if alone || exclusive(e.claim.place, n.sharing) {
			return 0
		}
		if later == nil {
			later = s.ownStock(v)
		}
		gives := on(e.claim.given, v).gives
		if e.kind == endEvent {
			later.shift(gives, -1, s.res)
			continue
		}
		later.shift(gives, 1, s.res)
		fits, _ := s.count(later, needs, check{unsetZero: true, booleans: true, code: model.FailInsufficient})
		times = min(times, fits)
	}
	return times
}

// ownStock is a copy of what a vnode has, borrowed resources included.
func (s *search) ownStock(v int) *stock {
	o := s.vnodes[v].stock.own()
	for r := range o.held {
		if o.held[r].from > 0 {
			h, assigned := s.lookUp(&s.vnodes[v].stock, r)
			o.held[r], o.assigned[r] = *h, assigned
			o.held[r].from = 0
		}
	}
	return &o
}

// remember keeps the vnode from which round_robin goes on.
func (s *search) remember(v int) {
	if s.place.pack && s.policy.RoundRobinDist && !s.policy.byUse {
		*s.lastHost = s.vnodes[v].name
	}
}

// roundRobin puts the vnodes of the host behind the last used one first, with smp_cluster_dist round_robin.
func (s *search) roundRobin(vnodes []int) []int {
	if *s.lastHost == "" && len(vnodes) > 0 {
		*s.lastHost = s.vnodes[vnodes[0]].name
	}
	if !s.policy.RoundRobinDist || s.policy.byUse {
		return vnodes
	}
	sorted := slices.Clone(vnodes)
	s.sortByHost(sorted)
	i := slices.IndexFunc(sorted, func(v int) bool { return s.vnodes[v].name == *s.lastHost })
	if i < 0 {
		return sorted
	}
	host := s.vnodes[sorted[i]].host
	for i < len(sorted) && strings.EqualFold(s.vnodes[sorted[i]].host, host) {
		i++
	}
	return slices.Concat(sorted[i:], sorted[:i])
}

// An undo is a booking of a search that is to be taken back.
type undo struct {
	vnode, res int
	amount     float64
}

// tryOut books amounts for the length of a search.
func (s *search) tryOut(vnode int, gives []request) {
	for i := range gives {
		g := &gives[i]
		if !s.res.list[g.res].kind.consumable() {
			continue
		}
		at := vnode
		if v := &s.vnodes[vnode].stock; g.res < len(v.held) && v.held[g.res].from > 0 {
			at = v.held[g.res].from - 1
		}
		if v := &s.vnodes[at].stock; g.res < len(v.held) && v.held[g.res].known {
			v.assigned[g.res] += g.amount
			s.journal = append(s.journal, undo{at, g.res, g.amount})
		}
	}
}

// takeBack undoes what was tried out since the journal had a length. Sums are restored, not subtracted.
func (s *search) takeBack(length int) {
	for _, u := range slices.Backward(s.journal[length:]) {
		s.vnodes[u.vnode].assigned[u.res] -= u.amount
	}
	s.journal = s.journal[:length]
}
