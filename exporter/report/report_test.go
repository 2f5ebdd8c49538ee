package report_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"qprism/exporter/report"
)

var update = flag.Bool("update", false, "write the golden reports and the schema anew")

var writers = map[string]func(io.Writer, *report.Report) error{"md": report.Markdown, "json": report.JSON}

// TestReportsAreThoseLookedAt holds the reports of two small translations against the ones that a person has read.
func TestReportsAreThoseLookedAt(t *testing.T) {
	for name, r := range map[string]*report.Report{"tree": tree(), "planted": planted()} {
		for ext, write := range writers {
			t.Run(name+"."+ext, func(t *testing.T) {
				golden(t, name+"."+ext, written(t, write, r))
			})
		}
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; read it, then: go test ./exporter/report -update\n%s", path,
			firstDifference(string(got), string(want)))
	}
}

func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d\n got %s\nwant %s", i+1, a[i], b[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(a), len(b))
}

func written(t *testing.T, write func(io.Writer, *report.Report) error, r *report.Report) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestJSONReadsBackToTheSameReport compares the JSON of what was read with what was read.
func TestJSONReadsBackToTheSameReport(t *testing.T) {
	first := written(t, report.JSON, tree())
	var back report.Report
	if err := json.Unmarshal(first, &back); err != nil {
		t.Fatal(err)
	}
	if again := written(t, report.JSON, &back); !bytes.Equal(first, again) {
		t.Error(firstDifference(string(again), string(first)))
	}
}

// TestLinesThatNothingHandlesComeFirst holds for people's report, before any other heading.
func TestLinesThatNothingHandlesComeFirst(t *testing.T) {
	text := string(written(t, report.Markdown, planted()))
	_, rest, _ := strings.Cut(text, "\n## ")
	if first, _, _ := strings.Cut(rest, "\n"); !strings.Contains(first, "3 lines that nothing handles") {
		t.Errorf("the first heading is %q", first)
	}
	if !strings.Contains(text, "weight_of_the_moon 3") {
		t.Error("the line itself is not shown")
	}
}

// TestMarkdownTablesAreAligned looks at the source: every row of a table has its bars where the row above
// has them, but for the last, behind the notes.
func TestMarkdownTablesAreAligned(t *testing.T) {
	var above []int
	for i, line := range strings.Split(string(written(t, report.Markdown, tree())), "\n") {
		if !strings.HasPrefix(line, "|") {
			above = nil
			continue
		}
		bars := barsOf(line)
		bars = bars[:len(bars)-1]
		if above != nil && fmt.Sprint(bars) != fmt.Sprint(above) {
			t.Errorf("line %d: bars at %v, above at %v\n%s", i+1, bars, above, line)
		}
		above = bars
	}
}

func barsOf(line string) (at []int) {
	runes := []rune(line)
	for i, r := range runes {
		if r == '|' && (i == 0 || runes[i-1] != '\\') {
			at = append(at, i)
		}
	}
	return at
}

// TestATauBelowOneIsNeverPrintedAsOne is about rounding.
func TestATauBelowOneIsNeverPrintedAsOne(t *testing.T) {
	r := tree()
	c := &r.Candidates[0]
	c.HeldOut.Median, c.HeldOut.Least = 0.99999, 0.99999
	if text := string(written(t, report.Markdown, r)); !strings.Contains(text, "0.999") {
		t.Error("0.99999 is not printed as less than 1")
	}
}

// TestLongHistoriesShowTheWorstSnapshots and say how many they leave out.
func TestLongHistoriesShowTheWorstSnapshots(t *testing.T) {
	r := tree()
	c := &r.Candidates[0]
	c.Runs = nil
	for i := range 3000 {
		c.Runs = append(c.Runs, report.Run{Snapshot: fmt.Sprintf("s%04d", i),
			At: at.Add(time.Duration(i) * time.Minute), Jobs: 5, TauB: 1,
			Pairs: 10})
	}
	c.Runs[1234].TauB = 0.25
	text := string(written(t, report.Markdown, r))
	if !strings.Contains(text, "s1234") || !strings.Contains(text, "2960 more") {
		t.Error("the worst snapshot is missing, or how many there are")
	}
	if len(text) > 200_000 {
		t.Errorf("the report has %d bytes", len(text))
	}
}

var at = time.Date(2026, 11, 21, 8, 5, 0, 0, time.UTC)

