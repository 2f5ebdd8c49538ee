package policy

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"qprism/engine/formula/check"
	"qprism/engine/migrate"
	"qprism/engine/migrate/synthesis"
	"qprism/engine/model"
	"qprism/exporter/pbsconf"
	"qprism/exporter/report"
)

// A provenOrder has the candidates for the order of jobs, and how well each does.
type provenOrder struct {
	history   synthesis.History
	proofs    []*synthesis.Proof
	chosen    *synthesis.Proof // one of proofs; nil if none is safe
	installed *synthesis.Proof // the same candidate, with the whole history
}

// reports are the reports of a migration that wrote these files.
func (m *migration) reports(to string, files []migratedFile) ([]migratedFile, error) {
	r := m.told
	switch {
	case r != nil:
	case m.translation == nil:
		return nil, nil
	default:
		r = translationReport(m.translation, to)
		if m.order != nil {
			addProof(r, m.order)
		}
	}
	r.Stored, r.Unused, r.Intentions = m.sampled, m.unused, m.intentions
	r.Refresh = strings.Replace(r.Refresh, "BUNDLE...", m.again, 1)
	return reportFiles(r, files)
}

// reportFiles are both reports, as files of the folder that a migration writes. The report lists them as well.
func reportFiles(r *report.Report, others []migratedFile) ([]migratedFile, error) {
	files := []migratedFile{
		{name: "REPORT.md", about: "what was translated and how well"},
		{name: "report.json", about: "every line of every file and all results of the test, as JSON"},
	}
	r.Files = nil
	for _, f := range append(append([]migratedFile{}, others...), files...) {
		r.Files = append(r.Files, report.File{Name: f.name, About: f.about})
	}
	for i, write := range []func(io.Writer, *report.Report) error{report.Markdown, report.JSON} {
		var b bytes.Buffer
		if err := write(&b, r); err != nil {
			return nil, fmt.Errorf("%s: %w", files[i].name, err)
		}
		files[i].text = b.Bytes()
	}
	return files, nil
}

// translationReport describes a translation: every line, changed names, and steps.
func translationReport(t *migrate.Translation, to string) *report.Report {
	r := &report.Report{From: reportedCluster(t.From), To: report.Cluster{System: to}}
	for _, e := range t.Ledger {
		r.Add(report.Entry{File: e.File, Line: e.Number, Lines: e.Count, Kind: e.Kind, Object: e.Object,
			Key: e.Key, Text: e.Text,
			Concept: e.Concept, Verdict: report.Verdict(e.Verdict), Into: e.Into, Note: e.Note,
			Other: e.Verdict == migrate.NoEffect && (e.Key == model.LineBlank || e.Key == model.LineRecords)})
	}
	for _, n := range t.Names {
		r.Renamed = append(r.Renamed, report.Renaming{Kind: n.Kind, From: n.From, To: n.To, Why: n.Why})
	}
	for _, s := range t.Steps {
		r.Steps = append(r.Steps, report.Step{What: s.What, Command: s.Command, Cron: s.Cron})
	}
	return r
}

func reportedCluster(s *model.Snapshot) report.Cluster {
	return report.Cluster{System: s.System.Name(), Name: s.Cluster, Release: s.Release.Version, Taken: s.TakenAt}
}

// addProof adds the candidates, and how well each does on the history.
func addProof(r *report.Report, o *provenOrder) {
	seen := len(o.history.Seen())
	addSnapshots(r, o.history, seen)
	for _, p := range o.proofs {
		c := reportedCandidate(p, o.history)
		if p == o.chosen {
			c.Chosen = true
			tellInstalled(&c, p, o.installed)
		}
		r.Candidates = append(r.Candidates, c)
	}
	if o.chosen != nil {
		addConstants(r, o.installed.Candidate, o.history)
		r.Refresh = refreshOf(o.installed.Candidate)
	}
}

// addSnapshots adds the runs of a history. The first were used, the others are held out.
func addSnapshots(r *report.Report, h synthesis.History, seen int) {
	for i, run := range h {
		r.Snapshots = append(r.Snapshots, report.Snapshot{Name: run.Name, At: run.At,
			Jobs: len(run.Result.Pending), HeldOut: i >= seen})
	}
}

// refreshOf is the command that brings frozen constants up to date: the candidate's own program, or another migration.
func refreshOf(c *synthesis.Candidate) string {
	if c.Refresh != "" {
		return "python3 /etc/qprism/" + refreshFile
	}
	return "qprism migrate BUNDLE... -o DIR --replace   # with newer ones\n" +
		"cd DIR && grep -E '^(set sched|import hook)' " + pbsconf.Script +
		" | qmgr   # as root: the formula and the data of its hooks"
}

func addConstants(r *report.Report, c *synthesis.Candidate, h synthesis.History) {
	moments := map[string]time.Time{}
	for _, run := range h {
		moments[run.Name] = run.At
	}
	for _, f := range c.Frozen {
		r.Constants = append(r.Constants, report.Constant{Name: f.Name, Means: f.Means,
			Value: report.Number(f.Value), From: f.From,
			Since: moments[f.From], Drift: numbersOf(f.Drift), Moves: report.Number(f.Share)})
	}
}

