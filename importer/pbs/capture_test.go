package pbs

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"qprism/fixtures/needs"

	"github.com/google/go-cmp/cmp"

	"qprism/engine/model"
	"qprism/importer"
)

// posixShells are the shells that the script is run with where they are installed; the first always is.
var posixShells = [][]string{{"sh"}, {"dash"}, {"bash", "--posix"}, {"busybox", "sh"}, {"ksh"},
	{"mksh"}, {"yash"}, {"posh"}}

// standIns are commands that print what the recording of a live server holds; $REC is its step.
var standIns = map[string]string{
	"qstat": `case "$*" in
--version) cat "$REC/version.txt" >&2 ;;
"-f -t -F json") [ -z "$OLD" ] || { echo "qstat: invalid option -- 'F'" >&2; exit 2; }; cat "$REC/qstat_f.json" ;;
"-f -t") cat "$REC/qstat_f.txt" ;;
"-Q -f -F json") [ -z "$OLD" ] || exit 2; cat "$REC/qstat_Qf.json" ;;
"-Q -f") cat "$REC/qstat_Qf.txt" ;;
"-B -f -F json") [ -z "$OLD" ] || exit 2; cat "$REC/qstat_Bf.json" ;;
"-B -f") cat "$REC/qstat_Bf.txt" ;;
*) echo "no such call: qstat $*" >&2; exit 99 ;;
esac`,
	"qmgr": `case "$2" in
"print server") cat "$REC/qmgr_print_server.txt" ;;
"print sched") cat "$REC/qmgr_print_sched.txt" ;;
"print resource") cat "$REC/qmgr_print_resource.txt" ;;
"list hook") ;;
"list sched default sched_priv") printf 'Sched default\n    sched_priv = %s\n' "$REC" ;;
"list sched default sched_log") printf 'Sched default\n    sched_log = %s/days\n' "$REC" ;;
*) echo "no such call: qmgr $*" >&2; exit 99 ;;
esac`,
	"pbsnodes": `case "$*" in
"-av -F json") [ -z "$OLD" ] || exit 2; cat "$REC/pbsnodes_av.json" ;;
"-av") cat "$REC/pbsnodes_av.txt" ;;
*) exit 99 ;;
esac`,
	"pbs_rstat": `[ "$*" = -F ] && cat "$REC/pbs_rstat_F.txt"`,
	"pbsfs": `case "$1" in
-p) cat "$REC/pbsfs_p.txt" ;;
-t) cat "$REC/pbsfs_t.txt" ;;
-g) cat "$REC/pbsfs_g_$2.txt" ;;
*) exit 99 ;;
esac`,
}

// A stage is a folder with stand-ins for the commands, and a recorded step with its logs.
type stage struct{ commands, recording, home string }

func newStage(t *testing.T, scenario, step string) stage {
	t.Helper()
	dir := t.TempDir()
	s := stage{filepath.Join(dir, "bin"), filepath.Join(dir, "recording"), filepath.Join(dir, "home")}
	for name, text := range standIns {
		write(t, filepath.Join(s.commands, name), "#!/bin/sh\n"+text+"\n", 0o755)
	}
	files := mustScenario(t, scenario)
	copyFile := func(from, to string) {
		text, err := fs.ReadFile(files, from)
		if err != nil {
			t.Fatal(err)
		}
		write(t, to, string(text), 0o644)
	}
	names, err := fs.Glob(files, step+"/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		copyFile(name, filepath.Join(s.recording, filepath.Base(name)))
	}
	today := time.Now().UTC().Format("20060102") // captures take yesterday's and today's files
	copyFile("logs/sched_log.txt", filepath.Join(s.recording, "days", today))
	copyFile("logs/accounting.txt", filepath.Join(s.home, "server_priv", "accounting", today))
	return s
}

func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// capture runs the script.
func (s stage) capture(t *testing.T, shell []string, env []string, args ...string) (said string, err error) {
	t.Helper()
	script, err := filepath.Abs("../../scripts/capture-pbs.sh")
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(shell[0], slices.Concat(shell[1:], []string{script}, args)...)
	c.Env = append([]string{"PATH=" + s.commands + ":/usr/bin:/bin", "REC=" + s.recording,
		"PBS_HOME=" + s.home, "PBS_SERVER=pbsvm", "TZ=UTC"},
		env...)
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	err = c.Run()
	return out.String(), err
}

