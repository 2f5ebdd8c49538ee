package trial

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"qprism/fixtures/needs"

	"pgregory.net/rapid"

	"qprism/cmd/qprism/cli"
)

// TestAProgramInPythonOrdersJobs runs the program that the README shows.
func TestAProgramInPythonOrdersJobs(t *testing.T) {
	python := needs.Program(t, "python3", "an order that a program makes")
	for bundle, want := range map[string][]uint32{
		"example:departments/run2/before": {4, 5, 6, 8, 9, 7}, // job 7 asks for four slots
		"example:pbs-tree/before":         nil,
	} {
		var warn bytes.Buffer
		r, err := whatIf(t.Context(), &cli.Deps{}, WhatIfOptions{noForecast: true, Timeout: 20 * time.Second},
			[]string{bundle, "external", python, "testdata/external/smallest.py"}, &warn)
		if err != nil || warn.Len() > 0 {
			t.Fatal(err, warn.String())
		}
		var order []uint32
		for i := range r.Jobs {
			order = append(order, r.Jobs[i].Job.Number)
		}
		if want != nil && !slices.Equal(order, want) || len(order) < 5 {
			t.Errorf("%s: %v, want %v", bundle, order, want)
		}
	}
}

// TestAProgramIsGivenWhatTheHelpSays looks for the documented fields, by a program that only writes down what it reads.
func TestAProgramIsGivenWhatTheHelpSays(t *testing.T) {
	for bundle, fields := range map[string][]string{
		"example:departments/run2/before": {"number", "owner", "department", "submitted", "pe_range", "tasks", "structure"},
		"example:pbs-tree/before":         {"number", "owner", "project", "submitted", "hard", "pbs"},
	} {
		file := t.TempDir() + "/input.json"
		_, err := whatIf(t.Context(), &cli.Deps{}, WhatIfOptions{noForecast: true, Timeout: 20 * time.Second},
			[]string{bundle, "external", "sh", "-c", `cat >"$0"; echo '{"order":[]}'`, file}, &bytes.Buffer{})
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var in struct {
			Schema   int
			At       time.Time
			Order    []uint32
			Snapshot map[string]json.RawMessage
		}
		var jobs []map[string]json.RawMessage
		if err := json.Unmarshal(text, &in); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(in.Snapshot["jobs"], &jobs); err != nil {
			t.Fatal(err)
		}
		if in.Schema != 1 || in.At.IsZero() || len(in.Order) < 5 || in.Snapshot["hosts"] == nil ||
			in.Snapshot["queues"] == nil ||
			in.Snapshot["resources"] == nil {
			t.Errorf("%s: %.300s", bundle, text)
		}
		for _, f := range fields {
			if !slices.ContainsFunc(jobs, func(j map[string]json.RawMessage) bool { return j[f] != nil }) {
				t.Errorf("%s: no job has %q", bundle, f)
			}
		}
	}
}

func TestAnOrderIsReadOrRefused(t *testing.T) {
	waiting := []uint32{4, 5, 6}
	for text, want := range map[string][]uint32{
		`[6,4]`: {6, 4},
		`{"order":["5.srv","6[].srv"],"why":"so"}`: {5, 6},
		` [ ] `:        nil,
		`{"order":[]}`: nil,
		`["4"]`:        {4},
		`[4,4,5,9,4]`:  {4, 5},
	} {
		if got, _, _, err := parseOrder([]byte(text), waiting); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		``:                  "not an order in JSON",
		`4`:                 "not an order in JSON",
		`[4] [5]`:           "not an order in JSON",
		`{"orders":[4]}`:    `without "order"`,
		`null`:              `without "order"`,
		`[4.7]`:             "is not a job number",
		`[-4]`:              "is not a job number",
		`["4x"]`:            "is not a job number",
		`["job 4"]`:         "is not a job number",
		`[null]`:            "is not a job number",
		`[[4]]`:             "is not a job number",
		`[7,7]`:             "none of the 2 jobs that it names waits",
		`[99999999999]`:     "is not a job number",
		"[\"\\u001b[31m\"]": `is not a job number`,
	} {
		got, _, _, err := parseOrder([]byte(text), waiting)
		if err == nil || !strings.Contains(err.Error(), want) || strings.ContainsRune(err.Error(), '\x1b') {
			t.Errorf("%s: %v %v, want %q", text, got, err, want)
		}
	}
}

// Whatever a program answers, no job stands in its order twice.
func TestAnOrderHoldsNoJobTwice(t *testing.T) {
	words := rapid.SampledFrom([]string{"{", "}", "[", "]", ",", ":", `"order"`, `"5.srv"`, "4",
		"5", "6", "6.0", "-1", "1e99", `"4"`, "null", `"x"`})
	rapid.Check(t, func(t *rapid.T) {
		list := strings.Join(rapid.SliceOfN(words, 0, 12).Draw(t, "words"),
			rapid.SampledFrom([]string{"", ","}).Draw(t, "between"))
		for _, text := range []string{list, `{"order":[` + list + "]}"} {
			order, _, _, err := parseOrder([]byte(text), []uint32{4, 5, 6})
			if slices.Sort(order); err == nil && len(slices.Compact(order)) != len(order) {
				t.Errorf("%q: %v", text, order)
			}
		}
	})
}
