package whatif

import (
	"fmt"

	"qprism/engine/formula"
)

// A case of Grid Engine ranks jobs by a Variant, one of PBS by a job_sort_formula that its scheduler would know.

// RankLinear ranks the jobs of a case by Linear. It returns false for PBS, which has none of the three
// policies.
func (c *Case) RankLinear() (ok bool) {
	if ok = c.Snapshot.HasUrgency(); ok {
		c.Variant = Linear
	}
	return ok
}

// RankByFairshare ranks the jobs of a case by the fairshare factor of PBS.
func (c *Case) RankByFairshare() {
	if c.Snapshot.PBS != nil {
		c.Snapshot = FairsharePBS(c.Snapshot)
	} else {
		c.Variant = Fairshare
	}
}

// RankByFormula ranks the jobs of a case by a job_sort_formula, as PBS evaluates it. The error says that it
// cannot be evaluated for any job.
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

// RankAs ranks the jobs of a case in an order from outside, such as another program. Other jobs come after
// them.
func (c *Case) RankAs(jobs []uint32) {
	if c.Snapshot.PBS != nil {
		c.Snapshot = GivenPBS(c.Snapshot, jobs)
	} else {
		c.Variant = Given(jobs)
	}
}
