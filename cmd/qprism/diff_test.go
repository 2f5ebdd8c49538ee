package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"qprism/engine/diff"
	"qprism/engine/model"
	pbsrecordings "qprism/fixtures/pbs"
	"qprism/importer/pbs"
)

// A causeTally counts inversions of recorded runs by their causes.
type causeTally struct {
	runs, withStarts, tasks, lost, fresh int
	inversions                           int64
	kinds                                map[diff.Kind]int
	details                              map[string]int
	inZoo                                int // unknown, of cycles that come four or more after the last snapshot
}

func newCauseTally() *causeTally {
	return &causeTally{kinds: map[diff.Kind]int{}, details: map[string]int{}}
}

func (n *causeTally) add(t *testing.T, name string, runs []diff.Run) {
	for i := range runs {
		r := &runs[i]
		n.runs++
		n.tasks += r.Figures.Tasks
		n.lost += len(r.Lost)
		n.fresh += len(r.New)
		n.inversions += r.Figures.Inversions
		if r.Figures.Started > 0 {
			n.withStarts++
		}
		for _, p := range r.Pairs {
			n.kinds[p.Cause.Kind]++
			n.details[string(p.Cause.Kind)+": "+p.Cause.Detail]++
			if p.Cause.Kind == diff.Unknown || p.Cause.Kind == diff.Tie {
				if name == "job-zoo" && i >= 4 {
					n.inZoo++
				}
				t.Logf("%s %s: %v before %v: %s %s", name, r.At.Format("15:04:05"), p.Early, p.Late, p.Cause.Kind, p.Cause.Detail)
			}
		}
	}
}

func (n *causeTally) log(t *testing.T) {
	t.Logf("%d runs, %d started something, %d tasks compared, %d lost, %d not expected, %d inversions", n.runs, n.withStarts, n.tasks, n.lost, n.fresh, n.inversions)
	for _, d := range slices.Sorted(maps.Keys(n.details)) {
		t.Logf("%6d %s", n.details[d], d)
	}
}

// TestCausesAreFoundForRecordedRunsOfGridEngine compares the order in which each recorded run tried its jobs with what it started.
func TestCausesAreFoundForRecordedRunsOfGridEngine(t *testing.T) {
	n := newCauseTally()
	names, _ := filepath.Glob("../../fixtures/gridengine/8.1.9-*.tar.gz")
	if dir := os.Getenv("QPRISM_RECORDINGS"); dir != "" {
		names, _ = filepath.Glob(filepath.Join(dir, "*"))
	}
	for _, name := range names {
		for i := 1; !strings.Contains(name, "vectors"); i++ {
			before, err := diffBundle(fmt.Sprintf("%s/run%d/before", name, i))
			if err != nil {
				break
			}
			after, err := diffBundle(fmt.Sprintf("%s/run%d/after", name, i))
			if err != nil {
				t.Fatal(err)
			}
			n.add(t, fmt.Sprintf("%s/run%d", filepath.Base(name), i), diff.Compare([]*model.Snapshot{before, after}, diffOf(t, before)))
		}
	}
	n.log(t)
	if n.inversions < 100 || n.kinds[diff.Resource] == 0 || n.kinds[diff.Backfilled] == 0 || n.kinds[diff.Quirk] == 0 {
		t.Error("too little was compared")
	}
	if open := n.kinds[diff.Unknown] + n.kinds[diff.Tie]; open > 0 || n.lost > 0 {
		t.Errorf("%d inversions have no cause, %d tasks are lost", open, n.lost)
	}
}

func diffBundle(name string) (*model.Snapshot, error) {
	return loadBundle(name, false)
}

// diffOf are the options of a comparison with nothing chosen.
func diffOf(t *testing.T, s *model.Snapshot) diff.Options {
	o, _, err := (&diffOptions{predict: string(diff.ByOrder)}).compared(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestCausesAreFoundForRecordedRunsOfPBS(t *testing.T) {
	n := newCauseTally()
	for _, name := range pbsrecordings.Scenarios() {
		for _, series := range recordedCycles(t, name) {
			n.add(t, name, diff.Compare(series, diffOf(t, series[0])))
		}
	}
	n.log(t)
	if n.inversions < 300 || n.kinds[diff.Changed] == 0 || n.kinds[diff.HostState] == 0 {
		t.Error("too little was compared")
	}
	if n.kinds[diff.Tie] > 0 || n.kinds[diff.Unknown] > n.inZoo {
		t.Errorf("%d inversions have no cause but %d of cycles long after the last snapshot", n.kinds[diff.Unknown], n.inZoo)
	}
}

// recordedCycles are the snapshots before and after each recorded cycle of a scenario, the later one with what logs tell; those of
// cycles that follow one another in one series.
func recordedCycles(t *testing.T, name string) (list [][]*model.Snapshot) {
	files, err := pbsrecordings.Scenario(name)
	if err != nil {
		t.Fatal(err)
	}
	var truth struct {
		Steps []struct{ Step string }
	}
	if text, err := fs.ReadFile(files, "truth.json"); err != nil {
		return nil // a recording of a tree, without cycles
	} else if err := json.Unmarshal(text, &truth); err != nil {
		t.Fatal(err)
	}
	was := ""
	for i := 1; i < len(truth.Steps); i++ {
		if truth.Steps[i].Step != "cycle" || truth.Steps[i-1].Step == "cycle" {
			continue
		}
		next := i
		for next+1 < len(truth.Steps) && truth.Steps[next].Step == "cycle" {
			next++
		}
		before, after := pbsStep(t, files, truth.Steps[i-1].Step), pbsStep(t, files, truth.Steps[next].Step)
		if before != nil && after != nil {
			addRecordedLogs(t, files, before, after)
			if last := len(list) - 1; last >= 0 && was == truth.Steps[i-1].Step {
				list[last] = append(list[last], after)
			} else {
				list = append(list, []*model.Snapshot{before, after})
			}
			was = truth.Steps[next].Step
		}
	}
	return list
}

// pbsStep is nil where a step is none.
func pbsStep(t *testing.T, files fs.FS, step string) *model.Snapshot {
	sub, err := fs.Sub(files, step)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fs.Stat(sub, "date.txt"); err != nil {
		return nil
	}
	s, err := pbs.Read(sub, pbs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// addRecordedLogs adds what the logs of a scenario tell of the time between two snapshots.
func addRecordedLogs(t *testing.T, files fs.FS, before, after *model.Snapshot) {
	logs, err := fs.Sub(files, "logs")
	if err != nil {
		t.Fatal(err)
	}
	cycles, err := pbs.ReadCycles(logs, "sched_log.txt", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cycles {
		if c.Start.Unix() >= before.TakenAt.Unix() && c.Start.Before(after.TakenAt) {
			after.PBS.Cycles = append(after.PBS.Cycles, c)
		}
	}
	accounting, err := pbs.ReadAccounting(logs, "accounting.txt", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range accounting {
		if r.At.Unix() >= before.TakenAt.Unix() && !r.At.After(after.TakenAt) {
			after.PBS.Accounting = append(after.PBS.Accounting, r)
		}
	}
}
