package search

import (
	"slices"
	"strings"

	"qprism/engine/model"
	"qprism/engine/pbs/cycle/clock"
	"qprism/engine/pbs/cycle/cluster"
	"qprism/engine/pbs/cycle/reason"
	"qprism/engine/pbs/cycle/resource"
)

// Marks of a vnode during one search.
const (
	visited    uint8 = 1 << iota // the chunk does not fit
	scattered                    // a chunk of a scattered job is there
	ineligible                   // the job may not be there at all
)

// A search looks for vnodes for a claim.
type search struct {
	Finder
	claim *cluster.Claim
	spec  *resource.Selection
	place resource.Place
	span  bool // chunks may be spread over vnodes, which are all on one host

	sawVnode        bool // the search looked at a vnode
	missedFirstHost bool // it looked at none of the first host

	journal []undo // what is booked for the length of the search
}

// FindVnodes finds vnodes on which a claim can start now without a delay of planned starts. With every, it
// collects all reasons.
func (w Finder) FindVnodes(c *cluster.Claim, byBucket bool) ([]resource.Portion, reason.Failure) {
	var found []resource.Portion
	var why reason.Failure
	if byBucket {
		found, why = w.findInBuckets(c)
	} else {
		found, why = w.findByVnode(c)
	}
	if found == nil && !why.Failed() {
		why = reason.Failure{Status: reason.NotRun, Code: model.FailNoNodeResources}
	}
	return found, why
}

// findByVnode tries vnode by vnode, in placement sets where there are some.
func (w Finder) findByVnode(c *cluster.Claim) ([]resource.Portion, reason.Failure) {
	s := search{Finder: w, claim: c}
	s.spec, s.place = c.Specification()
	vnodes, sets := w.candidates(c)
	if c.Place.Group != "" {
		sets = w.Grouped(vnodes, c.Place.Group, true)
	}
	return s.find(vnodes, sets)
}

// candidates are the vnodes that a claim may use, in order, and placement sets of them.
func (w Finder) candidates(c *cluster.Claim) (vnodes []int, sets []*cluster.Set) {
	vnodes = w.Common
	switch {
	case c.Inside != nil:
		vnodes = c.Inside.OwnVnodes
	case c.Vnodes != nil:
		vnodes = c.Vnodes
	case !c.IsReservation:
		if sets = c.Queue.Groups; len(sets) == 0 {
			sets = w.Groups
		}
		if c.Queue.OwnVnodes {
			vnodes = c.Queue.Vnodes
		}
	default:
		sets = w.Groups
	}
	if c.Only != nil {
		return c.Only, nil
	}
	return vnodes, sets
}

// find finds vnodes in one of the sets, or among all where there are none.
func (s *search) find(vnodes []int, sets []*cluster.Set) ([]resource.Portion, reason.Failure) {
	first := s.markIneligible(vnodes)
	if len(sets) == 0 {
		s.span = s.MultiVnode && s.OneHost(vnodes)
		found, why := s.searchVnodes(vnodes)
		if found == nil && !why.Failed() {
			why = first
		}
		return found, why
	}
	return s.findInSets(vnodes, sets, first)
}

// findInSets tries placement sets in turn. A claim that is too large for each of them, even if it were empty, may use
// all vnodes.
func (s *search) findInSets(vnodes []int, sets []*cluster.Set, first reason.Failure) (
	[]resource.Portion, reason.Failure) {
	fits := false
	// of the last set, which the scheduler names; the first reason where that has none (quirk P33)
	var why reason.Failure
	var empty reason.Failure // why the last one would not even do if it were empty
	for _, set := range sets {
		if why = s.tooBig(set, s.claim, false, nil); why.Failed() {
			why = reason.Of(model.FailSetTooSmall, set.Name)
		} else {
			s.span = set.SameHost
			found, f := s.searchVnodes(set.Vnodes)
			if found != nil {
				return found, reason.Failure{}
			}
			why = f
		}
		first = first.Or(why)
		if empty = s.tooBig(set, s.claim, true, nil); !empty.Failed() {
			fits = true
		}
	}
	if fits {
		return nil, why.Or(first)
	}
	if s.Sched.DoNotSpanSets {
		return nil, reason.Failure{Status: reason.NeverRun, Code: model.FailCantSpanSets}
	}
	s.span = s.MultiVnode && s.OneHost(vnodes)
	s.sawVnode, s.missedFirstHost = false, false
	found, f := s.searchVnodes(vnodes)
	if s.sawVnode && !s.missedFirstHost {
		empty = reason.Failure{} // it is forgotten when a vnode is looked at
	}
	if found == nil {
		f = f.Or(lastReason(empty, empty)).Or(first)
	}
	return found, f
}

