package view

import (
	"encoding/json"
	"os"
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
		if l.Last == nil {
			l.Last = new("unknown")
		}
		last := *l.Last
		if want != "" && last != want {
			t.Errorf("%s: the last job is %q, not %s", path, last, want)
		}
		var why struct{ Ahead json.RawMessage }
		if last != "" && last != "unknown" {
			decode(t, d, &why, "why", last)
			if got, err := json.Marshal(l.Backlog); err != nil || string(got) != string(why.Ahead) {
				t.Errorf("%s: the backlog is %s, why %s has %s", path, got, last, why.Ahead)
			}
		}
		t.Logf("%+v", l)
	}
}

// TestABacklogThatIsNotKnownIsNotNone has a bundle without the queue instances: no run can be planned.
func TestABacklogThatIsNotKnownIsNotNone(t *testing.T) {
	bundle, closer, err := subject.BundleAt(starved + "start")
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	dir := filepath.Join(t.TempDir(), "part")
	if err := os.CopyFS(dir, bundle); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"sched_conf.txt", "qstat-f.xml", "qhost.xml"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	var l load
	h := siteOfBundles(t, dir)
	if err := json.Unmarshal(get(h, "/api/v1/load").Body.Bytes(), &l); err != nil || l.Last != nil || l.Backlog != nil {
		t.Errorf("%v: the last job is %v before %v", err, l.Last, l.Backlog)
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
