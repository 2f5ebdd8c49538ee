package policy

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"qprism/cmd/qprism/recorded"
	"qprism/compat"
	"qprism/engine/migrate"
	"qprism/engine/migrate/synthesis"
	"qprism/engine/model"
	"qprism/exporter/report"
)

// historyOf is the history of one recording.
func historyOf(t *testing.T, recording string) synthesis.History {
	t.Helper()
	var runs []synthesis.Run
	for name, bundle := range recorded.Recordings(t) {
		if !strings.HasPrefix(name, recording+" ") {
			continue
		}
		s := recorded.Read(t, bundle)
		_, quirks := compat.For(s.Release)
		run, err := synthesis.Look(name, s, quirks)
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, run)
	}
	slices.SortFunc(runs, func(a, b synthesis.Run) int { return strings.Compare(a.Name, b.Name) })
	return synthesis.NewHistory(runs)
}

// TestReportsHoldTheWholeProofAndLedger: whatever was proven of a recording, and each line of the ledger,
// is in report.json, and people's reports have the figures.
func TestReportsHoldTheWholeProofAndLedger(t *testing.T) {
	h := historyOf(t, "8.1.9-prio-2")
	base := func(s *model.Snapshot) *model.Snapshot {
		return migrate.Translate([]*model.Snapshot{s}, nil).Jobs(s, time.Time{})
	}
	var proofs []*synthesis.Proof
	entries := migrate.Translate([]*model.Snapshot{h[0].Snapshot}, nil).Resource
	for _, c := range synthesis.Candidates(h.Seen(), base, entries) {
		proofs = append(proofs, c.Prove(h, len(h.Seen()), base))
	}
	translation := &migrate.Translation{From: h[len(h)-1].Snapshot,
		Steps: []migrate.Step{{What: "Look.", Command: "true"}},
		Names: migrate.Names{{Kind: "queue", From: "all.q", To: "all_q"}}}
	for i, v := range migrate.Verdicts {
		e := migrate.Entry{Concept: "queues", Verdict: v, Into: "x", Note: "y"}
		e.File, e.Number, e.Count, e.Text = "queues/all.q.txt", i+1, 1, fmt.Sprintf("line-%d", i)
		translation.Ledger = append(translation.Ledger, e)
	}
	r := translationReport(translation, "PBS")
	addProof(r, &provenOrder{history: h, proofs: proofs, chosen: proofs[0],
		installed: proofs[0].Install(h, base)})
	files, err := reportFiles(r, []migratedFile{{name: "qmgr.in", about: "objects"}})
	if err != nil {
		t.Fatal(err)
	}
	var back report.Report
	if err := json.Unmarshal(files[1].text, &back); err != nil {
		t.Fatal(err)
	}
	if len(back.Ledger) != len(translation.Ledger) || len(back.Candidates) != len(proofs) ||
		len(back.Snapshots) != len(h) ||
		len(back.Files) != 3 || len(back.Renamed) != 1 {
		t.Errorf("report.json has %d lines, %d candidates, %d snapshots, %d files", len(back.Ledger),
			len(back.Candidates), len(back.Snapshots),
			len(back.Files))
	}
	for i, e := range translation.Ledger {
		if got := back.Ledger[i]; got.Text != e.Text || string(got.Verdict) != string(e.Verdict) || got.Line != e.Number {
			t.Errorf("line %d of the ledger became %+v", i, got)
		}
	}
	for i, p := range proofs {
		c := back.Candidates[i]
		for j, a := range p.Runs {
			if got := c.Runs[j]; got.TauB != report.Number(a.TauB) && a.TauB == a.TauB || got.Inverted != a.Pairs.Discordant ||
				len(got.Inversions) != len(a.Worst) {
				t.Errorf("%s, %s: %+v", c.Name, a.Run, got)
			}
		}
	}
	for _, want := range []string{proofs[0].Candidate.Name, h[0].Name, "line-4", "qmgr.in"} {
		if !strings.Contains(string(files[0].text), want) {
			t.Errorf("REPORT.md lacks %q", want)
		}
	}
}
