package past

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/cmd/qprism/trial"
	"qprism/engine/diff"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
	recordedpbs "qprism/fixtures/pbs"
)

// TestDiffAndWhatIfAnswerOnEveryRecording lets both commands answer on every recorded run, in text, JSON and CSV.
func TestDiffAndWhatIfAnswerOnEveryRecording(t *testing.T) {
	runs := 0
	check := func(name string, list ...*model.Snapshot) {
		runs++
		for _, by := range []diff.Prediction{diff.ByOrder, diff.ByPlan, diff.ByForecast} {
			o := diffOf(t, list[0])
			o.Predict = by
			r := &diffReport{first: list[0], names: []string{"before", "after"}, jobs: jobsOfAll(list), rules: "8.1.9", by: by,
				runs: diff.Compare(list, o)}
			answers(t, name+": diff by "+string(by), r)
		}
		variants := [][]string{{"fairshare"}, {"formula", "100*slots + eligible_time/60"}, {"linear"}}
		if list[0].PBS != nil {
			variants = [][]string{{"fairshare"}, {"formula", "100*ncpus + eligible_time/60"}}
		}
		for _, variant := range variants {
			r, err := whatIfOf(t, list[0], variant)
			if err != nil {
				t.Errorf("%s: what-if %v: %v", name, variant, err)
				continue
			}
			answers(t, name+": what-if "+variant[0], r)
		}
	}
	eachRecordedRun(t, func(name string, before, after *model.Snapshot) { check(name, before, after) })
	for _, name := range recordedpbs.Scenarios() {
		for _, series := range recordedCycles(t, name) {
			check(name, series...)
		}
	}
	if runs < 60 {
		t.Errorf("only %d runs", runs)
	}
	t.Logf("%d runs or series", runs)
}

// whatIfOf is what-if on a snapshot, with short forecasts.
func whatIfOf(t *testing.T, s *model.Snapshot, variant []string) (*trial.WhatIfReport, error) {
	_, quirks, err := (&subject.Selection{}).Profile(s)
	if err != nil {
		t.Fatal(err)
	}
	subject := subject.NewSubject(s, "", lastrun.Options{Quirks: quirks})
	opts := trial.WhatIfOptions{Runs: 100, Runtime: "10m", Timeout: time.Minute}
	return trial.WhatIf(t.Context(), &cli.Deps{}, subject, opts, variant, &bytes.Buffer{})
}

// answers checks that a report can be printed in all forms, and that these are what they say.
func answers(t *testing.T, what string, r interface {
	Print(out show.Output) error
	WriteJSON(w io.Writer) error
}) {
	t.Helper()
	var text, sheet, tree bytes.Buffer
	err := errors.Join(r.Print(show.Output{W: &text, Terminal: true, Format: "table"}), r.Print(show.Output{W: &sheet, Format: "csv"}),
		r.WriteJSON(&tree))
	if err != nil || text.Len() == 0 || !json.Valid(tree.Bytes()) {
		t.Errorf("%s: %v, %d bytes of text", what, err, text.Len())
	}
	if rows, err := csv.NewReader(&sheet).ReadAll(); err != nil || len(rows) == 0 {
		t.Errorf("%s: CSV: %v", what, err)
	}
	if strings.Contains(text.String(), "%!") || strings.Contains(text.String(), "NaN") {
		t.Errorf("%s: %s", what, text.String())
	}
}
