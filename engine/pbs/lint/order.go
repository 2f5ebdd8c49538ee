package lint

import (
	"fmt"
	"strings"

	"qprism/engine/formula"
	"qprism/engine/formula/check"
	"qprism/engine/lint"
	"qprism/engine/model"
	"qprism/engine/pbs/criteria"
	"qprism/engine/pbs/cycle"
)

// formulaPlace is the line of job_sort_formula.
func (l *pbsLinter) formulaPlace() lint.Place {
	for _, object := range []string{"sched", "server"} {
		if p := l.setting("schedulers", object, "job_sort_formula"); p.Line > 0 {
			return p
		}
	}
	file := l.source("sched_formula")
	return l.Line(file, func(words []string) bool {
		return len(words) > 0 && words[0] != "###" && !strings.HasPrefix(words[0], "#")
	})
}

// formulaProblems finds what is wrong with job_sort_formula.
func formulaProblems(l *pbsLinter) (traps []lint.Trap) {
	if l.pbs.Formula == "" {
		return nil
	}
	for _, p := range check.Formula(l.pbs.Formula, l.Snapshot).Problems {
		switch aboutFairShare := p.Kind == check.Switched && strings.Contains(p.Hint, "fair_share"); {
		case p.Severity == check.Note:
			continue
		// chargedAgain says more, or nobody knows whether it is on
		case aboutFairShare && (l.wasShared() || !l.config.Present):
			continue
		}
		effect := fmt.Sprintf("the formula orders %s", lint.Many(len(l.waiting()), "waiting job"))
		if len(p.Jobs) > 0 {
			effect = lint.Many(len(p.Jobs), "job") + ": " + lint.Few(p.Jobs)
		}
		if p.Hint != "" {
			effect += "; " + p.Hint
		}
		traps = append(traps, lint.Trap{Name: "formula-" + strings.ReplaceAll(string(p.Kind), " ", "-"),
			What:  "job_sort_formula: " + p.Text,
			Place: l.formulaPlace(), Effect: effect, Fix: l.formulaFix(p)})
	}
	return traps
}

// formulaFix is what mends a problem of a formula; one that only its author can write anew is unset.
func (l *pbsLinter) formulaFix(p check.Problem) []string {
	switch {
	case strings.HasPrefix(p.Hint, "qmgr "):
		return []string{p.Hint}
	case p.Kind == check.Switched && strings.Contains(p.Hint, "fair_share"):
		return []string{l.setOption("fair_share", "True ALL")}
	}
	return []string{qmgr("unset sched job_sort_formula")}
}

// tied counts the waiting jobs that share their formula value with another one.
func (l *pbsLinter) tied() (n int) {
	values := map[float32]int{}
	for _, s := range l.waiting() {
		values[s.Formula]++
	}
	for _, s := range l.waiting() {
		if values[s.Formula] > 1 {
			n++
		}
	}
	return n
}

// fairshareUnderFormula finds fair_share that a formula without it leaves nothing to decide.
func fairshareUnderFormula(l *pbsLinter) []lint.Trap {
	if l.pbs.Formula == "" || !l.fairShare() {
		return nil
	}
	if f, err := formula.ParseJob(l.pbs.Formula, formula.KnownNames(l.Resources)); err != nil || f.UsesFairshare() {
		return nil
	}
	return []lint.Trap{{
		Name: "fair-share-under-formula",
		What: "fair_share is on, but job_sort_formula decides first and does not use shares: shares decide only " +
			"between jobs with equal values of the formula",
		Place: l.option("fair_share"),
		Effect: lint.Sentences(fmt.Sprintf("%d of %s have the same value as another job", l.tied(),
			lint.Many(len(l.waiting()), "waiting job")), l.mended(func(s *model.Snapshot) { s.PBS.Formula = "" })),
		Fix: []string{qmgr("unset sched job_sort_formula"),
			qmgr(`set sched job_sort_formula = "%s + fairshare_factor"`, l.pbs.Formula)},
	}}
}

// keysUnderFormula finds job_sort_key that a formula leaves little to decide.
func keysUnderFormula(l *pbsLinter) []lint.Trap {
	if l.pbs.Formula == "" || !l.either(func(p *model.CyclePolicy) bool { return len(p.JobSortKeys) > 0 }) {
		return nil
	}
	return []lint.Trap{{
		Name:  "sort-key-under-formula",
		What:  "job_sort_formula decides first: job_sort_key decides only between jobs with equal values of the formula",
		Place: l.option("job_sort_key"),
		Effect: lint.Sentences(fmt.Sprintf("%d of %s have the same value as another job", l.tied(),
			lint.Many(len(l.waiting()), "waiting job")), l.mended(func(s *model.Snapshot) { s.PBS.Formula = "" })),
		Fix: []string{qmgr("unset sched job_sort_formula"), "sed -i 's/^job_sort_key/#&/' " +
			l.schedPriv() + "/sched_config" + again},
	}}
}

// words says what a PBS policy does.
func (l *pbsLinter) words() []lint.Word {
	order := l.orderWords()
	if once := cycle.FormulaOnce(l.Snapshot, l.at); once != "" {
		order += "; " + once
	}
	return []lint.Word{{About: "order", Says: order}, {About: "fairshare", Says: l.fairshareWords()},
		{About: "backfill", Says: l.backfillWords()}, {About: "preemption", Says: l.preemptionWords()}}
}

// orderWords lists what jobs are told apart by, the first thing first.
func (l *pbsLinter) orderWords() string {
	return strings.Join(criteria.Words(l.lineup.Criteria()), "; then ")
}

func (l *pbsLinter) fairshareWords() string {
	f := l.pbs.Fairshare
	if !l.fairShare() {
		return "off (fair_share)"
	}
	return fmt.Sprintf("by %s of each %s; %s of shares; every %[5]s, usage is multiplied by %[4]s", f.Policy.UsageResource,
		f.Policy.Entity,
		lint.Many(len(f.Groups), "line"),
		lint.Number(float64(nearestTo(f.Policy.DecayFactor))), lint.Lasting(f.Policy.DecayTime))
}

// nearestTo is a 32-bit number as it was written.
func nearestTo(x float32) float64 { return lint.Nearest(float64(x)) }

func (l *pbsLinter) backfillWords() string {
	if !l.lineup.Policy.StrictOrdering {
		return "no reservations (strict_ordering is off): every job that fits starts"
	}
	depth := int64(1)
	if l.pbs.Server.BackfillDepth.Set {
		depth = l.pbs.Server.BackfillDepth.N
	}
	if depth == 0 {
		return "none: the first job that cannot start blocks all others (backfill_depth 0)"
	}
	return fmt.Sprintf("%s that cannot start %s a reservation (backfill_depth); other jobs start if they do not delay %s",
		lint.Many(int(depth), "job"), lint.Verb(int(depth), "gets", "get"), lint.Verb(int(depth), "it", "them"))
}

func (l *pbsLinter) preemptionWords() string {
	if !l.lineup.Policy.Preemptive {
		return "off (preemptive_sched)"
	}
	express := l.standing(func(s *criteria.JobValues) bool { return s.Express })
	return fmt.Sprintf("preempt_prio %s; preempt_order %s; %s", l.sched.PreemptPrio, l.sched.PreemptOrder,
		lint.Many(len(express), "waiting job")+" "+lint.Verb(len(express), "is an express job", "are express jobs"))
}