// markIneligible marks vnodes that the claim may not use, and says why the first one is none.
func (s *search) markIneligible(vnodes []int) (first reason.Failure) {
	for _, v := range vnodes {
		s.Marks[v] = 0
	}
	for _, v := range vnodes {
		n := &s.Vnodes[v]
		if !n.Free() || s.Marks[v] != 0 {
			continue
		}
		why := s.notEligible(v)
		if !why.Failed() {
			continue
		}
		s.Marks[v] |= ineligible
		if s.MultiVnode && n.PartOf == 0 && (why.Code == model.FailNodeNotExcl &&
			cluster.WholeHost(s.place, n.Sharing) || s.hostTaken(v)) {
			s.markHost(n.Host)
		}
		if !first.Failed() {
			first = why
		}
	}
	return first
}

func (s *search) markHost(host string) {
	for _, set := range s.Hosts {
		if set.Value == host {
			for _, v := range set.Vnodes {
				s.Marks[v] |= ineligible
			}
		}
	}
}

// hostTaken reports whether something that starts before the claim ends wants the whole host of a vnode, or the claim
// does.
func (s *search) hostTaken(v int) (taken bool) {
	end := s.WillEnd(s.claim)
	s.Calendar.Ahead(end, func(e *cluster.Event) bool {
		if e.Kind == cluster.StartEvent && resource.OnVnode(e.Claim.Given, v) != nil {
			sharing := s.Vnodes[v].Sharing
			taken = cluster.WholeHost(e.Claim.Place, sharing) || cluster.WholeHost(s.claim.Place, sharing)
		}
		return !taken
	})
	return taken
}

// notEligible says why a claim may not use a vnode, whatever it asks of it.
func (s *search) notEligible(v int) reason.Failure {
	n, c := &s.Vnodes[v], s.claim
	maintenance := c.Inside != nil && strings.HasPrefix(c.Inside.ID, "M")
	switch {
	case !maintenance && cluster.Exclusive(s.place, n.Sharing) && (n.Jobs > 0 || n.Reservations > 0):
		if c.IsReservation {
			return reason.Of(model.FailNodeNotExcl, "Reservation")
		}
		return reason.Of(model.FailNodeNotExcl, "Job")
	case c.IsReservation && !n.Reservable:
		return reason.Of(model.FailNodeNotReservable)
	case c.IsReservation || s.Qrun != "":
	case n.MaxRunning >= 0 && n.MaxRunning <= int64(n.Jobs):
		return reason.Of(model.FailNodeJobLimit)
	case n.MaxUserRun >= 0 && n.MaxUserRun <= int64(n.Users[c.User]):
		return reason.Of(model.FailNodeUserLimit)
	case n.MaxGroupRun >= 0 && c.Group != "" && n.MaxGroupRun <= int64(n.Groups[c.Group]):
		return reason.Of(model.FailNodeGroupLimit)
	}
	if n.NoMultiNode && c.ManyVnodes {
		return reason.Of(model.FailNodeNoMultiJobs)
	}
	return reason.Failure{}
}

// searchVnodes places all chunks on these vnodes, or none.
func (s *search) searchVnodes(vnodes []int) ([]resource.Portion, reason.Failure) {
	if s.place.Pack && s.spec.Total == 1 {
		vnodes = s.roundRobin(vnodes)
	}
	if !s.MultiVnode && (!s.claim.Place.Pack || s.spec.Total == 1) {
		return s.allChunks(vnodes)
	}
	return s.searchHosts(vnodes)
}

