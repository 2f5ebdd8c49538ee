package policy

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"qprism/cmd/qprism/show"
	"qprism/compat"
	"qprism/engine/forecast"
	"qprism/engine/intend"
	"qprism/engine/migrate/synthesis"
	"qprism/engine/model"
	"qprism/exporter/report"
)

// mostTranslated limits the search for jobs that break a sentence on PBS. It counts the translated jobs of all
// sets.
const mostTranslated = 200_000

// underPBS is the order of jobs by the installed formula; nil if no formula is installed.
func (m *migration) underPBS() *intend.Elsewhere {
	if m.order == nil || m.order.chosen == nil {
		return nil
	}
	c, h := m.order.installed.Candidate, m.order.history
	base := func(s *model.Snapshot) *model.Snapshot { return m.translation.Jobs(s, s.TakenAt) }
	last := h[len(h)-1]
	return &intend.Elsewhere{
		Most:     mostTranslated,
		Forecast: func(o forecast.Options) *forecast.Forecast { return c.Forecast(h, m.translation.Now, o) },
		Order: func(s *model.Snapshot, made bool) []uint32 {
			runs := synthesis.History{synthesis.Of(s, s.TakenAt, last.Quirks)}
			if !made {
				runs = append(h[:len(h)-1:len(h)-1], runs...)
			}
			return c.Order(runs, base)
		},
	}
}

// hold checks sentences against the newest snapshot, and against its jobs in the new system.
func (m *migration) hold(ctx context.Context, list []intend.Intention) error {
	s := m.newest()
	_, quirks := compat.For(s.Release)
	here := intend.Input{Snapshot: s, Quirks: quirks, At: s.TakenAt, Play: forecast.Options{MostRuns: mostMigrationRuns,
		History: forecast.Learn(s.Ended), Stop: func() bool { return ctx.Err() != nil }}}
	there := here
	there.Elsewhere = m.elsewhere
	for _, i := range list {
		one := []intend.Intention{i}
		from := intend.Check(here, one)[0]
		to := intend.Verdict{Answer: intend.Unknown, Why: "no job order is installed"}
		if m.elsewhere != nil {
			to = intend.Check(there, one)[0]
		}
		told := report.Intention{Sentence: i.Text, From: string(from.Answer), WhyFrom: from.Why,
			To: string(to.Answer), WhyTo: to.Why,
			Lost: from.Answer == intend.Holds && to.Answer == intend.Fails}
		if to.Against != nil {
			told.Jobs = intend.Lines(to.Against.Jobs)
		}
		m.intentions = append(m.intentions, told)
	}
	return ctx.Err()
}

// lost reports whether a sentence is true in the old system and not in the new one.
func (m *migration) lost() bool {
	return slices.ContainsFunc(m.intentions, func(i report.Intention) bool { return i.Lost })
}

// writeIntentions describes sentences on both sides.
func (m *migration) writeIntentions(b *strings.Builder, most int) {
	if len(m.intentions) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%-14s  %-14s  what the policy should do\n", m.newest().System.Name(), m.target())
	for _, i := range m.intentions {
		b.WriteString(show.Hanging(fmt.Sprintf("%-14s  %-14s  ", i.From, i.To),
			show.Printable(i.Sentence+": "+i.WhyTo), most) + "\n")
	}
}
