package sqlite

import (
	"context"
	"io/fs"
	"path"
	"testing"
	"testing/fstest"

	recordings "qprism/fixtures/pbs"
	"qprism/importer/pbs"
)

// TestRecordedPBSBundlesReadBackAsTheyWere imports recorded steps of PBS with the logs of their scenario.
// What is loaded is what was read, and the raw files read again give the same snapshot.
func TestRecordedPBSBundlesReadBackAsTheyWere(t *testing.T) {
	s := openTemp(t)
	for _, name := range []string{"job-zoo", "preemption", "reservations", "limits"} {
		scenario, err := recordings.Scenario(name)
		if err != nil {
			t.Fatal(err)
		}
		steps, err := recordings.Steps(scenario)
		if err != nil {
			t.Fatal(err)
		}
		for i, step := range steps {
			bundle, err := fs.Sub(scenario, step)
			if err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				bundle = withLogs(t, bundle, scenario)
			}
			importPBS(t, s, name+"/"+step, bundle, i == 0)
		}
	}
	checkIntegrity(t, s)
}

func importPBS(t *testing.T, s *Store, name string, bundle fs.FS, logs bool) {
	t.Helper()
	want, err := pbs.Read(bundle, pbs.Options{})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if logs && (len(want.PBS.Cycles) < 2 || len(want.PBS.Accounting) < 10) {
		t.Fatalf("%s: %d cycles, %d records", name, len(want.PBS.Cycles), len(want.PBS.Accounting))
	}
	id := mustImport(t, s, bundle, want).ID
	got, err := s.Snapshot(context.Background(), id)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	sameSnapshot(t, name, got, want)
	again, err := pbs.Read(mustRaw(t, s, id), pbs.Options{})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	sameSnapshot(t, name+", read from the store's raw files,", again, want)
}

// withLogs is a step with the logs of its scenario in it.
func withLogs(t *testing.T, step, scenario fs.FS) fs.FS {
	t.Helper()
	all := fstest.MapFS{}
	take := func(from fs.FS, folder string) {
		files, err := fs.Glob(from, folder+"*")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := fs.ReadFile(from, file)
			if err != nil {
				t.Fatal(err)
			}
			all[path.Base(file)] = &fstest.MapFile{Data: text, Mode: 0o444}
		}
	}
	take(step, "")
	take(scenario, "logs/")
	return all
}
