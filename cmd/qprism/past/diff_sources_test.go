package past

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"qprism/adapters/sqlite"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/recorded"
	"qprism/cmd/qprism/subject"
	"qprism/engine/diff"
	"qprism/engine/model"
	pbsrecordings "qprism/fixtures/pbs"
)

// sources is a recording of four runs of a real 8.1.9 with a real execution daemon, between two bundles. All files tell of the starts:
// schedule, reporting and accounting. TestRecordSources makes it.
const sources = "../../../fixtures/gridengine/sources-8.1.9.tar.gz"

// TestEverySourceTellsTheSame compares the same runs as each file alone tells of them.
func TestEverySourceTellsTheSame(t *testing.T) {
	load := func(change func(after *model.Snapshot) []model.JobEvent) []diff.Run {
		d := &cli.Deps{}
		s, err := loadSeries(t.Context(), d, DiffOptions{}, []string{sources + "/before", sources + "/after"})
		if err != nil {
			t.Fatal(err)
		}
		list, events := s.snapshots, s.events
		if len(events) < 30 || len(list[1].Ended) != 4 || len(list[1].Runs) < 4 {
			t.Fatalf("%d events, %d ended, %d runs", len(events), len(list[1].Ended), len(list[1].Runs))
		}
		o := diffOf(t, list[0])
		if o.Events = events; change != nil {
			if change(list[1]) == nil {
				o.Events = nil
			}
		}
		return diff.Compare(list, o)
	}
	some := []model.JobEvent{}
	want := storyOf(load(nil))
	for name, change := range map[string]func(*model.Snapshot) []model.JobEvent{
		"schedule file":                func(s *model.Snapshot) []model.JobEvent { return nil },
		"reporting alone":              func(s *model.Snapshot) []model.JobEvent { s.Runs, s.Ended = nil, nil; return some },
		"accounting alone":             func(s *model.Snapshot) []model.JobEvent { s.Runs = nil; return nil },
		"schedule file, no accounting": func(s *model.Snapshot) []model.JobEvent { s.Ended = nil; return nil },
	} {
		if got := storyOf(load(change)); !maps.Equal(got, want) {
			t.Errorf("%s: %v\nwant %v", name, got, want)
		}
	}
	if len(want) < 10 {
		t.Errorf("only %v", want)
	}
	snapshots := load(func(s *model.Snapshot) []model.JobEvent { s.Runs, s.Ended = nil, nil; return nil })
	for what := range storyOf(snapshots) {
		if strings.Contains(what, "started") && want[what] == 0 {
			t.Errorf("consecutive snapshots alone: %s", what)
		}
	}
	if lost := snapshots[0].Lost; fmt.Sprint(lost) != "[5.1 6.1 7.1 8.1]" {
		t.Errorf("consecutive snapshots alone cannot tell of what came and went in between, yet lost %v", lost)
	}
}

// storyOf is who started when, and who was overtaken by whom and why.
func storyOf(runs []diff.Run) map[string]int {
	story := map[string]int{}
	for i := range runs {
		for _, it := range runs[i].Items {
			if !it.Started.IsZero() {
				story[fmt.Sprintf("%v started at %v", it.Task, it.Started.Unix())]++
			}
		}
		for _, task := range runs[i].New {
			story[fmt.Sprintf("%v started, and no snapshot shows it waiting", task)]++
		}
		for _, p := range runs[i].Pairs {
			story[fmt.Sprintf("%v before %v: %s %s", p.Early, p.Late, p.Cause.Kind, p.Cause.Detail)]++
		}
	}
	return story
}

