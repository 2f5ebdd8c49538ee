package policy

import (
	"fmt"
	"strings"
	"time"

	"qprism/cmd/qprism/queue"
	"qprism/cmd/qprism/show"
	"qprism/engine/forecast"
	"qprism/engine/migrate"
	"qprism/engine/migrate/synthesis"
	"qprism/engine/model"
)

// mostMigrationRuns limits each of the two forecasts of a migration.
const mostMigrationRuns = 2_000

// prove orders the jobs of every run under every candidate on the translated cluster. It forecasts the
// newest snapshot under Grid Engine and under the best candidate. The installed candidate uses the whole
// history; the proof uses only the runs that were held out.
func (m *migration) prove(h synthesis.History) error {
	moments := map[*model.Snapshot]time.Time{}
	for _, r := range h {
		moments[r.Snapshot] = r.At
	}
	ordered := func(s *model.Snapshot) *model.Snapshot { return m.translation.Jobs(s, moments[s]) }
	seen := h.Seen()
	m.order = &provenOrder{history: h}
	for _, c := range synthesis.Candidates(seen, ordered, m.translation.Resource) {
		m.order.proofs = append(m.order.proofs, c.Prove(h, len(seen), ordered))
	}
	best, err := m.best()
	if best == nil {
		return err
	}
	m.order.chosen, m.order.installed = best, best.Install(h, ordered)
	newest := h[len(h)-1].Snapshot
	best.Forecast = m.order.installed.Candidate.Play(h, m.translation.Now,
		forecast.Options{MostRuns: mostMigrationRuns, History: forecast.Learn(newest.Ended)})
	m.close(newest, best.Forecast)
	return nil
}

// best is the proof of the candidate to install: the requested one, or the one that keeps the order best.
// It never chooses a candidate that needs qprism to update it. It is nil if no candidate is safe.
func (m *migration) best() (*synthesis.Proof, error) {
	if m.wanted == "" {
		return synthesis.Best(m.order.proofs, synthesis.NeedsJob), nil
	}
	var names []string
	for _, p := range m.order.proofs {
		switch {
		case p.Candidate.Needs == synthesis.NeedsOracle:
		case p.Candidate.Name != m.wanted:
			names = append(names, p.Candidate.Name)
		case !p.Safe():
			return nil, fmt.Errorf("--formula %s: it is not safe to set this formula: %s", m.wanted, p.Candidate.Formula)
		default:
			return p, nil
		}
	}
	return nil, fmt.Errorf("--formula %s: the candidates of this history are %s", show.Printable(m.wanted),
		show.JoinOr(names))
}

// close notes queues and nodes that are closed at the moment. Forecasts of both systems keep them closed, and
// an administrator must close them on PBS.
func (m *migration) close(s *model.Snapshot, o *synthesis.Outcome) {
	var commands []string
	for _, c := range m.translation.Closures(s) {
		if c.Command == "" {
			o.Notes = append(o.Notes, queue.Sentence(c.String()+": PBS starts its jobs there anyway"))
			continue
		}
		o.Notes = append(o.Notes, queue.Sentence(c.String()+", and counts as closed under PBS"))
		commands = append(commands, c.Command)
	}
	if len(commands) > 0 {
		m.translation.Steps = append(m.translation.Steps,
			migrate.Step{What: "Optional: commands that close in PBS what is closed in Grid Engine now.",
				Command: strings.Join(commands, "\n")})
	}
}
