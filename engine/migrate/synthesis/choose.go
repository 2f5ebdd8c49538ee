package synthesis

import (
	"cmp"
	"math"
	"slices"

	"qprism/engine/formula/check"
	"qprism/engine/model"
)

// needs are the needs from none to most.
var needs = []Need{NeedsNothing, NeedsHook, NeedsJob, NeedsOracle}

// Best is the proof of the candidate that orders the seen runs best, among those with at most the need most.
// Of equally good candidates, it takes the one with the smaller need, then the shorter one. If no run shows
// the effect of a policy, equal orders mean little. Then Grid Engine's own sum comes before PBS's own
// factors. The runs that were held out do not count. Best is nil if no candidate is safe to set.
func Best(proofs []*Proof, most Need) *Proof {
	var list []*Proof
	for _, p := range proofs {
		if slices.Index(needs, p.Candidate.Needs) <= slices.Index(needs, most) && p.Candidate.Formula != "" && p.Safe() {
			list = append(list, p)
		}
	}
	if len(list) == 0 {
		return nil
	}
	return slices.MinFunc(list, func(a, b *Proof) int {
		return cmp.Or(cmp.Compare(b.right(), a.right()), cmp.Compare(a.untested(), b.untested()),
			cmp.Compare(slices.Index(needs, a.Candidate.Needs),
				slices.Index(needs, b.Candidate.Needs)),
			cmp.Compare(a.Candidate.Lines, b.Candidate.Lines), cmp.Compare(a.Candidate.Name, b.Candidate.Name))
	})
}

// untested is the number of policies that no run shows and that the candidate does not put as Grid Engine does.
func (p *Proof) untested() int {
	c := p.Candidate
	n := len(c.Missing())
	if c.Needs != NeedsNothing {
		return n
	}
	for _, policy := range c.on.unseen() {
		if policy == Tickets && c.on.ticketsByPolicy() > 0 || policy == Urgency && c.on.unreadable() {
			n++
		}
	}
	return n
}

// unreadable reports whether urgency is made of something that no formula of PBS can read: requests of
// words, deadlines.
func (b *bench) unreadable() bool {
	return b.policy.WeightDeadline != 0 && b.deadlines() || slices.ContainsFunc(
		b.last.Snapshot.Resources, func(r model.Resource) bool {
			u, err := model.ParseNumber(r.Urgency)
			_, _, readable := b.readable(&r)
			return err == nil && u != 0 && !readable
		})
}

// deadlines reports whether anybody may ask for one.
func (b *bench) deadlines() bool {
	return slices.ContainsFunc(b.last.Snapshot.Usersets, func(u model.Userset) bool {
		return u.Name == "deadlineusers" && len(u.Entries) > 0
	})
}

// Safe reports whether it is safe to set a formula: the server accepts it, and it does not crash the
// scheduler.
func (p *Proof) Safe() bool {
	return !slices.ContainsFunc(p.Problems, func(q check.Problem) bool { return q.Severity == check.Error })
}

// right is the mean tau-b over the runs that were seen, to three digits: less makes no difference.
func (p *Proof) right() float64 {
	sum, n := 0.0, 0
	for i := range p.Runs {
		if r := &p.Runs[i]; !r.HeldOut && !math.IsNaN(r.TauB) {
			sum, n = sum+r.TauB, n+1
		}
	}
	if n == 0 {
		return 0
	}
	return math.Round(1000 * sum / float64(n))
}

// Install makes a proven candidate again from the whole history, including the runs held out: the same kind
// of formula and programs, with constants and weights from all data. It checks the result on every run, to
// see if it is safe to set. That is no proof, because nothing was held out. If it is not safe, the proven
// candidate stays.
func (p *Proof) Install(h History, base Base) *Proof {
	if p.HeldOut.Runs == 0 && len(h) == len(p.Candidate.on.history) {
		return p
	}
	if whole := p.Candidate.refit(h).Prove(h, len(h), base); whole.Safe() {
		return whole
	}
	return p
}

// refit is the candidate as a whole history makes it. Where no weights are better than Grid Engine's own, a
// fitted candidate has these.
func (c *Candidate) refit(h History) *Candidate {
	b := newBench(h, c.on.base, c.on.entries)
	switch {
	case c.Needs == NeedsNothing:
		return b.plain()
	case c.Needs == NeedsOracle:
		return b.oracle()
	case c.Name == fittedName:
		if f := b.fitted(); f != nil {
			return f
		}
	}
	return b.frozen(c.Needs)
}
