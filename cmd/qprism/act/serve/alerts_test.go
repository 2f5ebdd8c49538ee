package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"qprism/cmd/cadence"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/keep"
	"qprism/cmd/qprism/subject"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
)

// TestASentenceIsToldWhenItBreaksAndWhenItHoldsAgain: a stretch of waiting puts ben's job before ann's;
// then another weight does not; then nothing waits, of which nothing can be told; then it breaks again.
// What ann got of the day before is by what ran.
func TestASentenceIsToldWhenItBreaksAndWhenItHoldsAgain(t *testing.T) {
	s, heard := alerted(t)
	folder := t.TempDir()
	s.alerts.Intend = filepath.Join(folder, "intend.yaml")
	s.alerts.Of = append(s.alerts.Of, cadence.BrokenIntention)
	must(t, os.WriteFile(s.alerts.Intend,
		[]byte("- user ann before user ben\n- user ann gets at least 50% over 1d\n"), 0o600))
	store, err := subject.MakeStore(s.Deps)
	must(t, err)
	defer store.Close()
	do := s.alerting("capture", func(context.Context, <-chan struct{}) ([]slog.Attr, error) { return nil, nil })
	const waits = "8:00 ben: qsub -N b job.sh\n9:00 ann: qsub -N a -l h_rt=1:0:0 job.sh\n"
	for i, step := range []struct{ lab, want string }{
		{"set weight_waiting_time 1\n" + waits + "at 10:00",
			`"user ann before user ben" does not hold: 1 of 1 pair of waiting jobs is in the other order`},
		{"set weight_waiting_time 1\n" + waits + "at 10:01", ""},
		{"set weight_waiting_time 0\nset weight_urgency 0\nset weight_priority 1\n8:00 ben: qsub -p -1 " +
			"job.sh\n9:00 ann: qsub job.sh\nat 10:02",
			`"user ann before user ben" holds again: 1 pair of waiting jobs in the wanted order`},
		{"at 10:03", ""},
		{"set weight_waiting_time 1\n" + waits + "at 10:04", `"user ann before user ben" does not hold`},
		{"at 10:05", ""}, // nothing waits: it is not over
		{"set weight_waiting_time 1\n" + waits + "at 10:06", ""},
		{"8:00 ben: qsub job.sh => all.q@node01 since 8:10:00\n9:00 ann: qsub job.sh\nat 10:07",
			`"user ann gets at least 50% over 1d" does not hold: 0.0 % of the slots during the 1:07:00 that its jobs waited`},
	} {
		file := filepath.Join(folder, fmt.Sprint(i))
		must(t, os.WriteFile(file, []byte("hosts node01\nqueue all.q slots=1\n"+step.lab+"\n"), 0o600))
		_, err := keep.KeepBundle(t.Context(), store, keep.ImportOptions{}, "lab:"+file, s.source())
		must(t, err)
		if _, err := do(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		if got := heard(); (got == "") != (step.want == "") || !strings.Contains(got, step.want) {
			t.Errorf("step %d: told %q, want %q", i, got, step.want)
		}
	}
}

// alerted is a served cluster that tells a program, whose messages go to a file.
func alerted(t *testing.T) (s *Served, heard func() string) {
	t.Helper()
	folder := t.TempDir()
	program, file := filepath.Join(folder, "tell"), filepath.Join(folder, "told")
	must(t, os.WriteFile(program, fmt.Appendf(nil, "#!/bin/sh\ncat >>'%s'\n", file), 0o755))
	s = &Served{Deps: &cli.Deps{Store: filepath.Join(folder, "store.db"), Format: "json"},
		Cluster: &cadence.Cluster{Name: "bonn"},
		log:     slog.New(slog.DiscardHandler), alerts: &cadence.Alerts{Command: program, Of: cadence.AlertKinds,
			TauB: 0.5, Waits: 3, Failures: 2}}
	must(t, os.MkdirAll(beside(s.Deps), 0o755))
	return s, func() string {
		text, _ := os.ReadFile(file) // nothing was told
		_ = os.Remove(file)
		return string(text)
	}
}

// TestAnAlertIsToldWhenItBeginsAndAgainAfterItWasOver: a push that is refused twice is one message, and
// another after a push that was not; a capture is told of from its second failure on; a run that was left
// out says nothing.
func TestAnAlertIsToldWhenItBeginsAndAgainAfterItWasOver(t *testing.T) {
	s, heard := alerted(t)
	refused := errors.New("nothing was sent: somebody else pushes")
	for i, step := range []struct {
		task string
		err  error
		want string
	}{
		{"push", refused, "qprism: bonn: push: nothing was sent: somebody else pushes"}, {"push", refused, ""},
		{"push", &cadence.SkippedError{Why: "busy"}, ""}, {"push", refused, ""}, {"push", nil, ""},
		{"push", refused, "somebody else pushes"},
		{"capture", errors.New("no host"), ""}, {"capture", errors.New("no host"),
			"capture failed 2 times in a row: no host"},
		{"capture", errors.New("no host"), ""},
	} {
		do := s.alerting(step.task, func(context.Context, <-chan struct{}) ([]slog.Attr, error) { return nil, step.err })
		if _, err := do(t.Context(), nil); !errors.Is(err, step.err) {
			t.Fatal(err)
		}
		if got := heard(); (got == "") != (step.want == "") || !strings.Contains(got, step.want) {
			t.Errorf("step %d: told %q, want %q", i, got, step.want)
		}
	}
}

// TestWhatCouldNotBeToldIsToldTheNextTime: the program is not there the first time.
func TestWhatCouldNotBeToldIsToldTheNextTime(t *testing.T) {
	s, heard := alerted(t)
	program := s.alerts.Command
	s.alerts.Command += "-not-there"
	do := s.alerting("push", func(context.Context, <-chan struct{}) ([]slog.Attr, error) {
		return nil, errors.New("refused")
	})
	_, _ = do(t.Context(), nil)
	s.alerts.Command = program
	if _, _ = do(t.Context(), nil); !strings.Contains(heard(), "refused") {
		t.Error("it was never told")
	}
}

// TestJobsThatNeverRunAndJobsThatWaitTooLongAreTold: of a recorded cluster job 7 can never run. One that
// has waited for ten hours, and was to start after two, is told; one of which nothing was forecast is not.
func TestJobsThatNeverRunAndJobsThatWaitTooLongAreTold(t *testing.T) {
	s, heard := alerted(t)
	store, err := subject.MakeStore(s.Deps)
	must(t, err)
	k, err := keep.KeepBundle(t.Context(), store, keep.ImportOptions{},
		"../../../../fixtures/gridengine/8.1.9-essc-departments.tar.gz/run2/after",
		s.source())
	must(t, err)
	store.Close()
	do := s.alerting("capture", func(context.Context, <-chan struct{}) ([]slog.Attr, error) { return nil, nil })
	if _, err = do(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if got := heard(); !strings.Contains(got, "job 7 of pri1 can never run") || strings.Contains(got, "has waited") {
		t.Errorf("told %q", got)
	}
	if _, _ = do(t.Context(), nil); heard() != "" {
		t.Error("it was told twice")
	}
	look := subject.NewSubject(k.Snapshot, "", lastrun.Options{})
	look.TakenAt = look.TakenAt.Add(10 * time.Hour)
	known, err := s.remembered()
	must(t, err)
	j, other := &look.Jobs[0], &look.Jobs[1]
	known.Foreseen = map[string]time.Time{foreseenKey(j): j.Submitted.Add(2 * time.Hour), foreseenKey(other): {}}
	s.found = nil
	must(t, s.noteWaits(t.Context(), known, look, 1, []*model.Job{j, other}))
	if len(s.found) != 1 || s.found[0].Kind != "waits" {
		t.Errorf("found %+v", s.found)
	}
}
