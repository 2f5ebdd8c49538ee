package check_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"qprism/engine/formula"
	"qprism/engine/formula/check"
	"qprism/engine/model"
	"qprism/importer/pbs"
)

// sweep are the recorded formulas, and the jobs that they were recorded with.
func sweep(t testing.TB) (fs.FS, *model.Snapshot) {
	t.Helper()
	f, err := os.Open("../../../fixtures/pbs/23.06.06-formula-sweep.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{}
	for r := tar.NewReader(unzipped); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[strings.TrimPrefix(h.Name, "formula_sweep/")] = &fstest.MapFile{Data: data}
	}
	before, err := fs.Sub(files, "before")
	if err != nil {
		t.Fatal(err)
	}
	s, err := pbs.Read(before, pbs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return files, s
}

// A recorded is what PBS did with a formula.
type recorded struct {
	Formula    string
	Exit       int `json:"qmgr_rc"`
	Value      ordered
	Error      map[string]string
	Died       []string `json:"scheduler_died"`
	Considered []string
}

// ordered are the keys of an object, in its order.
type ordered []string

func (o *ordered) UnmarshalJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	for d.More() || len(*o) == 0 {
		token, err := d.Token()
		if err != nil {
			return err
		}
		if key, ok := token.(string); ok {
			*o = append(*o, key)
			if _, err := d.Token(); err != nil {
				return err
			}
		} else if !d.More() {
			return nil
		}
	}
	return nil
}

func formulas(t testing.TB, files fs.FS) []recorded {
	t.Helper()
	data, err := fs.ReadFile(files, "formulas.json")
	if err != nil {
		t.Fatal(err)
	}
	var list struct{ Formulas []recorded }
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	return list.Formulas
}

func has(r *check.Report, kinds ...check.Kind) bool {
	return slices.ContainsFunc(r.Problems, func(p check.Problem) bool {
		return p.Severity == check.Error && slices.Contains(kinds, p.Kind)
	})
}

// notComputed are the recorded formulas that only Python knows.
var notComputed = []string{"[1,2][ncpus]", "len(str(ncpus))", "sum([ncpus,job_priority])",
	"ncpus\\n", "resources_used.cput",
	"1,2", "lambda: 3", "str(ncpus)", "None", "[1]", "complex(1,1)"}

func TestWhatPBSRefusedOrDiedOfIsAnError(t *testing.T) {
	files, s := sweep(t)
	died := 0
	for _, f := range formulas(t, files) {
		r := check.Formula(f.Formula, s)
		if slices.Contains(notComputed, f.Formula) {
			if !has(r, check.Unsupported) {
				t.Errorf("%s: %+v, want that it is not known here", f.Formula, r.Problems)
			}
			continue
		}
		if got := has(r, check.Refused); got != (f.Exit != 0) {
			t.Errorf("%s: refused %v, recorded exit %d", f.Formula, got, f.Exit)
		}
		kills := has(r, check.Quotes, check.NoNumber, check.Statement)
		if len(f.Died) > 0 {
			died++
			if !kills {
				t.Errorf("%s: the scheduler died, but: %+v", f.Formula, r.Problems)
			}
		} else if kills && len(f.Error) == 0 {
			t.Errorf("%s: the scheduler lived, but: %+v", f.Formula, r.Problems)
		}
		if f.Formula == "" {
			continue
		}
		if raises := len(f.Error) > 0; raises != slices.ContainsFunc(r.Problems,
			func(p check.Problem) bool { return p.Kind == check.Exception || p.Kind == check.Statement }) {
			t.Errorf("%s: %d recorded errors, but: %+v", f.Formula, len(f.Error), r.Problems)
		}
	}
	if died != 3 {
		t.Errorf("the scheduler died of %d formulas that are known here, want 3", died)
	}
}

func TestJobsAreEvaluatedAndRankedAsRecorded(t *testing.T) {
	files, s := sweep(t)
	ranked := 0
	for _, f := range formulas(t, files) {
		r := check.Formula(f.Formula, s)
		if len(r.Jobs) == 0 || len(f.Died) > 0 || f.Exit != 0 {
			continue
		}
		var ids []string
		byRank := make([]string, len(f.Considered))
		for _, j := range r.Jobs {
			ids = append(ids, j.ID())
			if j.Rank > 0 && j.Rank <= len(byRank) && !formula.Under(j.Result.Value(), r.Threshold) {
				byRank[j.Rank-1] = j.ID()
			}
		}
		// pbsfs -s before the first: its cycle sorted the jobs before
		if first := f.Formula == "job_priority"; !first && !slices.Equal(ids, f.Value) {
			t.Errorf("%s: evaluated %v, recorded %v", f.Formula, ids, f.Value)
		}
		ranked++
		if !slices.Equal(byRank, f.Considered) {
			t.Errorf("%s: ranked %v, considered %v", f.Formula, byRank, f.Considered)
		}
	}
	if ranked != 68 {
		t.Errorf("%d formulas were ranked, want 68", ranked)
	}
}

