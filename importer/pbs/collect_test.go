package pbs

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"qprism/adapters/local"
	"qprism/adapters/shell"
	"qprism/engine/model"
	"qprism/importer/collect"
)

// inShell runs a capture's commands in a shell on this machine.
type inShell struct{ *shell.Shell }

func (s inShell) Run(ctx context.Context, argv []string, stdout io.Writer) (int, string, time.Duration, error) {
	r, err := s.Shell.Run(ctx, argv, stdout)
	return r.Status, r.Complaints, r.Took, err
}

// TestABundleIsCollectedAsTheScriptMakesIt collects from the stand-ins for a recorded server, as
// capture-pbs.sh does, and compares.
func TestABundleIsCollectedAsTheScriptMakesIt(t *testing.T) {
	for name, old := range map[string]string{"of this release": "", "of a release without JSON": "yes"} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, "job-zoo", "running")
			script := filepath.Join(t.TempDir(), "script")
			if said, err := s.capture(t, []string{"sh"}, []string{"OLD=" + old}, "-d", script); err != nil {
				t.Fatalf("%v: %s", err, said)
			}
			for key, value := range map[string]string{"PATH": s.commands + ":/usr/bin:/bin",
				"REC": s.recording, "PBS_HOME": s.home,
				"PBS_SERVER": "pbsvm",
				"TZ":         "UTC", "OLD": old} {
				t.Setenv(key, value)
			}
			sh, err := shell.Open(t.Context(), local.Host{}, shell.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer sh.Close()
			state := t.TempDir()
			for _, full := range []bool{true, false} {
				o, collected := collect.Routine(), t.TempDir()
				o.Full, o.Accounting, o.Records, o.State = full, 10, 20, state
				r, err := collect.Bundle(t.Context(), inShell{sh}, collected, o)
				if err != nil {
					t.Fatal(err)
				}
				if r.System != model.PBSSystem || len(r.Lacking) > 0 || !full && r.Cost.Commands > 30 {
					t.Errorf("%+v", r)
				}
				t.Logf("full %v: %d commands", full, r.Cost.Commands)
				compareFolders(t, collected, script, full)
			}
			// a drive asks for jobs, queues and the formula, and once in a while for the rest
			for i, most := range []int{30, 8} {
				o, collected := collect.Routine(), t.TempDir()
				o.Accounting, o.Records, o.State, o.StateAge = 0, 0, state, time.Hour
				r, err := collect.Bundle(t.Context(), inShell{sh}, collected, o)
				if err != nil || len(r.Lacking) > 0 || r.Cost.Commands > most {
					t.Errorf("capture %d: %+v, %v", i, r, err)
				}
				t.Logf("jobs and queues: %d commands", r.Cost.Commands)
				compareFolders(t, collected, script, false, "accounting.txt", "sched_log.txt")
			}
		})
	}
}

// compareFolders sees that two bundles have the same files, all but MANIFEST with the same text. The
// details of each entity of the fairshare tree are not captured every time.
func compareFolders(t *testing.T, got, want string, details bool, without ...string) {
	t.Helper()
	list := func(dir string) (names []string) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if (details || !strings.HasPrefix(e.Name(), "pbsfs_g_")) && !slices.Contains(without, e.Name()) {
				names = append(names, e.Name())
			}
		}
		return names
	}
	if a, b := strings.Join(list(got), " "), strings.Join(list(want), " "); a != b {
		t.Errorf("collected are %s; the script's %s", a, b)
	}
	for _, name := range list(want) {
		a, _ := os.ReadFile(filepath.Join(got, name))
		b, _ := os.ReadFile(filepath.Join(want, name))
		if name != "MANIFEST" && !bytes.Equal(a, b) {
			t.Errorf("%s: collected %d bytes, the script %d", name, len(a), len(b))
		}
	}
}
