package policy

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"qprism/engine/forecast"
	"qprism/engine/intend"
	"qprism/engine/migrate"
	"qprism/engine/migrate/slurm"
	"qprism/engine/migrate/synthesis"
	"qprism/engine/model"
	"qprism/exporter/report"
	"qprism/exporter/slurmconf"
)

// slurmScope is a note for every reader of the report.
const slurmScope = "qprism translates the order of jobs, shares, usage, limits for all users, and hosts with " +
	"their slots. It lists queues, calendars, access lists and other resources as lost, and says what to " +
	"do instead."

// toSlurm translates the order of jobs of a Grid Engine cluster.
func toSlurm(m *migration) ([]migratedFile, error) {
	history := m.runs()
	if len(history) == 0 {
		return nil, errors.New("no scheduler run of these bundles can be recomputed, so the order of jobs is not known")
	}
	seen := len(history.Seen())
	if seen == 0 {
		seen = len(history)
	}
	t := slurm.Translate(history, seen, migrate.Translate(m.history, m.lines))
	both := t.Choose(history, seen)
	files, err := slurmFiles(t, clusterName(m.newest()))
	if err != nil {
		return nil, err
	}
	m.translation = &migrate.Translation{From: t.From, To: &model.Snapshot{}, Ledger: t.Ledger,
		Names: t.Names, Steps: t.Steps}
	m.told = slurmReport(m, t, history, seen, both)
	m.elsewhere = underSlurm(t, history[len(history)-1])
	for i := range m.told.Candidates {
		m.told.Candidates[i].Lines = contentLines(files)
	}
	return files, nil
}

func slurmFiles(t *slurm.Translation, source string) ([]migratedFile, error) {
	written, err := slurmconf.Files(t.Configuration(), source)
	if err != nil {
		return nil, err
	}
	var files []migratedFile
	for _, f := range written {
		files = append(files, migratedFile{f.Name, f.About, f.Text})
	}
	return files, nil
}

// slurmReport is the report, with the order of every run under both algorithms of fair share.
func slurmReport(m *migration, t *slurm.Translation, h synthesis.History, seen int,
	both [2][]synthesis.Agreement) *report.Report {
	r := translationReport(m.translation, migrationNames["slurm"])
	r.Scope = slurmScope
	if n := len(t.Refused(h[len(h)-1])); n > 0 {
		r.Scope += fmt.Sprintf(" Slurm refuses %d of the jobs that wait in the newest bundle: they "+
			"request more than there is, or Slurm cannot name their owner. Grid Engine lets them wait.", n)
	}
	addSnapshots(r, h, seen)
	for i, name := range []string{"fair-tree", "classic"} {
		c := report.Candidate{Name: name, Title: "Slurm's plugin priority/multifactor, " +
			[]string{"with the fair-share algorithm Fair Tree", "with the classic fair-share algorithm"}[i],
			Chosen:  t.Policy.FairTree == (i == 0),
			Formula: t.Formula(), Needs: "nothing", Resolution: report.Number(t.Resolution())}
		for k := range both[i] {
			c.Runs = append(c.Runs, reportedRun(&both[i][k], ownersOf(h[k].Snapshot)))
		}
		c.Seen = reportedSummary(synthesis.Summarize(both[i], false))
		c.HeldOut = reportedSummary(synthesis.Summarize(both[i], true))
		if c.Chosen {
			newest := h[len(h)-1].Snapshot
			c.Forecast = reportedForecast(
				t.Forecast(h, forecast.Options{MostRuns: mostMigrationRuns, History: forecast.Learn(newest.Ended)}))
		}
		r.Candidates = append(r.Candidates, c)
	}
	if t.RangeFrom != "" {
		moves := 0.0
		for _, seen := range t.Seen {
			if !math.IsNaN(seen) {
				moves = max(moves, math.Abs(seen/t.Range-1))
			}
		}
		r.Constants = []report.Constant{{Name: "urgency_range", Means: "greatest minus least urgency of all jobs",
			Value: report.Number(t.Range),
			From:  t.RangeFrom, Since: momentOf(h, t.RangeFrom), Drift: numbersOf(t.Seen), Moves: report.Number(moves)}}
		r.Refresh = "qprism migrate --to slurm BUNDLE... -o DIR --replace   # then cp priority.conf " +
			"job_submit.lua /etc/slurm/, and: scontrol reconfigure"
	}
	return r
}

// underSlurm returns the order of jobs in Slurm. Jobs that Slurm refuses keep their places.
func underSlurm(t *slurm.Translation, last synthesis.Run) *intend.Elsewhere {
	now := t.Case(last.Snapshot, last.Quirks)
	return &intend.Elsewhere{Most: mostTranslated, Forecast: now.Forecast,
		Order: func(s *model.Snapshot, _ bool) []uint32 {
			return t.Case(s, last.Quirks).Order(s.TakenAt)
		}}
}

// momentOf is when a run was.
func momentOf(h synthesis.History, name string) (at time.Time) {
	for _, run := range h {
		if run.Name == name {
			at = run.At
		}
	}
	return at
}

// contentLines is how many lines files have, comments and blank ones left out.
func contentLines(files []migratedFile) (n int) {
	for _, f := range files {
		for line := range strings.Lines(string(f.text)) {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
				n++
			}
		}
	}
	return n
}
