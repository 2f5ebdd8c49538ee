package synthesis

// Install makes a candidate that was proven on runs held out anew of the whole history, those runs too: the same kind of formula
// and the same programs, with constants and weights of all that is known. The result is looked at on every run, which says whether
// it is safe to set and is no proof: nothing was held out from it. Where it is not safe, the proven candidate stays.
func Install(proven *Proof, h History, base Base) *Proof {
	if proven.HeldOut.Runs == 0 && len(h) == len(proven.Candidate.on.history) {
		return proven
	}
	if p := Prove(proven.Candidate.refit(h), h, len(h), base); p.Safe() {
		return p
	}
	return proven
}

// refit is the candidate as a whole history makes it. Where no weights are better than Grid Engine's own, a fitted candidate has these.
func (c *Candidate) refit(h History) *Candidate {
	b := newBench(h, c.on.base)
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
