package audit

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"qprism/compat"
	"qprism/engine/batch"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
	"qprism/importer"
	"qprism/importer/gridengine"
)

type excuse struct {
	why     string
	hidden  string // a file that the bundles lack
	numbers int
}

// excuses are all that the audit has, by how their sentences begin, and how many numbers of the recordings need each. One that none needs
// goes: without it these numbers are unexplained. Recordings in which a -p was altered between the run and the bundle are missing.
var excuses = []excuse{
	{"started in this run; the master shows", "", 4},
	{"agrees with the altered job 11 later in the scheduler's list", "", 27},
	{"agrees with the altered job 9 later in the scheduler's list", "", 3},
	{"the urgency of resources is not known", "complex.txt", -1},
}

// TestEachExcuseIsNeededByARecording, and nothing else is excused.
func TestEachExcuseIsNeededByARecording(t *testing.T) {
	found := map[string]int{}
	for _, e := range excuses {
		for _, d := range excused(t, e.hidden) {
			if strings.HasPrefix(d.Why, e.why) {
				found[e.why]++
			}
		}
		if n := found[e.why]; n == 0 || e.numbers >= 0 && n != e.numbers {
			t.Errorf("%d numbers need %q, want %d", n, e.why, e.numbers)
		}
	}
	for _, d := range excused(t, "") {
		if !slices.ContainsFunc(excuses, func(e excuse) bool { return e.hidden == "" && strings.HasPrefix(d.Why, e.why) }) {
			t.Errorf("%s of job %d is excused: %s", d.Field, d.Job.Number, d.Why)
		}
	}
}

// TestOnlyAnAlteredJobCanBeLast: the run has cleared job 9, but let job 16 pass it, whose tickets tell; JB_version says that it was altered.
func TestOnlyAnAlteredJobCanBeLast(t *testing.T) {
	for version, want := range map[uint32]batch.Count{1: {Missing: 3}, 0: {Unexplained: 3}} {
		s := recorded(t, "testdata/8.1.9-altered-unseen.tar.gz/run2/after")
		for i := range s.Jobs {
			if s.Jobs[i].Number == 9 {
				s.Jobs[i].Version = version
			}
		}
		if got := audited(s).Sum(); got.Missing != want.Missing || got.Unexplained != want.Unexplained {
			t.Errorf("version %d: %+v", version, got)
		}
	}
}

// excused are the numbers of all recordings that do not agree, in bundles that lack a file. None of them is unexplained while it is there.
func excused(t *testing.T, hidden string) (list []Disagreement) {
	t.Helper()
	archives, err := filepath.Glob("../../../fixtures/gridengine/8.1.9-*.tar.gz")
	if err != nil || len(archives) < 15 {
		t.Fatalf("%d recordings (%v)", len(archives), err)
	}
	for _, archive := range append(archives, "testdata/8.1.9-altered.tar.gz", "testdata/8.1.9-altered-unseen.tar.gz") {
		for n := 1; n <= 4; n++ {
			s := recorded(t, fmt.Sprintf("%s/run%d/after", archive, n))
			if s == nil {
				continue
			}
			hide(s, hidden)
			for _, d := range audited(s).Disagreements {
				if hidden == "" && d.Class == batch.Unexplained || d.Why == "" && d.Class != batch.Unexplained {
					t.Errorf("%s run %d: %s of job %d: %+v", archive, n, d.Field, d.Job.Number, d)
				}
				list = append(list, d)
			}
		}
	}
	return list
}

// recorded is a bundle of a real master, nil where there is none of that name.
func recorded(t *testing.T, path string) *model.Snapshot {
	t.Helper()
	bundle, closer, err := importer.Open(path)
	if err != nil {
		return nil
	}
	defer closer.Close()
	s, err := gridengine.Read(bundle, gridengine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func audited(s *model.Snapshot) *Report {
	_, quirks := compat.For(s.Release)
	return Run(s, Options{Options: lastrun.Options{Quirks: quirks}})
}

// hide takes a file out of a snapshot, with what it told.
func hide(s *model.Snapshot, name string) {
	s.Has = slices.DeleteFunc(s.Has, func(has string) bool { return has == name })
	if name == "complex.txt" {
		s.Resources = nil
	}
}
