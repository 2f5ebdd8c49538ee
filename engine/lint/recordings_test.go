package lint_test

import (
	"io/fs"
	"math/rand/v2"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"qprism/engine/lint"
	"qprism/engine/model"
	"qprism/fixtures/archive"
	"qprism/fixtures/pbs"
	"qprism/importer/cluster"
)

// recorded yields every step of every recording.
func recorded(t *testing.T, each func(name string, files fs.FS)) {
	t.Helper()
	for _, name := range pbs.Scenarios() {
		if name == "fairshare" {
			continue // what happened in others, and no bundle
		}
		scenario, err := pbs.Scenario(name)
		if err != nil {
			t.Fatal(err)
		}
		steps, err := pbs.Steps(scenario)
		if err != nil {
			t.Fatal(err)
		}
		for _, step := range steps {
			files, err := fs.Sub(scenario, step)
			if err != nil {
				t.Fatal(err)
			}
			each(name+"/"+step, files)
		}
	}
	archives, err := filepath.Glob("../../fixtures/gridengine/*-*.tar.gz")
	if err != nil || len(archives) < 15 {
		t.Fatal(archives, err)
	}
	for _, file := range archives {
		for _, step := range []string{"run1/before", "run1/after", "run2/after", "run3/after"} {
			files, err := archive.At(file + "/" + step)
			if err != nil {
				continue // shorter ones lack a run
			}
			each(path.Base(file)+"/"+step, files)
		}
	}
}

// withoutFix are the traps that no command mends.
var withoutFix = map[string]bool{"outside-the-tree": true, "held-jobs-gather-time": true, "reservation-astray": true}

// whole fails unless a finding says everything that it must.
func whole(t *testing.T, name string, r *lint.Report) {
	t.Helper()
	for _, trap := range r.Traps {
		if trap.Name == "" || trap.What == "" || trap.Effect == "" || trap.Place.File == "" || len(trap.Fix) == 0 && !withoutFix[trap.Name] {
			t.Errorf("%s: %+v", name, trap)
		}
		if strings.Contains(trap.What+trap.Effect, "%!") || strings.Contains(trap.Effect, "NaN") || strings.HasSuffix(trap.Effect, " ") {
			t.Errorf("%s: %s: %s", name, trap.What, trap.Effect)
		}
	}
}

func TestEveryRecordingIsRead(t *testing.T) {
	steps, traps, lines := 0, 0, 0
	recorded(t, func(name string, files fs.FS) {
		r, _ := check(t, files)
		whole(t, name, r)
		if len(r.Words) == 0 && r.NotChecked == "" {
			t.Errorf("%s: no words", name)
		}
		steps++
		for _, trap := range r.Traps {
			traps++
			if trap.Place.Line > 0 {
				lines++
			}
		}
	})
	t.Logf("%d steps, %d traps, %d with their line", steps, traps, lines)
	if steps < 150 || lines < traps*9/10 {
		t.Errorf("%d steps, %d traps, %d with their line", steps, traps, lines)
	}
}

// policyFiles are those that a policy is written in.
var policyFiles = []string{"sched_conf.txt", "conf.txt", "complex.txt", "share_tree.txt", "usersets/Privileged.txt", "users/usera.txt",
	"hosts/global.txt",
	"sched_config", "resource_group", "holidays", "qmgr_print_sched.txt", "sched_formula"}

// TestNoPolicyMakesItPanic takes lines out of policies, doubles them, and gives them the values of others.
func TestNoPolicyMakesItPanic(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 8))
	read := 0
	for name, c := range cleanPolicies(t) {
		files, err := c.open()
		if err != nil {
			t.Fatal(err)
		}
		for range 25 {
			b := bundle(t, files, c.step, c.edits...).(fstest.MapFS)
			for _, file := range policyFiles {
				if f := b[file]; f != nil {
					f.Data = []byte(shuffled(rng, string(f.Data)))
				}
			}
			s, err := cluster.Read(b, cluster.Options{KeepGoing: true})
			if err != nil {
				continue
			}
			read++
			whole(t, name, checked(lint.Input{Snapshot: s, Quirks: model.Quirks{TruncatedJobShare: true, UrgencyMaximumPositive: true}}))
		}
	}
	if read < 100 {
		t.Errorf("only %d policies were read", read)
	}
}

var oddValues = []string{"0", "-1", "1e308", "inf", "4294967295", "none", "", "TRUE", "999999999999:0:0"}

func shuffled(rng *rand.Rand, text string) string {
	lines := strings.Split(text, "\n")
	for range 3 {
		i, k := rng.IntN(len(lines)), rng.IntN(len(lines))
		switch rng.IntN(3) {
		case 0:
			lines = append(lines[:i:i], lines[i+1:]...)
		case 1:
			lines = append(lines, lines[k])
		default:
			if words := strings.Fields(lines[i]); len(words) > 1 {
				lines[i] = words[0] + " " + oddValues[rng.IntN(len(oddValues))]
			}
		}
		if len(lines) == 0 {
			return ""
		}
	}
	return strings.Join(lines, "\n")
}
