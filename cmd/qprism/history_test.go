package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qprism/cmd/qprism/past"
	"qprism/cmd/qprism/program"
)

// TestTheLedgerTellsWhatDiffTells: "timeline --passed" and "diff" have the same pairs for the same causes, of Grid Engine and PBS.
func TestTheLedgerTellsWhatDiffTells(t *testing.T) {
	ge, pbs := geFixtures+"8.1.9-dispatch-8.tar.gz/", pbsFixtures+"job-zoo.tar.gz/"
	for name, bundles := range map[string][]string{
		"backfilled":     {"example:large-parallel/run1/before", "example:large-parallel/run2/before", "example:large-parallel/run3/after"},
		"reservations":   {ge + "run1/before", ge + "run1/after", ge + "run2/before", ge + "run2/after"},
		"reporting file": {sources + "/before", sources + "/after"},
		"PBS":            {pbs + "before", pbs + "running", pbs + "suspended", pbs + "end"},
	} {
		t.Run(name, func(t *testing.T) {
			store := filepath.Join(t.TempDir(), "store.db")
			typed(t, store, append([]string{"import"}, bundles...), nil)
			var compared struct {
				Runs []struct{ Pairs []past.JSONInversion }
			}
			typed(t, store, []string{"diff", "--since", "2000-01-01"}, &compared)
			var told []past.JSONBypass
			typed(t, store, []string{"timeline", "--passed", "--since", "2000-01-01"}, &told)
			want, got := []string{}, []string{}
			for _, run := range compared.Runs {
				for _, p := range run.Pairs {
					want = append(want, fmt.Sprint(p.Early, " before ", p.Late, ": ", p.Cause, " ", p.Detail))
				}
			}
			for _, b := range told {
				for _, late := range b.Passed {
					got = append(got, fmt.Sprint(b.Task, " before ", late, ": ", b.Cause, " ", b.Detail))
				}
			}
			slices.Sort(want)
			slices.Sort(got)
			if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 {
				t.Errorf("%d pairs (-diff +ledger):\n%s", len(want), diff)
			}
		})
	}
}

// typed runs a command and reads the JSON that it prints.
func typed(t *testing.T, store string, words []string, into any) {
	t.Helper()
	var out bytes.Buffer
	root := program.New()
	root.SetOut(&out)
	root.SetErr(io.Discard)
	root.SetArgs(append(words, "--store", store, "--format", "json"))
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	if into == nil {
		return
	}
	if err := json.Unmarshal(out.Bytes(), into); err != nil {
		t.Fatal(err)
	}
}
