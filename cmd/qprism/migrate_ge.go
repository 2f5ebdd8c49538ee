package main

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"text/tabwriter"

	"qprism/compat"
	"qprism/engine/forecast"
	"qprism/engine/migrate"
	"qprism/engine/migrate/gridengine"
	"qprism/engine/model"
	"qprism/exporter/geconf"
	"qprism/exporter/report"
)

// toGridEngine translates the order of jobs and the limits of a PBS cluster.
func toGridEngine(m *migration) ([]migratedFile, error) {
	if m.newest().System != model.PBSSystem {
		return nil, errors.New("--to ge translates PBS, and these bundles are of " + productOf(m.newest()))
	}
	t, err := gridengine.Translate(m.history)
	if err != nil {
		return nil, err
	}
	written, err := geconf.Files(t.To)
	if err != nil {
		return nil, err
	}
	files := []migratedFile{{geconf.Script, "", nil}} // first, since it installs the others
	for _, f := range written {
		if f.Name == geconf.Script {
			files[0] = migratedFile{f.Name, f.About, f.Text}
			continue
		}
		files = append(files, migratedFile{f.Name, f.About, f.Text})
	}
	files = append(files, migratedFile{"submit.txt", "how jobs are submitted, option by option", submitTable(t.Submit)})
	m.translation = &migrate.Translation{From: t.From, To: t.To, Ledger: t.Ledger, Steps: t.Steps}
	m.told = gridEngineReport(m, t)
	m.told.Candidates[0].Lines = contentLines(files)
	return files, nil
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

// submitTable says how options are given.
func submitTable(list []gridengine.Option) []byte {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "PBS\tGrid Engine\tnote")
	for _, o := range list {
		fmt.Fprintf(w, "%s\t%s\t%s\n", printable(o.PBS), printable(o.GridEngine), o.Note)
	}
	_ = w.Flush() // into memory
	return []byte(b.String())
}

// gridEngineReport is the report, with the order of every snapshot under both systems.
func gridEngineReport(m *migration, t *gridengine.Translation) *report.Report {
	r := translationReport(m.translation, migrationNames["ge"])
	_, quirks := compat.For(t.To.Release)
	c := report.Candidate{Name: "linear", Title: "The formula's terms as weights, urgencies and tickets", Chosen: true, Formula: t.Formula, Needs: "nothing"}
	for i, s := range m.history {
		a := t.Prove(m.names[i], s, quirks)
		c.Runs = append(c.Runs, reportedRun(&a, ownersOf(s)))
		r.Snapshots = append(r.Snapshots, report.Snapshot{Name: a.Run, At: a.At, Jobs: a.Jobs})
	}
	c.Seen, c.HeldOut = report.Summarize(c.Runs, false), report.Summarize(c.Runs, true)
	for _, term := range t.Terms {
		c.Notes = append(c.Notes, fmt.Sprintf("%s times %s: %s", shortest(term.Times, 64), term.Name, term.Into))
	}
	if !t.Range.Alone && t.To.Policy.WeightUrgency > 0 {
		r.Constants = []report.Constant{rangeConstant(t, m)}
		r.Refresh = "qprism migrate --to ge BUNDLE... -o DIR --replace && sh DIR/install.sh"
	}
	newest := m.newest()
	c.Forecast = reportedForecast(t.Forecast(newest, quirks, forecast.Options{MostRuns: mostMigrationRuns}))
	r.Candidates = []report.Candidate{c}
	return r
}

// rangeConstant is the range of urgency, which Grid Engine takes from the jobs at hand.
func rangeConstant(t *gridengine.Translation, m *migration) report.Constant {
	moves := 0.0
	for _, seen := range t.Range.Seen {
		if !math.IsNaN(seen) {
			moves = max(moves, math.Abs(seen/t.Range.Value-1))
		}
	}
	return report.Constant{Name: "weight_urgency", Means: "distance from the least to the greatest urgency, in the formula's numbers", Value: report.Number(t.Range.Value),
		From: m.names[len(m.names)-1], Since: m.newest().TakenAt, Drift: numbersOf(t.Range.Seen), Moves: report.Number(moves)}
}