func TestACapturedBundleSaysWhatTheServerSays(t *testing.T) {
	s := newStage(t, "job-zoo", "running")
	want := mustRead(t, os.DirFS(s.recording))
	for _, shell := range posixShells {
		if !needs.Has(t, shell[0]) {
			continue
		}
		t.Run(shell[0], func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "bundle")
			said, err := s.capture(t, shell, nil, "-d", out)
			if err != nil || strings.Contains(said, "not captured") {
				t.Fatalf("%v: %s", err, said)
			}
			got := mustRead(t, os.DirFS(out))
			checkCapture(t, got, want)
			if len(got.PBS.Cycles) < 5 || len(got.PBS.Accounting) < 10 || got.PBS.Hooks != nil {
				t.Errorf("%d cycles, %d records", len(got.PBS.Cycles), len(got.PBS.Accounting))
			}
			manifest, _ := os.ReadFile(filepath.Join(out, "MANIFEST"))
			before, behind, found := strings.Cut(string(manifest), "\nlisted_at ")
			if !found || got.ListedAt.Before(got.TakenAt) || !strings.Contains(before, "command qstat_f.json ") ||
				!strings.Contains(behind, "command qstat_Qf.json ") {
				t.Errorf("taken at %v, its jobs listed at %v:\n%s", got.TakenAt, got.ListedAt, manifest)
			}
			if text, err := os.ReadFile(filepath.Join(out, "qstat_f.json")); err != nil ||
				bytes.Contains(text, []byte("PBS_O_HOME")) {
				t.Errorf("the environment was not left out: %v", err)
			}
		})
	}
}

// checkCapture compares a capture with the recording that the stand-ins print.
func checkCapture(t *testing.T, got, want *model.Snapshot) {
	t.Helper()
	if len(got.Unknown) > 0 || len(got.PBS.Repairs) > 0 || got.Cluster != "pbsvm" ||
		got.Release != want.Release || got.Location == "" {
		t.Errorf("unknown %v, repaired %v, %q %v", got.Unknown, got.PBS.Repairs, got.Cluster, got.Release)
	}
	for what, pair := range map[string][2]any{
		"jobs":      {got.Jobs, want.Jobs},
		"nodes":     {got.Hosts, want.Hosts},
		"queues":    {got.Queues, want.Queues},
		"config":    {got.PBS.SchedConfig, want.PBS.SchedConfig},
		"fairshare": {got.PBS.Fairshare, want.PBS.Fairshare},
		"tree":      {got.PBS.Fair, want.PBS.Fair},
		"entities":  {got.PBS.FairEntities, want.PBS.FairEntities},
		"limits":    {got.PBS.Server.Limits, want.PBS.Server.Limits},
		"resources": {got.Resources, want.Resources},
	} {
		if diff := cmp.Diff(pair[1], pair[0], sameListingsAndJobs...); diff != "" {
			t.Errorf("%s (-recorded +captured):\n%s", what, diff)
		}
	}
}

var sameListingsAndJobs = slices.Concat(sameJobs, []cmp.Option{cmp.Comparer(func(a, b model.QueueAttribute) bool {
	return true
})})

func TestACaptureOfAReleaseWithoutJSONHoldsText(t *testing.T) {
	s := newStage(t, "job-zoo", "running")
	out := filepath.Join(t.TempDir(), "bundle.tar.gz")
	if said, err := s.capture(t, posixShells[0], []string{"OLD=yes"}, "-o", out); err != nil ||
		strings.Contains(said, "not captured") {
		t.Fatalf("%v: %s", err, said)
	}
	bundle, closer, err := importer.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	got := mustRead(t, bundle)
	want := mustRead(t, os.DirFS(s.recording))
	if diff := cmp.Diff(want.Jobs, got.Jobs, sameJobs...); diff != "" {
		t.Error(diff)
	}
	if text, err := fs.ReadFile(bundle, "qstat_f.txt"); err != nil || bytes.Contains(text, []byte("PBS_O_PATH")) {
		t.Errorf("the environment was not left out: %v", err)
	}
}

func TestACaptureSaysWhatItCannotDo(t *testing.T) {
	s := newStage(t, "job-zoo", "running")
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"an unknown option": {[]string{"-z"}, "usage: capture-pbs.sh"},
		"an argument":       {[]string{"x"}, "usage: capture-pbs.sh"},
		"no number":         {[]string{"-a", "many"}, "not a number of megabytes"},
		"two outputs":       {[]string{"-d", "a", "-o", "b"}, "exclude each other"},
		"a folder in use":   {[]string{"-d", s.recording}, "is not empty"},
	} {
		if said, err := s.capture(t, posixShells[0], nil, c.args...); err == nil || !strings.Contains(said, c.want) {
			t.Errorf("%s: %v, %s", name, err, said)
		}
	}
	if err := os.Remove(filepath.Join(s.recording, "sched_config")); err != nil {
		t.Fatal(err)
	}
	if said, err := s.capture(t, posixShells[0], nil, "-d", filepath.Join(t.TempDir(), "b")); err != nil ||
		!strings.Contains(said, "not captured: sched_config") {
		t.Errorf("%v, %s", err, said)
	}
}