// tree is a translation of a share tree, with all that a report can have.
func tree() *report.Report {
	r := &report.Report{
		From: report.Cluster{System: "Grid Engine", Name: "vm/default", Release: "8.1.9", Taken: at},
		To:   report.Cluster{System: "PBS"},
		Files: []report.File{
			{Name: "qmgr.in", About: "queues, nodes, resources and limits"},
			{Name: "resource_group", About: "the share tree"},
		},
		Steps: []report.Step{
			{What: "As root on the server's host: create the objects.", Command: "qmgr < qmgr.in"},
			{What: "Bring the frozen constants up to date.",
				Command: "qprism migrate --refresh\nqmgr < refresh.in", Cron: "17 3 * * *"},
		},
		Renamed: []report.Renaming{{Kind: "queue", From: "all.q", To: "all_q",
			Why: "PBS allows no dot in the name of a queue"}},
		Refresh: "qprism migrate history/*.tar.gz -o pbs --replace",
		Constants: []report.Constant{
			{Name: "u1", Means: "greatest urgency of all jobs", Value: 4000, From: "run1 to run2", Since: at.Add(time.Minute),
				Drift: []report.Number{4000, 4000, 3000}, Moves: 0.25},
			{Name: "t1", Means: "most tickets that a job has", Value: 1e6, From: "run1 to run2",
				Drift: []report.Number{1e6, report.Number(math.NaN()), 1e6}, Moves: 0},
		},
	}
	for i, name := range []string{"run1", "run2", "run3"} {
		r.Snapshots = append(r.Snapshots, report.Snapshot{Name: name, At: at.Add(time.Duration(i) * time.Minute),
			Jobs: 4, HeldOut: i == 2})
	}
	for _, e := range []report.Entry{
		{File: "sharetree.txt", Line: 3, Kind: "share_tree", Object: "/P1", Key: "shares",
			Text: "shares=60", Concept: "share tree",
			Verdict: report.Exact, Into: "P1 10 root 60"},
		{File: "sharetree.txt", Line: 4, Kind: "share_tree", Object: "/P1", Key: "childnodes",
			Text: "childnodes=2,3", Concept: "share tree",
			Verdict: report.NoEffect, Note: "the tree is written by names"},
		{File: "sched_conf.txt", Line: 20, Kind: "sched_conf", Key: "halftime", Text: "halftime                          168",
			Concept: "scheduler configuration", Verdict: report.Approximate, Into: "fairshare_decay_time: 24:00:00",
			Note: "decays in steps of a day: at most 9.4 % of the usage off between two steps"},
		{File: "sched_conf.txt", Line: 22, Kind: "sched_conf", Key: "compensation_factor",
			Text:    "compensation_factor               5.000000",
			Concept: "scheduler configuration", Verdict: report.Lost,
			Note: "nothing bounds how much sooner an idle user starts; give the group fewer shares where that hurts"},
		{File: "queues/all.q.txt", Line: 7, Kind: "queue", Object: "all.q", Key: "processors",
			Text:    "processors            UNDEFINED",
			Concept: "queues", Verdict: report.NoEffect, Note: "the default"},
		{File: "queues/all.q.txt", Line: 12, Kind: "queue", Object: "all.q", Key: "load_thresholds",
			Text: "load_thresholds       np_load_avg=1.75", Concept: "queues", Verdict: report.Lost,
			Note: "PBS has max_load and ideal_load of each host's MoM"},
		{File: "messages", Line: 1, Lines: 250, Kind: "log", Key: "records", Text: "11/21/2026 08:05:00|worker|node|I|a",
			Concept: "jobs and state", Verdict: report.NoEffect, Other: true},
		{File: "queues/big.q.txt", Line: 12, Kind: "queue", Object: "big.q", Key: "load_thresholds",
			Text: "load_thresholds       np_load_avg=1.75", Concept: "queues", Verdict: report.Lost,
			Note: "PBS has max_load and ideal_load of each host's MoM"},
	} {
		r.Add(e)
	}
	r.Candidates = []report.Candidate{chosen(), {
		Name: "simple", Title: "Priority and fair share alone", Needs: "nothing", Lines: 4, Resolution: 6e-8,
		Formula: "job_priority / 2048 + fairshare_factor",
		Seen:    report.Summary{Snapshots: 2, Median: 0.5, Least: 1.0 / 3, Worst: "run1"},
		HeldOut: report.Summary{Snapshots: 1, Median: 0, Least: 0, Worst: "run3"},
	}}
	return r
}

