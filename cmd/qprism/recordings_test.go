package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"qprism/adapters/sqlite"
	"qprism/compat"
	"qprism/engine/batch"
	"qprism/engine/gridengine/audit"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
	"qprism/importer"
	"qprism/importer/gridengine"
)

// recordings lists the bundles that real masters of 8.1.9 left just after a scheduler run. The environment variable
// QPRISM_RECORDINGS names another folder of such archives.
func recordings(t *testing.T) map[string]fs.FS { return recordedAt(t, "after") }

// recordedStates are these bundles, and those that were left just before the runs.
func recordedStates(t *testing.T) map[string]fs.FS {
	states := recordedAt(t, "after")
	for name, bundle := range recordedAt(t, "before") {
		states[name+" before"] = bundle
	}
	return states
}

func recordedAt(t *testing.T, when string) map[string]fs.FS {
	t.Helper()
	pattern := "../../fixtures/gridengine/8.1.9-*.tar.gz"
	if dir := os.Getenv("QPRISM_RECORDINGS"); dir != "" {
		pattern = filepath.Join(dir, "*.tar.gz")
	}
	archives, err := filepath.Glob(pattern)
	if err != nil || len(archives) == 0 {
		t.Fatalf("no recordings at %s (%v)", pattern, err)
	}
	bundles := map[string]fs.FS{}
	for _, archive := range archives {
		for n := 1; ; n++ {
			bundle, closer, err := importer.Open(fmt.Sprintf("%s/run%d/%s", archive, n, when))
			if err != nil {
				if n == 1 && when == "before" { // of a master that began with its first run
					continue
				}
				if n == 1 {
					t.Fatal(err)
				}
				break
			}
			t.Cleanup(func() { closer.Close() })
			bundles[fmt.Sprintf("%s run %d", strings.TrimSuffix(filepath.Base(archive), ".tar.gz"), n)] = bundle
		}
	}
	return bundles
}

func read(t *testing.T, bundle fs.FS) *model.Snapshot {
	t.Helper()
	s, err := gridengine.Read(bundle, gridengine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func auditOf(s *model.Snapshot) *audit.Report {
	_, quirks := compat.For(s.Release)
	return audit.Run(s, audit.Options{Options: lastrun.Options{Quirks: quirks}})
}

// staleByDesign are the recordings in which the master shows numbers of an earlier run: how many, and why.
var staleByDesign = map[string]struct {
	numbers int
	why     string
}{
	"job-filter run 2":          {3, "the urgency and the share of a job that just started are of the run before"},
	"reservation-licence run 3": {1, "the normalized urgency of a job that just started is of the run before"},
}

func TestRecordingsAuditWithoutUnexplainedNumbers(t *testing.T) {
	var total batch.Count
	bundles := recordings(t)
	for name, bundle := range bundles {
		r := auditOf(read(t, bundle))
		sum := r.Sum()
		total = total.Plus(sum)
		if want := staleByDesign[strings.TrimPrefix(name, "8.1.9-")].numbers; sum.Stale != want || sum.Unexplained+sum.Missing > 0 || sum.Reported == 0 {
			t.Errorf("%s: %d stale (want %d), %d for want of input, %d unexplained of %d", name, sum.Stale, want, sum.Missing, sum.Unexplained, sum.Reported)
			for _, d := range r.Disagreements {
				t.Logf("%s: job %d.%s %s: master %s, recomputed %s (%s: %s)", name, d.Job.Number, taskText(d.Task), d.Field, d.Field.Print(d.Reported), d.Field.Print(d.Computed), d.Class, d.Why)
			}
		}
	}
	t.Logf("%d bundles: %d of %d printed numbers agree, %d stale, %d for want of input, %d unexplained",
		len(bundles), total.Agree, total.Reported, total.Stale, total.Missing, total.Unexplained)
}

// without is a bundle that hides one file.
type without struct {
	fs.FS
	hidden string
}

func (w without) Open(name string) (fs.File, error) {
	if name == w.hidden {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return w.FS.Open(name)
}

func TestTheMomentIsInferredWithoutTheScheduleFile(t *testing.T) {
	recorded := 0
	for name, bundle := range recordings(t) {
		s := read(t, bundle)
		want := auditOf(s).Moment
		if !strings.Contains(want.Source, "schedule file") {
			continue
		}
		recorded++
		for _, hidden := range [][]string{{"schedule"}, {"schedule", "messages"}} {
			for _, file := range hidden {
				bundle = without{bundle, file}
			}
			if got := auditOf(read(t, bundle)).Moment; !got.At.Equal(want.At) || strings.Contains(got.Source, "schedule file") {
				t.Errorf("%s without %v: %v (%s), recorded %v", name, hidden, got.At, got.Source, want.At)
			}
		}
	}
	if recorded == 0 {
		t.Fatal("no recording shows the moment of its run")
	}
	t.Logf("%d runs with a recorded moment", recorded)
}

func TestAStoredSnapshotAuditsAsItsBundle(t *testing.T) {
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "store.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	for name, bundle := range recordings(t) {
		s := read(t, bundle)
		stored, err := store.Import(t.Context(), bundle, name, s)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		loaded, err := store.Snapshot(t.Context(), stored.ID)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		raw, err := store.Raw(t.Context(), stored.ID)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want := auditOf(s)
		for from, r := range map[string]*audit.Report{"loaded": auditOf(loaded), "read again from its raw files": auditOf(read(t, raw))} {
			if r.Fields != want.Fields || r.Moment != want.Moment {
				t.Errorf("%s %s: %v at %v, want %v at %v", name, from, r.Sum(), r.Moment, want.Sum(), want.Moment)
			}
		}
	}
}
