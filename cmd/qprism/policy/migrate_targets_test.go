package policy

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/recorded"
	"qprism/cmd/qprism/subject"
	"qprism/exporter/report"
)

// migrated runs the command into a folder, and returns it with what was printed and the report.
func migrated(t *testing.T, to string, bundles ...string) (folder, printed string, r report.Report) {
	t.Helper()
	folder = filepath.Join(t.TempDir(), "out")
	var out bytes.Buffer
	root := cli.New(Group)
	root.SetOut(&out)
	root.SetArgs(append([]string{"migrate", "--to", to, "-o", folder}, bundles...))
	if err := root.Execute(); err != nil {
		t.Fatalf("%v: %v\n%s", bundles, err, out.String())
	}
	text, err := os.ReadFile(filepath.Join(folder, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	return folder, out.String(), r
}

// runsOf are the bundles of a recording after each of its runs.
func runsOf(t *testing.T, recording string) (bundles []string) {
	t.Helper()
	names := map[string]bool{}
	for name := range recorded.Recordings(t) {
		if rest, found := strings.CutPrefix(name, recording+" run "); found {
			names["../../../fixtures/gridengine/"+recording+".tar.gz/run"+rest+"/after"] = true
		}
	}
	for n := range names {
		bundles = append(bundles, n)
	}
	slices.Sort(bundles)
	return bundles
}

// TestSlurmKeepsTheOrderThatItCan translates recordings: where nothing but -p, requests and one job a user
// order jobs, the order is the same to the last job; elsewhere each inversion names its term.
func TestSlurmKeepsTheOrderThatItCan(t *testing.T) {
	for recording, least := range map[string]float64{"8.1.9-n1ge-usecase3-preemption": 1, "8.1.9-prio-1": 1,
		"8.1.9-blog-posix-ladder":       0.99,
		"8.1.9-n1ge-usecase1-sharetree": 0.8, "8.1.9-prio-6": 0.8} {
		t.Run(recording, func(t *testing.T) {
			folder, printed, r := migrated(t, "slurm", runsOf(t, recording)...)
			if !strings.Contains(printed, "Slurm does the same") || r.Scope == "" || r.To.System != "Slurm" {
				t.Errorf("%s", printed)
			}
			c := r.Chosen()
			if c == nil || c.Seen.Snapshots == 0 || float64(c.Seen.Least) < least {
				t.Fatalf("%+v", c)
			}
			if c.Forecast == nil || !slices.ContainsFunc(c.Forecast.Notes, func(n string) bool {
				return strings.Contains(n, "does not include Slurm's own scheduling")
			}) {
				t.Errorf("the forecast is %+v", c.Forecast)
			} else if c.Forecast.Jobs > 0 && least == 1 && c.Forecast.Groups[0].Wait[0] != c.Forecast.Groups[0].Wait[1] {
				t.Errorf("in the same order jobs wait %v", c.Forecast.Groups[0].Wait)
			}
			for _, run := range c.Runs {
				for _, v := range run.Inversions {
					if v.Why == "" || v.Cause == "" || v.Cause == "term" && v.Term == "" {
						t.Errorf("%s: nothing explains %+v", run.Snapshot, v)
					}
				}
			}
			for _, name := range []string{"priority.conf", "nodes.conf", "job_submit.lua",
				"sacctmgr.cfg", "sacctmgr.sh", "submit.txt", "qsub.py",
				"REPORT.md"} {
				if text, err := os.ReadFile(filepath.Join(folder, name)); err != nil || len(text) == 0 {
					t.Errorf("%s: %v", name, err)
				}
			}
			explained(t, &r)
		})
	}
}

// TestANameThatSlurmCannotHoldIsLeftOutAndTold: all else is written.
func TestANameThatSlurmCannotHoldIsLeftOutAndTold(t *testing.T) {
	const bad = "o'brien"
	bundle, closer, err := subject.BundleAt("../../../fixtures/gridengine/8.1.9-prio-2.tar.gz/run3/after")
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	dir := t.TempDir()
	if err := os.CopyFS(dir, bundle); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(dir + "/*")
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob(dir + "/*/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range append(files, more...) {
		if text, err := os.ReadFile(f); err == nil {
			text = bytes.ReplaceAll(text, []byte("usr1"), []byte(bad))
			if err := os.WriteFile(f, bytes.ReplaceAll(text, []byte("appver"), []byte("app,ver")), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	folder, _, r := migrated(t, "slurm", dir)
	text, err := os.ReadFile(filepath.Join(folder, "sacctmgr.cfg"))
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(text, []byte("brien")) || !bytes.Contains(text, []byte("User - 'usr2'")) {
		t.Errorf("%s", text)
	}
	if !slices.ContainsFunc(r.Steps, func(s report.Step) bool {
		return strings.Contains(s.What, bad) && strings.Contains(s.Command, "sacctmgr add user")
	}) {
		t.Errorf("no step tells of %s: %+v", bad, r.Steps)
	}
	if !slices.ContainsFunc(r.Ledger, func(e report.Entry) bool {
		return e.Kind == "user" && e.Object == bad && e.Verdict == report.Lost && strings.Contains(e.Note, "another login")
	}) {
		t.Errorf("no line of %s is lost", bad)
	}
	if !slices.ContainsFunc(r.Ledger, func(e report.Entry) bool {
		return e.Kind == "complex" && e.Object == "app,ver" && e.Verdict == report.Lost
	}) {
		t.Error("the resource app,ver is not lost")
	}
}

// explained checks that nothing of a ledger goes without words.
func explained(t *testing.T, r *report.Report) {
	t.Helper()
	if len(r.Ledger) < 50 {
		t.Errorf("the ledger has %d lines", len(r.Ledger))
	}
	for _, e := range r.Ledger {
		if (e.Verdict == report.Lost || e.Verdict == report.Approximate) && e.Note == "" || e.Verdict == report.NoRule {
			t.Errorf("%s: %s is %s, without words", e.Place(), e.Text, e.Verdict)
		}
	}
}

// TestTargetsRefuseOtherSystems says what each --to translates.
func TestTargetsRefuseOtherSystems(t *testing.T) {
	pbs := "../../../fixtures/pbs/23.06.06-limits.tar.gz/before"
	for _, c := range [][3]string{{"slurm", pbs, "qprism translates from Grid Engine"},
		{"pbs", pbs, "qprism translates from Grid Engine"},
		{"ge", pbs, "known: pbs, slurm"}} {
		root := cli.New(Group)
		root.SetOut(new(bytes.Buffer))
		root.SetArgs([]string{"migrate", "--to", c[0], "-o", filepath.Join(t.TempDir(), "out"), c[1]})
		if err := root.Execute(); err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("--to %s of %s: %v", c[0], c[1], err)
		}
	}
}
