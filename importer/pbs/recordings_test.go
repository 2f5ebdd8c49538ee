package pbs

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"qprism/engine/model"
	recordings "qprism/fixtures/pbs"
)

// eachStep calls check for every bundle of every recording.
func eachStep(t *testing.T, check func(t *testing.T, bundle fs.FS)) {
	t.Helper()
	n := 0
	for _, name := range recordings.Scenarios() {
		scenario := mustScenario(t, name)
		steps, err := recordings.Steps(scenario)
		if err != nil {
			t.Fatal(err)
		}
		for _, step := range steps {
			n++
			bundle, err := fs.Sub(scenario, step)
			if err != nil {
				t.Fatal(err)
			}
			t.Run(name+"/"+step, func(t *testing.T) { check(t, bundle) })
		}
	}
	if n != 134 {
		t.Errorf("%d bundles", n)
	}
}

func mustScenario(t testing.TB, name string) fs.FS {
	t.Helper()
	scenario, err := recordings.Scenario(name)
	if err != nil {
		t.Fatal(err)
	}
	return scenario
}

func mustRead(t testing.TB, bundle fs.FS) *model.Snapshot {
	t.Helper()
	s, err := Read(bundle, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestEveryRecordingReadsWithoutAProblemOrAnUnknownWord(t *testing.T) {
	eachStep(t, func(t *testing.T, bundle fs.FS) {
		s := mustRead(t, bundle)
		for _, u := range s.Unknown {
			t.Errorf("unknown: %+v", u)
		}
		for _, r := range s.PBS.Repairs {
			t.Errorf("repaired: %+v", r)
		}
		if s.System != model.PBSSystem || s.Release.Version != "23.06.06" || s.Cluster != "pbsvm" ||
			s.TakenAt.IsZero() || len(s.Hosts) < 4 {
			t.Errorf("%q %v %q %v, %d hosts", s.System, s.Release, s.Cluster, s.TakenAt, len(s.Hosts))
		}
	})
}

// Quirks P20 and P21. The forms of one listing were printed one after the other, so that what changes by
// itself may differ.
func TestAllFormsOfAListingGiveTheSameJobs(t *testing.T) {
	compared := 0
	eachStep(t, func(t *testing.T, bundle fs.FS) {
		if _, err := fs.Stat(bundle, "qstat_f.dsv"); err != nil {
			return
		}
		want := mustRead(t, bundle).Jobs
		for _, file := range []string{"qstat_f.dsv", "qstat_f_w.txt", "qstat_f.txt"} {
			got := mustRead(t, only(t, bundle, file, "date.txt", "qmgr_print_resource.txt")).Jobs
			if diff := cmp.Diff(want, got, sameJobs...); diff != "" {
				t.Errorf("%s (-json +%s):\n%s", file, file, diff)
			}
			compared += len(got)
		}
	})
	if compared < 1000 {
		t.Errorf("%d jobs compared", compared)
	}
}

// sameJobs lets jobs be the same of which one was listed a moment later: clocks of running jobs, jobs that
// just start. It lets 0.256 be 0.2560, and a comment lack the commas that wrapped text loses.
var sameJobs = []cmp.Option{
	cmpopts.EquateNaNs(), cmpopts.EquateEmpty(),
	cmp.Transformer("still", func(j model.PBSJob) stillJob {
		j.Used, j.Modified = nil, time.Time{}
		if j.AccrueType == 2 || j.State == "R" {
			j.EligibleTime = 0
		}
		if j.State == "R" {
			j.Substate, j.AccrueType = 0, 0
		}
		return stillJob(j)
	}),
	cmp.Comparer(func(a, b model.Request) bool {
		return a.Resource == b.Resource && a.Amount == b.Amount && (a.Value == b.Value || a.Amount != 0)
	}),
}

type stillJob model.PBSJob

// only is a bundle with some files of another.
func only(t testing.TB, bundle fs.FS, files ...string) fstest.MapFS {
	t.Helper()
	some := fstest.MapFS{}
	for _, file := range files {
		if text, err := fs.ReadFile(bundle, file); err == nil {
			some[file] = &fstest.MapFile{Data: text}
		}
	}
	return some
}

func TestAllFormsOfTheOtherListingsGiveTheSame(t *testing.T) {
	listings := map[string][]string{
		"queues": {"qstat_Qf.json", "qstat_Qf.txt", "qmgr_list_queue.txt"},
		"server": {"qstat_Bf.json", "qstat_Bf.txt", "qmgr_list_server.txt"},
		"nodes":  {"pbsnodes_av.json", "pbsnodes_av.txt", "qmgr_list_node.txt"},
		"sched":  {"qmgr_list_sched.txt", "qmgr_print_sched.txt"},
	}
	eachStep(t, func(t *testing.T, bundle fs.FS) {
		if _, err := fs.Stat(bundle, "qstat_Bf.txt"); err != nil {
			return
		}
		for part, files := range listings {
			var first readParts
			for i, file := range files {
				s := mustRead(t, only(t, bundle, file, "date.txt"))
				got := readParts{s.Hosts, s.Queues, s.PBS.Server, s.PBS.Schedulers}
				if i == 0 {
					first = got
				} else if diff := cmp.Diff(first, got, sameListings...); diff != "" {
					t.Errorf("%s (-%s +%s):\n%s", part, files[0], file, diff)
				}
			}
		}
	})
}

type readParts struct {
	Hosts      []model.Host
	Queues     []model.Queue
	Server     model.PBSServer
	Schedulers []model.PBSScheduler
}

// sameListings passes over what one form prints and the other does not, amounts of 0, processors of jobs,
// raw texts; over what changed between two of them; and over blanks that wrapped text loses.
var sameListings = []cmp.Option{
	cmp.Transformer("blanks", func(s model.PBSScheduler) wrapped {
		s.PreemptPrio = strings.ReplaceAll(s.PreemptPrio, ", ", ",")
		return wrapped(s)
	}),
	cmpopts.IgnoreFields(wrapped{}, "Attributes"),
	cmpopts.EquateEmpty(),
	cmpopts.IgnoreFields(model.PBSServer{}, "Attributes"), cmpopts.IgnoreFields(model.Queue{}, "Attributes"),
	cmpopts.IgnoreFields(model.PBSQueue{}, "Assigned"),
	cmpopts.IgnoreFields(model.PBSHost{}, "Attributes", "Jobs"),
	cmp.FilterValues(func(a, b []model.Setting) bool { return len(a)+len(b) > 0 }, cmp.Transformer("amounts", amounts)),
}

type wrapped model.PBSScheduler

// amounts are the settings by name, without those of 0.
func amounts(list []model.Setting) map[string]string {
	m := map[string]string{}
	for _, s := range list {
		if v, ok := model.PBSAmount(s.Value); v != 0 || !ok {
			m[s.Name] = s.Value
		}
	}
	return m
}

func TestPrintedSettingsAreThoseOfTheListings(t *testing.T) {
	eachStep(t, func(t *testing.T, bundle fs.FS) {
		listed := mustRead(t, only(t, bundle, "date.txt", "qstat_Bf.json", "qstat_Qf.json", "pbsnodes_av.json"))
		printed := mustRead(t, only(t, bundle, "date.txt", "qmgr_print_server.txt", "qmgr_print_node.txt"))
		if diff := cmp.Diff(listed.PBS.Server.Limits, printed.PBS.Server.Limits); diff != "" {
			t.Errorf("server limits: %s", diff)
		}
		for i, q := range printed.Queues {
			want := listed.Queues[i]
			if q.Name != want.Name || q.PBS.Priority != want.PBS.Priority || q.PBS.Started != want.PBS.Started ||
				!cmp.Equal(q.PBS.Limits, want.PBS.Limits) {
				t.Errorf("queue %+v\nwant %+v", q.PBS, want.PBS)
			}
		}
		if len(printed.Queues) == 0 || len(printed.Hosts) != len(listed.Hosts) {
			t.Errorf("%d queues, %d of %d hosts", len(printed.Queues), len(printed.Hosts), len(listed.Hosts))
		}
	})
}

// A cycleTruth is what the recording says of one cycle.
type cycleTruth struct {
	Start, End   string
	Formula      map[string]string
	FormulaError map[string]string `json:"formula_error"`
	Considered   []string
	Run          []string
	NotRun       [][2]string `json:"not_run"`
	TopJobs      [][2]string
	Preempted    [][2]string
}

func TestCyclesAreThoseOfTheRecordings(t *testing.T) {
	total := 0
	for _, name := range recordings.Scenarios() {
		t.Run(name, func(t *testing.T) {
			scenario := mustScenario(t, name)
			cycles, err := ReadCycles(scenario, "logs/sched_log.txt", nil)
			if err != nil {
				t.Fatal(err)
			}
			var truth struct{ Cycles []cycleTruth }
			readJSON(t, scenario, "truth.json", &truth)
			if len(cycles) < len(truth.Cycles) {
				t.Fatalf("%d cycles, want %d", len(cycles), len(truth.Cycles))
			}
			for i, want := range truth.Cycles {
				want.NotRun = slices.DeleteFunc(want.NotRun, func(p [2]string) bool {
					return strings.HasPrefix(p[1], "Job will run for duration=") // it runs, for less time
				})
				checkCycle(t, cycles[i], want)
			}
			total += len(truth.Cycles)
		})
	}
	if total < 400 {
		t.Errorf("%d cycles", total)
	}
}

func readJSON(t *testing.T, folder fs.FS, file string, into any) {
	t.Helper()
	text, err := fs.ReadFile(folder, file)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func checkCycle(t *testing.T, got model.SchedCycle, want cycleTruth) {
	t.Helper()
	if s := got.Start.Format("01/02/2006 15:04:05"); s != want.Start {
		t.Fatalf("cycle at %s, want %s", s, want.Start)
	}
	jobs := func(kind model.EventKind) (list []string) {
		for _, e := range got.Of(kind) {
			list = append(list, e.Object)
		}
		return list
	}
	texts := func(kinds ...model.EventKind) (list [][2]string) {
		for _, e := range got.Events {
			if slices.Contains(kinds, e.Kind) {
				list = append(list, [2]string{e.Object, e.Text})
			}
		}
		return list
	}
	values := func(kind model.EventKind, prefix string) map[string]string {
		m := map[string]string{}
		for _, e := range got.Of(kind) {
			m[e.Object] = prefix + e.Text
		}
		return m
	}
	for what, pair := range map[string][2]any{
		"considered": {jobs(model.EventConsidered), want.Considered},
		"run":        {jobs(model.EventRun), want.Run},
		"not run":    {texts(model.EventNotRun, model.EventNever), want.NotRun},
		"top jobs":   {texts(model.EventTopJob), want.TopJobs},
		"preempted":  {texts(model.EventPreempted), want.Preempted},
		"formula":    {values(model.EventFormula, ""), want.Formula},
		"formula error": {values(model.EventFormulaError,
			"Formula evaluation for job had an error.  Zero value will be used: "),
			want.FormulaError},
	} {
		if diff := cmp.Diff(pair[1], pair[0], cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("cycle at %s: %s (-truth +log):\n%s", want.Start, what, diff)
		}
	}
	for _, e := range got.Of(model.EventTopJob) {
		if e.Start.Format("Mon Jan _2 15:04:05 2006") != e.Text {
			t.Errorf("%s: start %v", e.Text, e.Start)
		}
	}
}

func TestStartsAreThoseOfTheAccounting(t *testing.T) {
	records := 0
	for _, name := range recordings.Scenarios() {
		scenario := mustScenario(t, name)
		list, err := ReadAccounting(scenario, "logs/accounting.txt", nil)
		if err != nil {
			t.Fatal(err)
		}
		var truth struct {
			Starts [][2]string `json:"accounting_S"`
		}
		readJSON(t, scenario, "truth.json", &truth)
		var starts [][2]string
		for _, r := range list {
			if r.Type == "S" {
				starts = append(starts, [2]string{r.At.Format("01/02/2006 15:04:05"), r.ID})
				if at, err := parseSeconds(r.Value("start")); err != nil || r.Value("queue") == "" ||
					r.At.Sub(at).Abs().Seconds() > 5 {
					t.Errorf("%s: start %q, queue %q", r.ID, r.Value("start"), r.Value("queue"))
				}
			}
			if len(r.Fields) == 0 && r.Type != "r" && r.Type != "D" {
				t.Errorf("%s %s: %q", r.Type, r.ID, r.Text)
			}
		}
		if diff := cmp.Diff(truth.Starts, starts, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		records += len(list)
	}
	if records < 2000 {
		t.Errorf("%d records", records)
	}
}

// What pbsfs shows of an entity agrees with what it shows of the tree.
func TestEntitiesAreThoseOfTheTree(t *testing.T) {
	entities := 0
	eachStep(t, func(t *testing.T, bundle fs.FS) {
		s := mustRead(t, bundle)
		for _, e := range s.PBS.FairEntities {
			i := slices.IndexFunc(s.PBS.Fair, func(n model.FairReport) bool { return n.Name == e.Name })
			if i < 0 {
				t.Fatalf("%s is not in the tree", e.Name)
			}
			entities++
			n := s.PBS.Fair[i]
			if n.Group != e.Group || n.Cresgroup != e.Cresgroup || n.Shares != e.Shares || n.Usage != e.Usage ||
				math.Abs(n.Percent-e.Percentage) > 0.0005 || n.Depth != max(len(e.Path)-1, 0) || math.IsNaN(e.TreeUsage) {
				t.Errorf("%+v\n%+v", n, e)
			}
		}
	})
	if entities < 100 {
		t.Errorf("%d entities", entities)
	}
}

// The usage file and pbsfs say the same, but for digits.
func TestUsageIsWhatPbsfsShows(t *testing.T) {
	leaves := 0
	eachStep(t, func(t *testing.T, bundle fs.FS) {
		s := mustRead(t, bundle)
		for _, u := range s.PBS.Fairshare.Usage.Records {
			i := slices.IndexFunc(s.PBS.Fair, func(n model.FairReport) bool { return n.Name == u.Name })
			if i < 0 || fmt.Sprintf("%.0f", s.PBS.Fair[i].Usage) != fmt.Sprintf("%.0f", u.Usage) {
				t.Errorf("%+v is not in the tree", u)
			}
			leaves++
		}
	})
	if leaves < 40 {
		t.Errorf("%d records", leaves)
	}
}