// allChunks places all chunks on these vnodes, each chunk on the first where it fits. Scattered chunks shun
// each other's vnodes, others see what is left by those before.
func (s *search) allChunks(vnodes []int) (found []resource.Portion, why reason.Failure) {
	if s.spec.Total == 1 {
		return s.oneChunk(&s.spec.Chunks[0], vnodes)
	}
	apart := s.place.Scatter || s.place.Vscatter
	marks := s.saveMarks(vnodes)
	journal := len(s.journal)
	defer s.takeBack(journal)
	if apart {
		s.unmark(vnodes, scattered)
	} else {
		defer s.restoreMarks(vnodes, marks)
		vnodes = slices.Clone(vnodes)
	}
	for i := range s.spec.Chunks {
		s.unmark(vnodes, visited)
		for range s.spec.Chunks[i].Count {
			got, f := s.oneChunk(&s.spec.Chunks[i], vnodes)
			if got == nil {
				return nil, f
			}
			s.reserve(got, vnodes, apart)
			found = append(found, got...)
		}
	}
	return s.searchAgain(vnodes, found)
}

// reserve keeps what one chunk got from the next one.
func (s *search) reserve(got []resource.Portion, vnodes []int, apart bool) {
	for _, p := range got {
		if apart {
			s.Marks[p.Vnode] |= scattered
		} else {
			s.tryOut(p.Vnode, p.Gives)
		}
		if s.Policy.ByUse && len(s.Policy.NodeKeys) > 0 && !s.Config.AvoidProvision {
			s.SortVnodes(vnodes)
		}
	}
}

// searchAgain looks again where a job over several vnodes got one that takes no such jobs.
func (s *search) searchAgain(vnodes []int, found []resource.Portion) ([]resource.Portion, reason.Failure) {
	single := 0
	for _, p := range found {
		if s.Vnodes[p.Vnode].NoMultiNode {
			single++
		}
	}
	if single == 0 || single == 1 && len(found) == 1 || s.claim.ManyVnodes {
		return found, reason.Failure{}
	}
	s.claim.ManyVnodes = true
	return s.allChunks(vnodes)
}

func (s *search) saveMarks(vnodes []int) []uint8 {
	marks := make([]uint8, len(vnodes))
	for i, v := range vnodes {
		marks[i] = s.Marks[v]
	}
	return marks
}

func (s *search) restoreMarks(vnodes []int, marks []uint8) {
	for i, v := range vnodes {
		s.Marks[v] = marks[i]
	}
}

func (s *search) unmark(vnodes []int, mark uint8) {
	for _, v := range vnodes {
		s.Marks[v] &^= mark
	}
}

// oneChunk places one piece of a chunk: on the first vnode where it fits, or spread over vnodes of one host.
func (s *search) oneChunk(c *resource.Chunk, vnodes []int) ([]resource.Portion, reason.Failure) {
	fixed := 0
	for fixed < len(c.Needs) && !s.Res.List[c.Needs[fixed].Res].Kind.Consumable() {
		fixed++
	}
	if s.span && !s.fitsOnOne(c, vnodes) {
		return s.spread(c, fixed, vnodes)
	}
	return s.onOne(c, fixed, vnodes)
}

// fitsOnOne reports whether a chunk fits on a single vnode now.
func (s *search) fitsOnOne(c *resource.Chunk, vnodes []int) bool {
	fixed := Check{UnsetZero: true, Booleans: true, fixed: true, Code: model.FailInsufficient}
	for _, v := range vnodes {
		if times, _ := s.Count(&s.Vnodes[v].Stock, c.Needs, fixed); times == 0 {
			continue
		}
		if times, _ := s.Count(&s.Vnodes[v].Stock, c.Needs,
			Check{UnsetZero: true, Code: model.FailInsufficient}); times != 0 {
			return true
		}
	}
	return false
}

// onOne places a piece on the first vnode where it fits.
func (s *search) onOne(c *resource.Chunk, fixed int, vnodes []int) ([]resource.Portion, reason.Failure) {
	var first, last reason.Failure
	for _, v := range vnodes {
		n := &s.Vnodes[v]
		if !n.Free() || s.Marks[v] != 0 {
			continue
		}
		s.sawVnode = true
		last = s.lacksFixed(v, c.Needs[:fixed])
		if !last.Failed() && fixed < len(c.Needs) {
			var times int64
			if times, last = s.fitsUntilEnd(v, c.Needs[fixed:]); times != 0 {
				s.remember(v)
				return []resource.Portion{{Vnode: v, Gives: slices.Clone(c.Needs[fixed:]),
					Last: true, Seq: c.Seq, Sub: s.Res.NextRank()}}, reason.Failure{}
			}
		}
		s.Marks[v] |= visited
		if !first.Failed() {
			first = last
		}
		if last.Failed() {
			s.markAlike(v, c, vnodes, &last)
		}
	}
	return nil, lastReason(first, last)
}