// tellInstalled describes the candidate in the files, with constants of the whole history.
func tellInstalled(c *report.Candidate, proven, p *synthesis.Proof) {
	if p.Candidate.Formula != c.Formula {
		c.Proven = c.Formula
	}
	c.Formula, c.Lines, c.Notes, c.Resolution = p.Candidate.Formula, p.Candidate.Lines, p.Candidate.Notes,
		report.Number(p.Candidate.Resolution)
	c.Terms, c.Problems = reportedTerms(p.Candidate, proven), reportedProblems(p)
	if s := reportedSummary(p.Seen); s.Snapshots > c.Seen.Snapshots {
		c.Installed = &s
	}
}

// reportedTerms are the terms of a candidate, with how far they are off by a proof.
func reportedTerms(c *synthesis.Candidate, p *synthesis.Proof) (list []report.Term) {
	for i, t := range c.Terms {
		off, known := p.Off(t.Policy)
		if !known || i > 0 && c.Terms[i-1].Policy == t.Policy { // of a policy's terms together
			off = math.NaN()
		}
		list = append(list, report.Term{Policy: string(t.Policy), Text: t.Text, Off: report.Number(off)})
	}
	return list
}

func reportedProblems(p *synthesis.Proof) (list []report.Problem) {
	for _, q := range p.Problems {
		list = append(list, reportedProblem(q))
	}
	return list
}

func reportedCandidate(p *synthesis.Proof, h synthesis.History) report.Candidate {
	c := p.Candidate
	out := report.Candidate{Name: c.Name, Title: c.Title, Terms: reportedTerms(c, p),
		Problems: reportedProblems(p), Formula: c.Formula, Needs: string(c.Needs), Lines: c.Lines,
		Resolution: report.Number(c.Resolution), Notes: c.Notes, Seen: reportedSummary(p.Seen),
		HeldOut: reportedSummary(p.HeldOut)}
	for i := range p.Runs {
		out.Runs = append(out.Runs, reportedRun(&p.Runs[i], ownersOf(h[i].Snapshot)))
	}
	if p.Forecast != nil {
		out.Forecast = reportedForecast(p.Forecast)
	}
	return out
}

func reportedSummary(s synthesis.Summary) report.Summary {
	return report.Summary{Snapshots: s.Runs, Median: report.Number(s.Median), Least: report.Number(s.Least),
		Worst: s.Worst, Same: s.Exact}
}

func ownersOf(s *model.Snapshot) map[uint32]string {
	owners := make(map[uint32]string, len(s.Jobs))
	for i := range s.Jobs {
		owners[s.Jobs[i].Number] = s.Jobs[i].Owner
	}
	return owners
}

func reportedRun(a *synthesis.Agreement, owners map[uint32]string) report.Run {
	out := report.Run{Snapshot: a.Run, At: a.At, HeldOut: a.HeldOut, Jobs: a.Jobs, TauB: report.Number(a.TauB),
		Inverted: a.Pairs.Discordant,
		Pairs:    a.Pairs.All}
	for _, t := range a.Top {
		out.Top = append(out.Top, report.Top{K: t.K, Overlap: report.Number(t.Overlap)})
	}
	for _, v := range a.Worst {
		out.Inversions = append(out.Inversions, report.Inversion{First: standingOf(v, 0, owners),
			Second: standingOf(v, 1, owners),
			Places: v.Places, Cause: string(v.Cause), Term: string(v.Policy), Why: v.Why})
	}
	return out
}

// standingOf is one job of an inversion.
func standingOf(v synthesis.Inversion, which int, owners map[uint32]string) report.Standing {
	number := [2]uint32{v.First, v.Second}[which]
	return report.Standing{Job: strconv.FormatUint(uint64(number), 10), Owner: owners[number],
		Prio:  report.Number(v.Prio[which]),
		Value: report.Number(v.Value[which])}
}

func reportedProblem(p check.Problem) report.Problem {
	return report.Problem{Severity: string(p.Severity), Text: p.Text, Hint: p.Hint, Jobs: len(p.Jobs)}
}

func reportedForecast(o *synthesis.Outcome) *report.Forecast {
	f := &report.Forecast{At: o.At, Jobs: o.Jobs, Utilisation: pairOf(o.Utilisation), Never: o.Never, Notes: o.Notes}
	for _, g := range o.Groups {
		f.Groups = append(f.Groups, report.Group{Kind: g.Kind, Name: g.Name, Jobs: g.Jobs,
			Wait: pairOf(g.Wait), Slowdown: pairOf(g.Slowdown)})
	}
	return f
}

func pairOf(v [2]float64) [2]report.Number {
	return [2]report.Number{report.Number(v[0]), report.Number(v[1])}
}

func numbersOf(values []float64) (list []report.Number) {
	for _, v := range values {
		list = append(list, report.Number(v))
	}
	return list
}
