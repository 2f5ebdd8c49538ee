package view

import (
	"encoding/json"
	"path/filepath"
	"reflect"
	"testing"

	"qprism/adapters/sqlite"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/past"
	"qprism/cmd/qprism/subject"
)

// TestTheLoadIsThatOfTimelineAndWhy holds slots, causes and the backlog against what the commands print.
func TestTheLoadIsThatOfTimelineAndWhy(t *testing.T) {
	for path, want := range map[string]string{
		starved + "start": "23",
		"../../../fixtures/pbs/23.06.06-fairshare-tree-ncpus-walltime.tar.gz/after": "",
	} {
		bundle, closer, err := subject.BundleAt(path)
		if err != nil {
			t.Fatal(err)
		}
		defer closer.Close()
		s, err := subject.ReadBundle(bundle, false)
		if err != nil {
			t.Fatal(err)
		}
		d := &cli.Deps{Store: filepath.Join(t.TempDir(), "one.db"), Format: "json"}
		store, err := sqlite.Open(d.Store)
		if err != nil {
			t.Fatal(err)
		}
		done, err := store.Import(t.Context(), bundle, path, s)
		if err == nil {
			err = store.SetAnalysis(t.Context(), done.ID, past.Analyze(s))
		}
		store.Close()
		if err != nil {
			t.Fatal(err)
		}
		var l load
		h := siteOfBundles(t, path)
		if err := json.Unmarshal(get(h, "/api/v1/load").Body.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		var ticks []load
		decode(t, d, &ticks, "timeline")
		if len(ticks) != 1 || !reflect.DeepEqual(l.Slots, ticks[0].Slots) || !reflect.DeepEqual(l.Used, ticks[0].Used) ||
			!reflect.DeepEqual(l.Waiting, ticks[0].Waiting) {
			t.Errorf("%s: the page has %+v, timeline %+v", path, l, ticks)
		}
		if want != "" && l.Last != want {
			t.Errorf("%s: the last job is %q, not %s", path, l.Last, want)
		}
		var why struct{ Ahead json.RawMessage }
		if l.Last != "" {
			decode(t, d, &why, "why", l.Last)
			if got, err := json.Marshal(l.Backlog); err != nil || string(got) != string(why.Ahead) {
				t.Errorf("%s: the backlog is %s, why %s has %s", path, got, l.Last, why.Ahead)
			}
		}
		t.Logf("%+v", l)
	}
}

// decode reads what a command prints of a store.
func decode(t *testing.T, d *cli.Deps, to any, args ...string) {
	t.Helper()
	text, err := answer(t.Context(), *d, args)
	if err == nil {
		err = json.Unmarshal(text, to)
	}
	if err != nil {
		t.Fatal(args, err)
	}
}
