package trial

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"qprism/adapters/sqlite"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/subject"
	"qprism/fixtures/master"
	"qprism/importer"
)

var sweepPolicies = flag.Int("sweep.policies", 6, "a sweep on a real execution host has this `number` of policies")

// fewSnapshots is a store of the runs of a recording.
func fewSnapshots(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "store.db")
	store, err := sqlite.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	for _, step := range []string{"run1/before", "run1/after", "run2/before", "run2/after"} {
		files, closer, err := importer.Open("../../../fixtures/gridengine/8.1.9-backfill-large-parallel.tar.gz/" + step)
		if err != nil {
			t.Fatal(err)
		}
		s, err := subject.ReadBundle(files, false)
		if err == nil {
			_, err = store.Import(t.Context(), files, step, s)
		}
		if err != nil {
			t.Fatal(err)
		}
		closer.Close()
	}
	return path
}

// gridOf writes a grid of so many policies.
func gridOf(t *testing.T, policies int) string {
	t.Helper()
	values := make([]string, policies/2)
	for i := range values {
		values[i] = fmt.Sprint(i)
	}
	file := filepath.Join(t.TempDir(), "grid")
	if err := os.WriteFile(file, []byte("max_reservation = 0 32\nweight_urgency = "+strings.Join(values, " ")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func swept(t *testing.T, store string, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	root := cli.New(Group)
	root.SetArgs(append([]string{"sweep", "--store", store, "--format", "json", "--by", "wait:user/usera"}, args...))
	root.SetOut(&out)
	root.SetErr(io.Discard)
	err := root.ExecuteContext(context.Background())
	return out.String(), err
}

// TestASweepAsAnArrayJobIsTheSweep runs a sweep on a real execution host: two tasks end, another one is killed or has just ended, the
// rest never starts. A second submission makes up for what is missing, and what is collected is what one process finds.
func TestASweepAsAnArrayJobIsTheSweep(t *testing.T) {
	t.Parallel()
	master.Require(t)
	program, err := exec.LookPath("qprism")
	if err != nil {
		t.Fatal(err)
	}
	store, grid, folder := fewSnapshots(t), gridOf(t, *sweepPolicies), filepath.Join(t.TempDir(), "sweep")
	want, err := swept(t, store, "--since", "1h", grid)
	if err != nil {
		t.Fatal(err)
	}
	m := master.Start(t, master.Options{Host: "exec"})
	must := func(text string, err error) string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	must("", m.Apply(master.Scenario{Execd: true, Hosts: []master.Object{{"name": "exec"}},
		Queues:    []master.Object{{"qname": "all.q", "slots": "4", "load_thresholds": "NONE"}},
		SchedConf: master.Object{"schedule_interval": "0:0:1", "flush_submit_sec": "1", "flush_finish_sec": "1"}}))
	found := func(policies ...int) error {
		return m.Await(fmt.Sprintf("results of %v", policies), func() (bool, error) {
			return !slices.ContainsFunc(policies, func(n int) bool { _, err := os.Stat(sweepFolder(folder).found(n)); return err != nil }), nil
		})
	}
	said := must(m.Run(program, "sweep", grid, "--store", store, "--since", "1h", "--submit", folder, "--", "-h"))
	array := regexp.MustCompile(`job-array (\d+)\.1-`).FindStringSubmatch(said)
	if array == nil {
		t.Fatal(said)
	}
	must(m.Run("qrls", array[1]+".1-2"))
	must("", found(1, 2))
	must(m.Run("qrls", array[1]+".3"))
	must(m.Run("qdel", "-f", array[1]))
	if _, err := swept(t, store, "--collect", folder); err == nil || !strings.Contains(err.Error(), "submits only these") {
		t.Errorf("a sweep that is not whole: %v", err)
	}
	left := len(sweepFolder(folder).missing(*sweepPolicies))
	said = must(m.Run(program, "sweep", "--submit", folder))
	if left == 0 || left > *sweepPolicies-2 || !strings.Contains(said, fmt.Sprintf("%d policies in %d task", left, left)) {
		t.Errorf("%d are left: %s", left, said)
	}
	for n := 1; n <= *sweepPolicies && err == nil; n++ {
		err = found(n)
	}
	if err != nil {
		logs, _ := filepath.Glob(filepath.Join(folder, "log", "*"))
		for _, file := range logs[:min(len(logs), 3)] {
			text, _ := os.ReadFile(file)
			t.Logf("%s: %s", file, text)
		}
		t.Fatal(err)
	}
	if got := must(swept(t, store, "--collect", folder)); got != want {
		t.Errorf("collected: %s\nin one process: %s", got, want)
	}
	if said = must(m.Run(program, "sweep", "--submit", folder)); !strings.Contains(said, "All results are there") {
		t.Error(said)
	}
}

// TestWhatIsSubmitted are the commands of both systems, qsub(1) and qsub(1B).
func TestWhatIsSubmitted(t *testing.T) {
	f := sweepFolder("/s")
	for want, got := range map[string][]string{
		"-j y -o /s/log -wd /s -t 1-7 -b y -shell n -q a /s/qprism sweep --task /s --todo 2": f.command("ge", 7, 2, []string{"-q", "a"}),
		"-j oe -o /s/log/ -J 1-7 -q a -- /s/qprism sweep --task /s --todo 2":                 f.command("pbs", 7, 2, []string{"-q", "a"}),
		"-j oe -o /s/log/ -- /s/qprism sweep --task /s --todo 1":                             f.command("pbs", 1, 1, nil),
	} {
		if strings.Join(got, " ") != "qsub -N sweep "+want {
			t.Errorf("%v\nwant %s", got, want)
		}
	}
}