// TestSourcesCanComeFromElsewhere takes the files out of the bundles, and names them on the command line, and puts the bundles into a
// store.
func TestSourcesCanComeFromElsewhere(t *testing.T) {
	dir := t.TempDir()
	for _, step := range []string{"before", "after"} {
		bundle, closer, err := subject.BundleAt(sources + "/" + step)
		if err != nil {
			t.Fatal(err)
		}
		defer closer.Close()
		if err := os.CopyFS(filepath.Join(dir, step), bundle); err != nil {
			t.Fatal(err)
		}
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	d := &cli.Deps{Store: at("store.db")}
	store, err := sqlite.Open(d.Store)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []string{"before", "after"} {
		if _, err := store.Import(t.Context(), os.DirFS(at(step)), step, recorded.Read(t, os.DirFS(at(step)))); err != nil {
			t.Fatal(err)
		}
	}
	store.Close()
	story := func(opts DiffOptions, args ...string) map[string]int {
		t.Helper()
		s, err := loadSeries(t.Context(), d, opts, args)
		if err != nil {
			t.Fatal(err)
		}
		o := diffOf(t, s.snapshots[0])
		o.Events = s.events
		return storyOf(diff.Compare(s.snapshots, o))
	}
	want := story(DiffOptions{}, at("before"), at("after"))
	if got := story(DiffOptions{}); !maps.Equal(got, want) {
		t.Errorf("the last two stored snapshots: %v\nwant %v", got, want)
	}
	if got := story(DiffOptions{since: "2026-11-21 19:00", until: "2026-11-21 20:00"}); !maps.Equal(got, want) {
		t.Errorf("the stored snapshots of an hour: %v\nwant %v", got, want)
	}
	for _, file := range []string{"schedule", "reporting", "accounting"} {
		if err := os.Rename(at("after/"+file), at(file+".old")); err != nil {
			t.Fatal(err)
		}
	}
	accounting := DiffOptions{logs: subject.MasterLogs{Accounting: at("accounting.old")}}
	if got := story(accounting, at("before"), at("after")); !maps.Equal(got, want) {
		t.Errorf("--accounting: %v\nwant %v", got, want)
	}
	if got := story(DiffOptions{reporting: at("reporting.old")}, at("before"), at("after")); !maps.Equal(got, want) {
		t.Errorf("--reporting: %v\nwant %v", got, want)
	}
	if err := os.WriteFile(at("accounting.jsonl"), []byte(inJSONLines(t, at("accounting.old"))), 0o600); err != nil {
		t.Fatal(err)
	}
	accounting.logs.Accounting = at("accounting.jsonl")
	if got := story(accounting, at("before"), at("after")); !maps.Equal(got, want) {
		t.Errorf("--accounting with JSON lines: %v\nwant %v", got, want)
	}
}

// inJSONLines are records of accounting(5) as newer releases write them, with microseconds.
func inJSONLines(t *testing.T, file string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for line := range strings.Lines(string(text)) {
		if f := strings.Split(line, ":"); len(f) > 39 {
			fmt.Fprintf(&b, `{"job_number":%s,"task_number":%s,"start_time":%s123456,"end_time":%s654321,"submission_time":%s000000,"owner":%q,"qname":%q,"hostname":%q,"slots":%s,"category":"-"}`+"\n",
				f[5], f[35], f[9], f[10], f[8], f[3], f[0], f[1], f[34])
		}
	}
	return b.String()
}

func TestSourcesOfTheOtherSystemAreRefused(t *testing.T) {
	d := &cli.Deps{}
	ge := []string{sources + "/before", sources + "/after"}
	pbs := "../../../fixtures/pbs/23.06.06-job-zoo.tar.gz"
	for want, c := range map[string]struct {
		opts DiffOptions
		args []string
	}{
		"--sched-log is for PBS":     {DiffOptions{logs: subject.MasterLogs{Sched: "x"}}, ge},
		"--reporting is for Grid":    {DiffOptions{reporting: "x"}, []string{pbs + "/before", pbs + "/running"}},
		"file does not exist":        {DiffOptions{reporting: "nothing/there"}, ge},
		"not both":                   {DiffOptions{since: "2026-11-21"}, ge},
		"of different systems":       {DiffOptions{}, []string{ge[0], pbs + "/running"}},
		"give the bundle before and": {DiffOptions{}, ge[:1]},
	} {
		if _, err := loadSeries(t.Context(), d, c.opts, c.args); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestTheLogAloneTellsCausesOfPBS leaves out the accounting records, so that plans know less of what ran when a cycle began: the log
// still says why jobs did not.
func TestTheLogAloneTellsCausesOfPBS(t *testing.T) {
	n := newCauseTally()
	for _, name := range pbsrecordings.Scenarios() {
		for _, series := range recordedCycles(t, name) {
			for _, s := range series {
				s.PBS.Accounting = nil
			}
			n.add(t, name, diff.Compare(series, diffOf(t, series[0])))
		}
	}
	n.log(t, "OpenPBS without accounting")
	if n.inversions < 300 || n.kinds[diff.Unknown]+n.kinds[diff.Tie] > 0 {
		t.Errorf("%d inversions, %d unknown, %d tied", n.inversions, n.kinds[diff.Unknown], n.kinds[diff.Tie])
	}
}
