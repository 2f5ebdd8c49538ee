package search

import (
	"qprism/engine/model"
	"qprism/engine/pbs/cycle/cluster"
	"qprism/engine/pbs/cycle/reason"
)

// tooBig says why a claim does not fit into a set, all chunks on any vnodes of it: in free vnodes, in sums over all
// chunks, and in the sums for each chunk. every collects all reasons instead of the first.
func (w Finder) tooBig(s *cluster.Set, c *cluster.Claim, totals bool, every *[]reason.Failure) (why reason.Failure) {
	note := func(f reason.Failure) bool {
		if f.Failed() && !why.Failed() {
			why = f
		}
		if f.Failed() && every != nil {
			*every = append(*every, f)
		}
		return f.Failed() && every == nil
	}
	there, short := s.Free, reason.Failure{Status: reason.NotRun, Code: model.FailNoFreeNodes}
	if totals {
		there, short = s.Total, reason.Failure{Status: reason.NeverRun, Code: model.FailNoTotalNodes}
	}
	if there == 0 && note(short) {
		return why
	}
	if (c.Place.Scatter || c.Place.Vscatter) && there < c.Selection.Total && note(short) {
		return why
	}
	asked := c.Asked
	if c.AskedToResume != nil {
		asked = c.AskedToResume
	}
	if s.Held == nil { // forgotten, and not added up again yet
		return why
	}
	ck := Check{Totals: totals, UnsetZero: true, Only: w.CheckedInSums, Code: model.FailInsufficient}
	if times, f := w.Count(&s.Stock, asked, ck); times == 0 && note(f) {
		return why
	}
	ck.Only, ck.Booleans = w.Checked, true
	spec, _ := c.Specification()
	for i := range spec.Chunks {
		if times, f := w.Count(&s.Stock, spec.Chunks[i].Needs, ck); times == 0 && note(f) {
			return why
		}
	}
	return why
}
