package explain_test

import (
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"qprism/compat"
	"qprism/engine/explain"
	gridexplain "qprism/engine/gridengine/explain"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
	pbsexplain "qprism/engine/pbs/explain"
	"qprism/fixtures/archive"
	recorded "qprism/fixtures/pbs"
	"qprism/importer/cluster"
)

// recordings calls with every bundle of real masters, Grid Engine's and PBS's. QPRISM_CAPTURES names a folder of more,
// unpacked.
func recordings(t *testing.T, each func(name string, s *model.Snapshot)) {
	t.Helper()
	archives, err := filepath.Glob("../../fixtures/gridengine/*.tar.gz")
	if err != nil || len(archives) == 0 {
		t.Fatal(archives, err)
	}
	for _, file := range archives {
		for n := 1; ; n++ {
			found := false
			for _, when := range []string{"before", "after"} {
				name := fmt.Sprintf("%s/run%d/%s", file, n, when)
				if bundle, err := archive.At(name); err == nil {
					found = true
					each(name, read(t, name, bundle))
				}
			}
			if !found {
				break
			}
		}
	}
	for _, name := range recorded.Scenarios() {
		scenario, err := recorded.Scenario(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := fs.Stat(scenario, "."); err == nil { // one archive holds files for the tests of fairshare alone
			bundles(t, name, scenario, each)
		}
	}
	if dir := os.Getenv("QPRISM_CAPTURES"); dir != "" {
		bundles(t, dir, os.DirFS(dir), each)
	}
}

// bundles calls with every folder that is one.
func bundles(t *testing.T, name string, tree fs.FS, each func(name string, s *model.Snapshot)) {
	t.Helper()
	err := fs.WalkDir(tree, ".", func(dir string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || path.Base(dir) != "date.txt" && path.Base(dir) != "qstat.xml" {
			return err
		}
		bundle, err := fs.Sub(tree, path.Dir(dir))
		if err != nil {
			return err
		}
		each(path.Join(name, path.Dir(dir)), read(t, dir, bundle))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func read(t testing.TB, name string, bundle fs.FS) *model.Snapshot {
	t.Helper()
	s, err := cluster.Read(bundle, cluster.Options{})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return s
}

func sceneOf(s *model.Snapshot) (explain.Scene, error) { return sceneAt(s, time.Time{}) }

// sceneAt is the scene of a moment; zero where the snapshot tells it.
func sceneAt(s *model.Snapshot, at time.Time) (explain.Scene, error) {
	if s.PBS != nil {
		return pbsexplain.New(s, at), nil
	}
	_, quirks := compat.For(s.Release)
	sc, err := gridexplain.New(s, lastrun.Options{Quirks: quirks, At: at})
	if err != nil {
		return nil, err
	}
	return sc, nil
}

// ids are the jobs of a snapshot as explain takes them.
func ids(s *model.Snapshot) []string {
	var list []string
	for i := range s.Jobs {
		if p := s.Jobs[i].PBS; p != nil {
			list = append(list, p.ID)
		} else {
			list = append(list, fmt.Sprint(s.Jobs[i].Number))
		}
	}
	return list
}

func TestEveryTermIsWhatItsTermsMake(t *testing.T) {
	jobs, terms := 0, 0
	recordings(t, func(name string, s *model.Snapshot) {
		sc, err := sceneOf(s)
		if err != nil {
			return
		}
		for _, id := range ids(s) {
			e, err := sc.Explain(id)
			if err != nil {
				t.Errorf("%s: job %s: %v", name, id, err)
				continue
			}
			jobs++
			for _, c := range e.Criteria {
				terms += checkTerm(t, name+": job "+id, &c.Term)
			}
		}
	})
	t.Logf("%d jobs, %d terms", jobs, terms)
	if jobs < 500 || terms < 10000 {
		t.Errorf("only %d jobs with %d terms", jobs, terms)
	}
}

// checkTerm evaluates a term and all below it from what they are made of. Sums are added in another order than the master's,
// and percentages of PBS have 24 bits.
func checkTerm(t *testing.T, where string, term *explain.Term) int {
	where += " " + strings.ReplaceAll(term.Name, " ", "_")
	v := term.Evaluate()
	if math.Abs(v-term.Value) > 1e-9*math.Max(1, math.Abs(term.Value)) && !(math.IsNaN(v) && math.IsNaN(term.Value)) {
		t.Errorf("%s: %v is not what %q makes: %v", where, term.Value, term.Expression(), v)
	}
	n := 1
	for i := range term.Terms {
		n += checkTerm(t, where, &term.Terms[i])
	}
	return n
}

func TestSpansAreInTheUnitThatFits(t *testing.T) {
	for seconds, want := range map[float64]string{0: "0 s", 119: "119 s", 120: "2.0 min", 7200: "2.0 h", 48 * 3600: "2.0 days",
		1e8: "1157.4 days", 1e9: "31.69 years", 4.29e14: "13590000 years"} {
		if got := explain.SpanOf(seconds); got != want {
			t.Errorf("%g s: %s, want %s", seconds, got, want)
		}
	}
}
