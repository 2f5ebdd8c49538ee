package formula_test

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"qprism/engine/formula"
	"qprism/engine/formula/python"
	"qprism/engine/model"
	"qprism/engine/pbs/fairshare"
	"qprism/importer/pbs"
)

// recordings are those of OpenPBS 23.06.06 that tell of formulas.
func recordings(t testing.TB) fs.FS {
	t.Helper()
	files := fstest.MapFS{}
	for _, name := range []string{"formula-sweep", "ge-style-formula", "eligible-time"} {
		unpack(t, "../../fixtures/pbs/23.06.06-"+name+".tar.gz", files)
	}
	return files
}

func unpack(t testing.TB, archive string, into fstest.MapFS) {
	t.Helper()
	f, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(unzipped); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if h.Typeflag == tar.TypeReg {
			into[h.Name] = &fstest.MapFile{Data: data}
		}
	}
}

func snapshotOf(t testing.TB, files fs.FS, dir string) *model.Snapshot {
	t.Helper()
	bundle, err := fs.Sub(files, dir)
	if err != nil {
		t.Fatal(err)
	}
	s, err := pbs.Read(bundle, pbs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func readJSON(t testing.TB, files fs.FS, name string, into any) {
	t.Helper()
	data, err := fs.ReadFile(files, name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// inputs are those of all jobs at a time, by job id.
func inputs(s *model.Snapshot, at time.Time) map[string]formula.Input {
	tree := fairshare.Start(s.PBS.Fairshare, at)
	priority := map[string]int{}
	for _, q := range s.Queues {
		priority[q.Name] = q.PBS.Priority
	}
	names := make([]string, len(s.Jobs))
	for i := range s.Jobs {
		names[i] = fairshare.EntityOf(s.PBS.Fairshare.Policy, &s.Jobs[i])
	}
	nodes := tree.Entities(names)
	tree.Begin(fairshare.Cycle{At: at, Formula: true})
	all := map[string]formula.Input{}
	for i := range s.Jobs {
		j := &s.Jobs[i]
		in := formula.InputOf(j, priority[j.PBS.Queue], at.Sub(s.TakenAt.Truncate(time.Second)))
		in.Perc, in.TreeUsage = nodes[i].Perc, nodes[i].TreeUsage
		all[j.PBS.ID] = in
	}
	return all
}

// logTime is a time in the scheduler's log.
func logTime(t testing.TB, text string) time.Time {
	at, err := time.Parse("01/02/2006 15:04:05", text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// A recorded is one formula of formulas.json.
type recorded struct {
	Formula string
	Exit    int    `json:"qmgr_rc"`
	Stderr  string `json:"qmgr_stderr"`
	Cycle   string
	Value   map[string]string
	Error   map[string]string
	Died    []string `json:"scheduler_died"`
}

func TestEveryRecordedFormulaIsAcceptedRefusedAndComputedAsRecorded(t *testing.T) {
	files := recordings(t)
	s := snapshotOf(t, files, "formula_sweep/before")
	names := formula.NamesOf(s.Resources)
	var sweep struct{ Formulas []recorded }
	readJSON(t, files, "formula_sweep/formulas.json", &sweep)
	count := map[string]int{}
	for _, r := range sweep.Formulas {
		if column, ok := notComputed[r.Formula]; ok {
			count["not computed"]++
			var e *python.Error
			if _, err := formula.ParseJob(r.Formula, names); !errors.As(err, &e) ||
				e.Class != python.Unsupported || e.Column != column {
				t.Errorf("%s: %v, want a refusal at column %d", r.Formula, err, column)
			}
			continue
		}
		switch outcome := r.check(t, s, names); outcome {
		case "values":
			count[outcome] += len(r.Value)
			count["formulas with values"]++
		default:
			count[outcome]++
		}
	}
	t.Logf("%d formulas: %v", len(sweep.Formulas), count)
	if len(sweep.Formulas) != 103 || count["refused"] != 19 || count["kills"] != 1 || count["unset"] != 1 ||
		count["values"] != 828 ||
		count["formulas with values"] != 69 || count["not computed"] != 13 {
		t.Errorf("%d formulas: %v", len(sweep.Formulas), count)
	}
}

// notComputed are the recorded formulas that only Python knows, and the column at which each is refused.
var notComputed = map[string]int{"[1,2][ncpus]": 1, "len(str(ncpus))": 1, "sum([ncpus,job_priority])": 1, "ncpus\\n": 6,
	"resources_used.cput": 15, "1,2": 2, `__import__("os")`: 1, "lambda: 3": 1, "str(ncpus)": 1, "None": 1, "[1]": 1,
	"complex(1,1)": 1, `ncpus if ncpus>3 else "x"`: 23}

// check compares one formula, and says what became of it.
func (r recorded) check(t *testing.T, s *model.Snapshot, names formula.Names) string {
	if r.Formula == "" {
		return "unset"
	}
	err := formula.Validate(r.Formula, names)
	var refusal *formula.Refusal
	statement := err != nil && asPython(err).Class == python.Statement
	if errors.As(err, &refusal) != (r.Exit != 0) || err != nil && refusal == nil && !statement {
		t.Errorf("%s: %v, qmgr's exit status was %d %s", r.Formula, err, r.Exit, r.Stderr)
	}
	if r.Exit != 0 {
		r.checkRefusal(t, refusal)
		return "refused"
	}
	f, err := formula.ParseJob(r.Formula, names)
	switch {
	case len(r.Died) > 0:
		if err == nil {
			t.Errorf("%s is read, but the scheduler died of it", r.Formula)
		}
		return "kills"
	case err != nil:
		return r.checkError(t, err)
	}
	all := inputs(s, logTime(t, r.Cycle))
	for id, want := range r.Value {
		got := f.Evaluate(all[id])
		if got.NoType != "" {
			t.Errorf("%s: job %s: a %s, recorded %s", r.Formula, id, got.NoType, want)
		}
		if text := formula.Print(got.Value()); text != want {
			t.Errorf("%s: job %s = %s, recorded %s", r.Formula, id, text, want)
		}
		if text := message(got); text != r.Error[id] {
			t.Errorf("%s: job %s: %q, recorded %q", r.Formula, id, text, r.Error[id])
		}
	}
	return "values"
}

// checkRefusal compares what qmgr printed.
func (r recorded) checkRefusal(t *testing.T, got *formula.Refusal) {
	switch {
	case got == nil:
	case got.Exit != r.Exit:
		t.Errorf("%s: exit %d, recorded %d", r.Formula, got.Exit, r.Exit)
	case !strings.Contains(r.Stderr, got.Message):
		t.Errorf("%s: %q, recorded %q", r.Formula, got.Message, r.Stderr)
	case got.Code != 0 && !strings.Contains(r.Stderr, fmt.Sprintf("(%d)", got.Code)):
		t.Errorf("%s: code %d, recorded %q", r.Formula, got.Code, r.Stderr)
	}
}

// checkError wants the same syntax error for every job, which makes it 0.
func (r recorded) checkError(t *testing.T, err error) string {
	e := asPython(err)
	if e.Class != python.Statement {
		t.Errorf("%s: %v", r.Formula, err)
		return "unknown"
	}
	for id, value := range r.Value {
		if value != "0" || !strings.Contains(r.Error[id], e.Message+" (<string>, line 1)") {
			t.Errorf("%s: job %s: %s %q, computed here %q", r.Formula, id, value, r.Error[id], e.Message)
		}
	}
	return "values"
}

func asPython(err error) (e *python.Error) {
	errors.As(err, &e)
	return e
}

// message is the line of the scheduler's log about an exception.
func message(r formula.Result) string {
	if r.Err == nil {
		return ""
	}
	return "Formula evaluation for job had an error.  Zero value will be used: " + r.Err.Message
}

func TestAGridEngineStyleFormulaHasTheRecordedValues(t *testing.T) {
	files := recordings(t)
	s := snapshotOf(t, files, "ge_style_formula/before")
	var runs struct {
		Runs []struct {
			recorded
			Epoch float64
		}
	}
	readJSON(t, files, "ge_style_formula/formulas.json", &runs)
	values := 0
	for _, r := range runs.Runs {
		f, err := formula.ParseJob(r.Formula, formula.NamesOf(s.Resources))
		if err != nil {
			t.Fatal(err)
		}
		values += compareValues(t, r.Formula, f, inputs(s, time.Unix(int64(r.Epoch), 0)), r.Value, nil)
	}
	if len(runs.Runs) != 6 || values != 78 {
		t.Errorf("%d values of %d formulas, want 78 of 6", values, len(runs.Runs))
	}
}

// compareValues compares the printed values of all jobs but those excepted, and says how many.
func compareValues(t *testing.T, what string, f *formula.Job, all map[string]formula.Input, want map[string]string,
	except map[string]string) (n int) {
	t.Helper()
	for id, value := range want {
		in, known := all[id]
		if got := formula.Print(f.Evaluate(in).Value()); (got != value || !known) && except[id] == "" {
			t.Errorf("%s: job %s = %s, recorded %s", what, id, got, value)
		}
		n++
	}
	return n
}

// TestEligibleTimeGoesOnBetweenSnapshotAndCycle compares the cycles that follow a snapshot.
func TestEligibleTimeGoesOnBetweenSnapshotAndCycle(t *testing.T) {
	files := recordings(t)
	var truth struct {
		Cycles []struct {
			Start   string
			Formula map[string]string
		}
	}
	readJSON(t, files, "eligible_time/truth.json", &truth)
	recorded := map[string]map[string]string{}
	for _, c := range truth.Cycles {
		recorded[c.Start] = c.Formula
	}
	for cycle, c := range map[string]struct {
		snapshot string
		except   map[string]string // by job: what happened in between
	}{
		"11/21/2026 08:14:53": {"t0", nil},
		"11/21/2026 08:15:09": {"t0", map[string]string{"615.pbsvm": "the cycle before made it ineligible: over a limit"}},
		"11/21/2026 08:15:14": {"t1", map[string]string{"619.pbsvm": "submitted after the snapshot"}},
		"11/21/2026 08:15:35": {"t1", map[string]string{"619.pbsvm": "submitted after the snapshot",
			"616.pbsvm": "released after the snapshot"}},
		"11/21/2026 08:15:39": {"t2",
			map[string]string{"619.pbsvm": "its eligible_time was set after the snapshot, by qalter"}},
	} {
		s := snapshotOf(t, files, "eligible_time/"+c.snapshot)
		f, err := formula.ParseJob(s.PBS.Formula, formula.NamesOf(s.Resources))
		if err != nil {
			t.Fatal(err)
		}
		if n := compareValues(t, cycle, f, inputs(s, logTime(t, cycle)), recorded[cycle], c.except); n < 7 {
			t.Errorf("%s: only %d values", cycle, n)
		}
	}
}

func TestJobsUnderAThresholdAreThoseRecorded(t *testing.T) { // P16
	files := recordings(t)
	s := snapshotOf(t, files, "formula_sweep/threshold")
	f, err := formula.ParseJob("job_priority", formula.NamesOf(s.Resources))
	if err != nil {
		t.Fatal(err)
	}
	all := inputs(s, s.TakenAt)
	var sweep struct {
		Threshold []struct {
			Threshold string
			Value     map[string]string
			NotRun    [][2]string `json:"not_run"`
		}
	}
	readJSON(t, files, "formula_sweep/formulas.json", &sweep)
	under := 0
	for _, c := range sweep.Threshold {
		threshold, ok := model.PBSAmount(c.Threshold)
		if !ok {
			threshold = formula.DefaultThreshold
		}
		compareValues(t, "threshold "+c.Threshold, f, all, c.Value, nil)
		recorded := map[string]bool{}
		for _, reason := range c.NotRun {
			recorded[reason[0]] = reason[1] == "Job is under job_sort_formula threshold value"
		}
		for id, want := range recorded {
			if got := formula.Under(f.Evaluate(all[id]).Value(), threshold); got != want {
				t.Errorf("threshold %s: job %s: %v, recorded %v", c.Threshold, id, got, want)
			}
			if want {
				under++
			}
		}
	}
	if len(sweep.Threshold) != 5 || under == 0 {
		t.Errorf("%d thresholds, %d jobs under them", len(sweep.Threshold), under)
	}
}

// TestFloatResourcesAreStoredAsTheyArePrinted compares what an administrator set by qalter with what qstat shows.
func TestFloatResourcesAreStoredAsTheyArePrinted(t *testing.T) { // P27
	files := recordings(t)
	s := snapshotOf(t, files, "ge_style_formula/before")
	var runs struct{ Wanted map[string]map[string]float64 }
	readJSON(t, files, "ge_style_formula/formulas.json", &runs)
	n := 0
	for i := range s.Jobs {
		j := &s.Jobs[i]
		for _, r := range j.Hard {
			wanted, ok := runs.Wanted[j.PBS.ID][r.Resource]
			if !ok {
				continue
			}
			n++
			if got, err := formula.Amount(wanted).Float64(); err != nil || got != r.Amount {
				t.Errorf("job %s: %s = %v was set, %s shown, %v computed", j.PBS.ID, r.Resource, wanted, r.Value, got)
			}
		}
	}
	if n != 36 {
		t.Errorf("%d resources compared, want 36", n)
	}
	if got, err := formula.Amount(0.0005).Float64(); err != nil || got != 0 {
		t.Errorf("0.0005 is stored as %v", got)
	}
}