// lastReason is what the scheduler logs: the reason of the last vnode, or of the first one if the last has none.
// It leaves out the amounts.
func lastReason(first, last reason.Failure) reason.Failure {
	if !last.Failed() {
		last = first
	}
	last.Amounts, last.Object = reason.Amounts{}, ""
	return last
}

// lacksFixed says which request, of those that are not used up, a vnode does not meet.
func (s *search) lacksFixed(v int, needs []resource.Request) reason.Failure {
	if s.Vnodes[v].NoMultiNode && s.claim.ManyVnodes {
		return reason.Of(model.FailNodeNoMultiJobs)
	}
	if len(needs) == 0 {
		return reason.Failure{}
	}
	times, why := s.Count(&s.Vnodes[v].Stock, needs, Check{UnsetZero: true, Booleans: true,
		fixed: true, Code: model.FailInsufficient})
	if times == 0 {
		return why
	}
	return reason.Failure{}
}

// markAlike marks the vnodes of equal resources where a chunk does not even fit if they were empty.
func (s *search) markAlike(v int, c *resource.Chunk, vnodes []int, why *reason.Failure) {
	all := Check{Totals: true, UnsetZero: true, Booleans: true, Only: s.CheckedOnVnode, Code: model.FailInsufficient}
	times, f := s.Count(&s.Vnodes[v].Stock, c.Needs, all)
	if times != 0 {
		return
	}
	if f.Failed() {
		*why = f
	}
	for _, o := range vnodes {
		if s.Vnodes[o].Signature == s.Vnodes[v].Signature {
			s.Marks[o] |= visited
		}
	}
}

// spread takes what a chunk needs from several vnodes of a host, resource by resource.
func (s *search) spread(c *resource.Chunk, fixed int, vnodes []int) (found []resource.Portion, why reason.Failure) {
	marks, journal := s.saveMarks(vnodes), len(s.journal)
	defer s.restoreMarks(vnodes, marks)
	defer s.takeBack(journal)
	rest := slices.Clone(c.Needs[fixed:])
	var first, last reason.Failure
	for _, v := range vnodes {
		if !s.Vnodes[v].Free() || s.Marks[v] != 0 {
			continue
		}
		s.sawVnode = true
		if last = s.lacksFixed(v, c.Needs[:fixed]); !last.Failed() {
			var gives []resource.Request
			if gives, last = s.takeShare(v, rest); gives != nil {
				found = append(found, resource.Portion{Vnode: v, Gives: gives, Seq: c.Seq, Sub: s.Res.NextRank()})
				rest = slices.DeleteFunc(rest, func(r resource.Request) bool { return r.Amount == 0 })
				if len(rest) == 0 {
					found[len(found)-1].Last = true
					return found, reason.Failure{}
				}
				continue
			}
		}
		if !first.Failed() {
			first = last
		}
	}
	return nil, lastReason(first, last)
}

// takeShare takes as much as there is of each resource on one vnode.
func (s *search) takeShare(v int, rest []resource.Request) (gives []resource.Request, why reason.Failure) {
	for i := range rest {
		one := rest[i]
		one.Amount = 1
		times, f := s.fitsUntilEnd(v, []resource.Request{one})
		if why = f.Or(why); times <= 0 {
			continue
		}
		one.Amount = min(float64(times), rest[i].Amount)
		rest[i].Amount -= one.Amount
		s.tryOut(v, []resource.Request{one})
		gives = append([]resource.Request{one}, gives...)
	}
	return gives, why
}