func TestProblemsAreToldInWords(t *testing.T) {
	_, s := sweep(t)
	for text, want := range map[string]string{
		"1/fairshare_perc": "warning exception: float division by zero: the value is 0 " +
			"for job 60.pbsvm; the scheduler dies if such a job is the first one that it evaluates " +
			"after a start (guard the division: x/max(y, 1e-6))",
		"1/(job_priority-0)": `error exception: the scheduler dies when it starts: the first job, 51.pbsvm, raises "division by zero"`,
		"10**400":            "error no number: the scheduler dies: the result is a whole number that is too large for a float, not a number, for 12 jobs (51.pbsvm, 52.pbsvm, 54.pbsvm …)",
		"str(ncpus)": "error unsupported: PBS may accept it, but qprism cannot check it: " +
			"qprism does not compute Python's str",
		"job_priority**0.5": "error no number: the scheduler dies: the result is a " +
			"complex number, not a number, for jobs 61.pbsvm, 53.pbsvm (",
		`ncpus if ncpus>3 else "x"`: "error quotes: the scheduler dies: a double quote ends the formula when the scheduler evaluates it",
		"a=3": "error statement: the server takes it, but the scheduler " +
			"cannot evaluate it (invalid syntax): every job gets 0, and this crashes the scheduler after its next start",
		"9**9**9":                  "error hangs: setting it can stop the server: ",
		"ncpus*1e9 + job_priority": "warning ties: different values become equal in 32 bits for ",
		"1e9 + nurg":               "warning term: nurg distinguishes no two jobs: its values",
		"ncpus + 0*walltime":       "note term: 0 * walltime is 0 for every waiting job: it does not affect the order",
		"fairshare_perc + fair_share_perc": "note term: fairshare_perc and fair_share_perc are the same " +
			"for every waiting job",
		"walltime*0":             "warning zeros: the value is 0 for every waiting job: the formula does not change the order",
		"ncpus - 1":              "warning zeros: the value is 0 for ",
		"walltime + 0.1":         "note not requested: walltime is 0 for ",
		"nan":                    "warning nan: the value is no number (nan) for 11 jobs",
		"-inf":                   "warning threshold: the value is not above the threshold -2147483648 for 11 jobs",
		"10^2":                   `warning operator: "^" is exclusive-or of bits, not a power (write a power as "**")`,
		"1 if ncpus else nosuch": "warning unknown name: nosuch is not known: the server accepts it, but a job gets 0 if the scheduler evaluates it",
		"[1, 2][ncpus]": "error unsupported: PBS may accept it, but qprism cannot check it: " +
			"qprism does not compute lists",
		"ncpsu": "error refused: refused: Formula contains invalid keyword " +
			"(error 15124): name 'ncpsu' is not defined (did you mean ncpus?)",
		"fairshare_factor":         "warning switched off: usage is never charged: fair_share is off",
		"fairshare_tree_usage":     "warning fairshare: the value rises with fairshare_tree_usage, so entities that used more come first (fairshare_factor combines both",
		"ncpus - 5*fairshare_perc": "warning fairshare: the value falls with fairshare_perc, so entities",
		"fair_share_perc":          "note deprecated: fair_share_perc is deprecated: its name is fairshare_perc",
		"":                         "note statement: an empty formula unsets job_sort_formula",
	} {
		r := check.Formula(text, s)
		var got []string
		for _, p := range r.Problems {
			line := string(p.Severity) + " " + string(p.Kind) + ": " + p.Text
			if p.Hint != "" {
				line += " (" + p.Hint + ")"
			}
			got = append(got, line)
		}
		if !slices.ContainsFunc(got, func(line string) bool { return strings.HasPrefix(line, want) }) {
			t.Errorf("%s:\n\t%s\nwant\n\t%s", text, strings.Join(got, "\n\t"), want)
		}
	}
}

func TestAServerFormulaStandsInTheWay(t *testing.T) {
	_, s := sweep(t)
	s.PBS.Server.Formula = "job_priority"
	if r := check.Formula("ncpus", s); !has(r, check.Refused) {
		t.Errorf("%+v", r.Problems)
	}
	if r := check.Formula("job_priority", s); r.Failed() {
		t.Errorf("%+v", r.Problems)
	}
}

func TestAResourceNamedLikeAFunctionIsOutOfReach(t *testing.T) {
	_, s := sweep(t)
	s.Resources = append(s.Resources, model.Resource{Name: "e", Type: model.TypePBSFloat})
	r := check.Formula("2*e", s)
	if !slices.ContainsFunc(r.Problems, func(p check.Problem) bool { return p.Kind == check.Shadowed && p.Column == 3 }) {
		t.Errorf("%+v", r.Problems)
	}
}

func TestWithoutAClusterMadeUpJobsAreTried(t *testing.T) {
	for text, want := range map[string]check.Kind{
		"1/fairshare_perc": check.Exception, "(walltime-1)**0.5": check.NoNumber, "log(walltime)": check.Exception,
	} {
		r := check.Formula(text, nil)
		if !slices.ContainsFunc(r.Problems, func(p check.Problem) bool { return p.Kind == want }) {
			t.Errorf("%s: %+v, want %s", text, r.Problems, want)
		}
	}
	if r := check.Formula("job_priority - 1/max(fairshare_perc, 1e-6)", nil); len(r.Problems) > 0 {
		t.Errorf("%+v", r.Problems)
	}
}

func TestASnapshotOfAnotherSystemHasNoJobsToEvaluate(t *testing.T) {
	if r := check.Formula("ncpus", &model.Snapshot{Jobs: []model.Job{{Number: 1}}}); len(r.Jobs) != 0 || r.Failed() {
		t.Errorf("%+v", r)
	}
}