func chosen() report.Candidate {
	return report.Candidate{
		Name: "frozen", Title: "The three terms, with what other jobs contribute as constants",
		Chosen: true, Needs: "a hook at submission",
		Lines: 31, Resolution: 6e-8,
		Formula: "(job_priority + 1024) / 2048 + 0.1 * min(max(qp_urgency / 4000, 0), 1) + 0.01 * fairshare_factor",
		Terms: []report.Term{{Policy: "npprior", Text: "(job_priority + 1024) / 2048", Off: 0.0004883},
			{Policy: "nurg", Text: "0.1 * min(max(qp_urgency / 4000, 0), 1)"},
			{Policy: "ntckts", Text: "0.01 * fairshare_factor"}},
		Notes:   []string{"Urgencies above 4000 count as 4000."},
		Seen:    report.Summary{Snapshots: 2, Median: 1, Least: 1, Worst: "run1", Same: 2},
		HeldOut: report.Summary{Snapshots: 1, Median: 2.0 / 3, Least: 2.0 / 3, Worst: "run3"},
		Runs: []report.Run{
			{Snapshot: "run1", At: at, Jobs: 4, TauB: 1, Pairs: 6, Top: []report.Top{{K: 1, Overlap: 1}, {K: 3, Overlap: 1}}},
			{Snapshot: "run2", At: at.Add(time.Minute), Jobs: 4, TauB: 1, Pairs: 6,
				Top: []report.Top{{K: 1, Overlap: 1}, {K: 3, Overlap: 1}}},
			{Snapshot: "run3", At: at.Add(2 * time.Minute), HeldOut: true, Jobs: 4, TauB: 2.0 / 3, Inverted: 1, Pairs: 6,
				Top: []report.Top{{K: 1, Overlap: 1}, {K: 3, Overlap: 2.0 / 3}},
				Inversions: []report.Inversion{{First: report.Standing{Job: "12", Owner: "alice", Prio: 0.51, Value: 0.512},
					Second: report.Standing{Job: "14", Owner: "bob", Prio: 0.505, Value: 0.514},
					Places: 1, Cause: "term", Term: "ntckts",
					Why: "tickets put job 12 ahead by 0.007, the formula by 0.001: bob's usage of the " +
						"last minute is not charged yet"}}},
			{Snapshot: "run4", At: at.Add(3 * time.Minute), HeldOut: true, Jobs: 1, TauB: report.Number(math.NaN())},
		},
		Problems: []report.Problem{{Severity: "note", Text: "3 of 4 jobs have the same value in the second term", Jobs: 3}},
		Forecast: &report.Forecast{At: at, Jobs: 4, Utilisation: [2]report.Number{0.83, 0.825}, Never: [2]int{0, 1},
			Groups: []report.Group{{Kind: "all", Jobs: 4, Wait: [2]report.Number{8640, 9000},
				Slowdown: [2]report.Number{1.5, 1.625}},
				{Kind: "user", Name: "alice", Jobs: 3, Wait: [2]report.Number{0, 61}, Slowdown: [2]report.Number{1, 1.01}}},
			Notes: []string{"Run times are the jobs' limits."}},
	}
}

// planted is a translation with lines that nothing handles, and without formula or history.
func planted() *report.Report {
	r := &report.Report{From: report.Cluster{System: "Grid Engine", Name: "vm/default", Release: "8.1.9"},
		To:    report.Cluster{System: "Slurm"},
		Scope: "Only the order of jobs is translated."}
	for _, e := range []report.Entry{
		{File: "sched_conf.txt", Line: 1, Kind: "sched_conf", Key: "algorithm", Text: "algorithm default",
			Concept: "scheduler configuration",
			Verdict: report.NoEffect, Note: "there is no other"},
		{File: "sched_conf.txt", Line: 31, Text: "weight_of_the_moon 3", Concept: "lines that no rule handles",
			Verdict: report.NoRule},
		{File: "queues/all.q.txt", Line: 60, Lines: 2, Text: `strange a|b \`,
			Concept: "lines that no rule handles", Verdict: report.NoRule,
			Note: "unknown key"},
	} {
		r.Add(e)
	}
	return r
}