// fitsUntilEnd says how often requests fit on a vnode, now and until the claim ends: what starts there
// before has to find its share.
func (s *search) fitsUntilEnd(v int, needs []resource.Request) (int64, reason.Failure) {
	c := s.claim
	ck := Check{UnsetZero: true, Booleans: true, Code: model.FailInsufficient}
	times, why := s.Count(&s.Vnodes[v].Stock, needs, ck)
	if times <= 0 || c.Inside != nil {
		return times, why
	}
	end := s.WillEnd(c)
	if !s.Calendar.StartsBefore(end) {
		return times, why
	}
	if times = s.leastUntil(v, needs, end, times); times == 0 {
		why = reason.Failure{Status: reason.NotRun, Code: model.FailReservedAhead}
	}
	return times, why
}

// leastUntil goes through what starts and ends on a vnode until a time, and says how often requests fit at the worst.
func (s *search) leastUntil(v int, needs []resource.Request, end clock.Seconds, times int64) int64 {
	n := &s.Vnodes[v]
	alone := cluster.Exclusive(s.claim.Place, n.Sharing)
	var later *resource.Stock
	for _, e := range s.EventsOn(v) {
		if e.At >= end || times <= 0 {
			break
		}
		if e.Done || e.Off || e.At < s.Now || e.Claim == s.claim || e.Claim.Inside != nil {
			continue
		}
		if alone || cluster.Exclusive(e.Claim.Place, n.Sharing) {
			return 0
		}
		if later == nil {
			later = s.ownStock(v)
		}
		gives := resource.OnVnode(e.Claim.Given, v).Gives
		if e.Kind == cluster.EndEvent {
			later.Shift(gives, -1, s.Res)
			continue
		}
		later.Shift(gives, 1, s.Res)
		fits, _ := s.Count(later, needs, Check{UnsetZero: true, Booleans: true, Code: model.FailInsufficient})
		times = min(times, fits)
	}
	return times
}

// ownStock is a copy of what a vnode has, borrowed resources included.
func (s *search) ownStock(v int) *resource.Stock {
	o := s.Vnodes[v].Stock.Clone()
	for r := range o.Held {
		if o.Held[r].From > 0 {
			h, assigned := s.LookUp(&s.Vnodes[v].Stock, r)
			o.Held[r], o.Assigned[r] = *h, assigned
			o.Held[r].From = 0
		}
	}
	return &o
}

// remember keeps the vnode from which round_robin goes on.
func (s *search) remember(v int) {
	if s.place.Pack && s.Policy.RoundRobinDist && !s.Policy.ByUse {
		*s.LastHost = s.Vnodes[v].Name
	}
}

// roundRobin puts the vnodes of the host behind the last used one first, with smp_cluster_dist round_robin.
func (s *search) roundRobin(vnodes []int) []int {
	if *s.LastHost == "" && len(vnodes) > 0 {
		*s.LastHost = s.Vnodes[vnodes[0]].Name
	}
	if !s.Policy.RoundRobinDist || s.Policy.ByUse {
		return vnodes
	}
	sorted := slices.Clone(vnodes)
	s.SortByHost(sorted)
	i := slices.IndexFunc(sorted, func(v int) bool { return s.Vnodes[v].Name == *s.LastHost })
	if i < 0 {
		return sorted
	}
	host := s.Vnodes[sorted[i]].Host
	for i < len(sorted) && strings.EqualFold(s.Vnodes[sorted[i]].Host, host) {
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
func (s *search) tryOut(vnode int, gives []resource.Request) {
	for i := range gives {
		g := &gives[i]
		if !s.Res.List[g.Res].Kind.Consumable() {
			continue
		}
		at := vnode
		if v := &s.Vnodes[vnode].Stock; g.Res < len(v.Held) && v.Held[g.Res].From > 0 {
			at = v.Held[g.Res].From - 1
		}
		if v := &s.Vnodes[at].Stock; g.Res < len(v.Held) && v.Held[g.Res].Known {
			v.Assigned[g.Res] += g.Amount
			s.journal = append(s.journal, undo{at, g.Res, g.Amount})
		}
	}
}

// takeBack undoes what was tried out since the journal had a length. Sums are restored, not subtracted.
func (s *search) takeBack(length int) {
	for _, u := range slices.Backward(s.journal[length:]) {
		s.Vnodes[u.vnode].Assigned[u.res] -= u.amount
	}
	s.journal = s.journal[:length]
}
