package cycle

import "qprism/engine/model"

// tooBig says why a claim does not fit into a set, all chunks on any vnodes of it: in free vnodes, in sums over all
// chunks, and in the sums for each chunk. every collects all reasons instead of the first.
func (w *world) tooBig(s *set, c *claim, totals bool, every *[]failure) (why failure) {
	note := func(f failure) bool {
		if f.failed() && !why.failed() {
			why = f
		}
		if f.failed() && every != nil {
			*every = append(*every, f)
		}
		return f.failed() && every == nil
	}
	there, short := s.free, failure{status: notRun, code: model.FailNoFreeNodes}
	if totals {
		there, short = s.total, failure{status: neverRun, code: model.FailNoTotalNodes}
	}
	if there == 0 && note(short) {
		return why
	}
	if (c.place.scatter || c.place.vscatter) && there < c.selection.total && note(short) {
		return why
	}
	asked := c.asked
	if c.askedBack != nil {
		asked = c.askedBack
	}
	if s.held == nil { // forgotten, and not added up again yet
		return why
	}
	ck := check{totals: totals, unsetZero: true, only: w.checksSum, code: model.FailInsufficient}
	if times, f := w.count(&s.stock, asked, ck); times == 0 && note(f) {
		return why
	}
	ck.only, ck.booleans = w.checks, true
	spec, _ := c.specification()
	for i := range spec.chunks {
		if times, f := w.count(&s.stock, spec.chunks[i].needs, ck); times == 0 && note(f) {
			return why
		}
	}
	return why
}
