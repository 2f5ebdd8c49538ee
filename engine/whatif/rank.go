package whatif

import (
	"fmt"

	"qprism/engine/formula"
)

// A case of Grid Engine ranks jobs by a Variant, one of PBS by a job_sort_formula that its scheduler would know.

// RankLinear makes a case rank jobs by Linear; false for PBS, which has none of the three policies that a linear order stands for.
func (c *Case) RankLinear() (ok bool) {
	if ok = c.Snapshot.HasUrgency(); ok {
		c.Variant = Linear
	}
	return ok
}

// RankByFairshare makes a case rank jobs by the fairshare factor of PBS.
func (c *Case) RankByFairshare() {
	if c.Snapshot.PBS != nil {
		c.Snapshot = FairsharePBS(c.Snapshot)
	} else {
		c.Variant = Fairshare
	}
}

// RankByFormula makes a case rank jobs by a formula, as PBS evaluates its job_sort_formula. One that cannot be evaluated for any
// job is an error.
func (c *Case) RankByFormula(text string) (err error) {
	if c.Snapshot.PBS == nil {
		c.Variant, err = Formula(c.Snapshot, text)
		return err
	}
	if _, err := formula.ParseJob(text, formula.NamesOf(c.Snapshot.Resources)); err != nil {
		return fmt.Errorf("formula %q: %w", text, err)
	}
	c.Snapshot = c.Snapshot.WithFormula(text)
	return nil
}

// RankAs makes a case rank jobs in an order that somebody else made, such as another program. Jobs that are not in it come behind.
func (c *Case) RankAs(jobs []uint32) {
	if c.Snapshot.PBS != nil {
		c.Snapshot = GivenPBS(c.Snapshot, jobs)
	} else {
		c.Variant = Given(jobs)
	}
}
