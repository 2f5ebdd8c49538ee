package conformance

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"qprism/adapters/sqlite"
	"qprism/cmd/qprism/recorded"
	"qprism/engine/batch"
	"qprism/engine/gridengine/audit"
	"qprism/engine/model"
)

// excused are the recordings in which the master shows numbers of an earlier run, or lacks an input: how many numbers, and why.
var excused = map[string]struct {
	stale, missing int
	why            string
}{
	"6.2u5-prio-3 run 1":        {0, 3, "6.2u5 does not print -tc"},
	"job-filter run 2":          {3, 0, "the urgency and the share of a job that just started are of the run before"},
	"reservation-licence run 3": {1, 0, "the normalized urgency of a job that just started is of the run before"},
}

func TestRecordingsAuditWithoutUnexplainedNumbers(t *testing.T) {
	auditAll(t, recorded.Recordings(t))
}

// TestRecordingsOfOpenClusterSchedulerAuditWithoutUnexplainedNumbers: of 9.0, 9.1 and what will be 9.2, with runs that follow each other
// within milliseconds (rule O11).
func TestRecordingsOfOpenClusterSchedulerAuditWithoutUnexplainedNumbers(t *testing.T) {
	auditAll(t, recorded.OfCluster(t))
}

// TestRecordingsOf62u5AuditWithoutUnexplainedNumbers: 1,937 numbers, of a master that was compiled from the public sources.
func TestRecordingsOf62u5AuditWithoutUnexplainedNumbers(t *testing.T) {
	auditAll(t, recorded.OfSun(t))
}

func auditAll(t *testing.T, bundles map[string]fs.FS) {
	t.Helper()
	var total batch.Count
	for name, bundle := range bundles {
		r := recorded.AuditOf(recorded.Read(t, bundle))
		sum := r.Sum()
		total = total.Plus(sum)
		want := excused[strings.TrimPrefix(name, "8.1.9-")]
		if sum.Stale != want.stale || sum.Missing != want.missing || sum.Unexplained > 0 || sum.Reported == 0 {
			t.Errorf("%s: %d stale (want %d), %d for want of input (want %d), %d unexplained of %d", name, sum.Stale, want.stale, sum.Missing,
				want.missing, sum.Unexplained, sum.Reported)
			for _, d := range r.Disagreements {
				t.Logf("%s: job %d.%s %s: master %s, recomputed %s (%s: %s)", name, d.Job.Number, model.TaskText(d.Task.IDs), d.Field,
					d.Field.Print(d.Reported), d.Field.Print(d.Computed), d.Class, d.Why)
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
	known := 0
	for name, bundle := range recorded.Recordings(t) {
		s := recorded.Read(t, bundle)
		want := recorded.AuditOf(s).Moment
		if !strings.Contains(want.Source, "schedule file") {
			continue
		}
		known++
		for _, hidden := range [][]string{{"schedule"}, {"schedule", "messages"}} {
			for _, file := range hidden {
				bundle = without{bundle, file}
			}
			if got := recorded.AuditOf(recorded.Read(t, bundle)).Moment; !got.At.Equal(want.At) || strings.Contains(got.Source, "schedule file") {
				t.Errorf("%s without %v: %v (%s), recorded %v", name, hidden, got.At, got.Source, want.At)
			}
		}
	}
	if known == 0 {
		t.Fatal("no recording shows the moment of its run")
	}
	t.Logf("%d runs with a known moment", known)
}

func TestAStoredSnapshotAuditsAsItsBundle(t *testing.T) {
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "store.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	for name, bundle := range recorded.Recordings(t) {
		s := recorded.Read(t, bundle)
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
		want := recorded.AuditOf(s)
		for from, r := range map[string]*audit.Report{"loaded": recorded.AuditOf(loaded),
			"read again from its raw files": recorded.AuditOf(recorded.Read(t, raw))} {
			if r.Fields != want.Fields || r.Moment != want.Moment {
				t.Errorf("%s %s: %v at %v, want %v at %v", name, from, r.Sum(), r.Moment, want.Sum(), want.Moment)
			}
		}
	}
}
