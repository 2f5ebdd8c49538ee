package policy

import (
	"fmt"
	"slices"
	"strings"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/compat"
	"qprism/engine/migrate"
	"qprism/engine/migrate/synthesis"
	"qprism/engine/model"
	"qprism/exporter/report"
)

// chooseFormula tests the candidates for a formula on the history. It takes the one that keeps the order of
// jobs best. Without a run that can be recomputed, it takes none.
func (m *migration) chooseFormula() error {
	history := m.runs()
	if len(history) == 0 {
		return nil
	}
	if err := m.prove(history); err != nil {
		return err
	}
	if m.order.chosen != nil {
		m.translation.Use(formulaOf(m.order.installed.Candidate, m.order.chosen))
	}
	return nil
}

// runs returns the scheduler runs that can be recomputed, without repetition. It notes the reason for each
// other snapshot.
func (m *migration) runs() synthesis.History {
	var runs []synthesis.Run
	m.unused = nil
	for i, s := range m.history {
		_, quirks := compat.For(s.Release)
		r, err := synthesis.Look(m.names[i], s, quirks)
		if err != nil {
			m.unused = append(m.unused, report.Unused{Name: m.names[i], Why: strings.TrimPrefix(err.Error(), m.names[i]+": ")})
			continue
		}
		runs = append(runs, r)
	}
	h := synthesis.NewHistory(runs)
	for _, r := range runs {
		if i := slices.IndexFunc(h, func(kept synthesis.Run) bool { return kept.At.Equal(r.At) }); h[i].Name != r.Name {
			m.unused = append(m.unused, report.Unused{Name: r.Name, Why: "it shows the same scheduler run as " + h[i].Name})
		}
	}
	return h
}

// agreementOf says how well a candidate does on runs that were held out, or else on all runs.
func agreementOf(p *synthesis.Proof) (s synthesis.Summary, heldOut bool) {
	if p.HeldOut.Runs > 0 {
		return p.HeldOut, true
	}
	return p.Seen, false
}

// orderHook is the name of the hook that a formula needs.
const orderHook = "qprism_order"

// refreshFile is the name of the program that brings a formula's constants up to date.
const refreshFile = "refresh.py"

// refreshPlace is the path of the refresh program on the new system.
const refreshPlace = "/etc/qprism/" + refreshFile

// formulaOf returns a candidate as a migration installs it. The proof has its error.
func formulaOf(c *synthesis.Candidate, p *synthesis.Proof) migrate.Formula {
	f := migrate.Formula{Name: c.Name, Text: c.Formula, Server: c.Server, Sched: c.Sched, Groups: c.Groups,
		Says: saysOf(c, p)}
	f.Options = map[string]string{}
	for _, r := range c.Resources {
		if r.Option != "" {
			f.Options[r.Option] = r.Name
		}
		f.Resources = append(f.Resources, model.Resource{Name: r.Name, Type: r.Type, Flags: r.Flags})
	}
	if c.Hook != "" {
		f.Hooks = append(f.Hooks, model.PBSHook{Name: orderHook, Python: c.Hook, Attributes: []model.Setting{
			{Name: "event", Value: "queuejob"}, {Name: "order", Value: "20"}, {Name: "fail_action", Value: "none"},
			{Name: "enabled", Value: "true"}}})
	}
	if c.Refresh != "" {
		f.Steps = append(f.Steps, migrate.Step{What: "Update the constants of the formula, and the " +
			"notes of the hook.", Cron: "*/5 * * * *", Command: "python3 " + refreshPlace})
	}
	for _, u := range c.Usage {
		if u.Usage >= 1 {
			f.Steps = append(f.Steps, migrate.Step{What: "What " + u.Name + " has used so far." + noUsageYet,
				Command: fmt.Sprintf("pbsfs -s %s %.0f", cli.ShellWord(u.Name), u.Usage)})
		}
	}
	return f
}

// noUsageYet explains the message of pbsfs before the scheduler has written its usage file.
const noUsageYet = " \"Could not backup usage database.: No such file or directory\" is no fault: there " +
	"was no usage file to keep a copy of yet."

// formulaText describes the formula, and how well it does.
func (m *migration) formulaText(most int) string {
	if m.order == nil {
		return "\nNo run of these bundles can be recomputed, so there is no formula.\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%-10s  %-22s  %6s  %6s  %5s  %s\n", "candidate", "needs", "median", "least", "lines", "what it is")
	for _, p := range m.order.proofs {
		s, _ := agreementOf(p)
		mark := " "
		if p == m.order.chosen {
			mark = "*"
		}
		b.WriteString(show.Hanging(fmt.Sprintf("%-10s%s %-22s  %6s  %6s  %5d  ", p.Candidate.Name,
			mark, p.Candidate.Needs, show.Decimal(s.Median, 3),
			show.Decimal(s.Least, 3), p.Candidate.Lines), p.Candidate.Title, most) + "\n")
	}
	seen := len(m.order.history.Seen())
	where := fmt.Sprintf("The formula's constants come from %s; qprism tested the formula on %s.",
		show.Plural(seen, "earlier run"), show.Plural(len(m.order.history)-seen, "later run"))
	if len(m.order.proofs) > 0 {
		if _, heldOut := agreementOf(m.order.proofs[0]); !heldOut {
			where = "Warning: this comparison is not an independent test, because qprism computed the formula's constants " +
				"from the same runs. With more bundles, qprism tests the formula on other runs."
		}
	}
	b.WriteString(show.Folded(fmt.Sprintf(
		"For each recorded run of Grid Engine's scheduler, qprism compares the formula's order with the scheduler's order. "+
			"The result is the rank correlation Kendall's tau-b (1 = same order, 0 = no relation). The table shows the median and the "+
			"lowest tau-b of all runs. %s",
		where), most) + "\n")
	if m.order.chosen != nil {
		fmt.Fprintf(&b, "\njob_sort_formula = %s\n", m.order.installed.Candidate.Formula)
		if n := len(m.order.history); m.order.chosen != m.order.installed {
			fmt.Fprintf(&b, "The files install this formula with constants that come from all %s.\n", show.Plural(n, "run"))
		}
		for _, note := range m.order.installed.Candidate.Unproven() {
			fmt.Fprintln(&b, note)
		}
	} else {
		b.WriteString("\nNo candidate is safe to set, so the files have no formula.\n")
	}
	return b.String()
}
