package qstat_test

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strings"
	"testing"
	"time"

	"qprism/engine/model"
	"qprism/importer"
	"qprism/importer/gridengine"
	"qprism/importer/gridengine/expect"
	"qprism/importer/gridengine/sample"
)

// testdata/8.1.9-forms.tar.gz holds what a real master printed of one moment: a bundle, and in forms/ the output of
// qstat with other options. Its local time is two hours ahead, and its jobs have names, holds, reservations and grants
// that the other recordings lack.
const forms = "../testdata/8.1.9-forms.tar.gz"

// formOf is a bundle whose qstat.xml is another form of the one in the recording.
func formOf(t *testing.T, name string, with ...string) fs.FS {
	t.Helper()
	files := map[string]string{"MANIFEST": "utc_offset +0200\n", "qstat.xml": sample.Text(t, forms+"/forms", name)}
	for _, file := range with {
		files[file] = sample.Text(t, forms+"/bundle", file)
	}
	return expect.Bundle(files)
}

func TestEveryFormOfQstatShowsTheSameTasks(t *testing.T) {
	want := tasksOf(sample.Read(t, formOf(t, "qstat.xml")))
	if len(want) < 30 {
		t.Fatalf("only %d tasks", len(want))
	}
	for name, what := range map[string]string{
		"qstat-nog.xml":   "without -g d: waiting tasks in groups",
		"qstat-gt.xml":    "with -g t: a row for each slot",
		"qstat-plain.xml": "without any option",
		"qstat-ext.xml":   "with -ext only, which shows no times",
		"qstat-t.xml":     "with -t, which is like -g t",
	} {
		t.Run(what, func(t *testing.T) {
			got := tasksOf(sample.Read(t, formOf(t, name)))
			if name == "qstat-t.xml" {
				// Its master has a row and no slot, and without -r nothing tells.
				expect.Same(t, "slots and one", got["9.1"], "r 6 all.q@node03")
				got["9.1"] = want["9.1"]
			}
			expect.Same(t, name, got, want)
		})
	}
}

// tasksOf says of every task its state, slots and master queue instance.
func tasksOf(snap *model.Snapshot) map[string]string {
	all := map[string]string{}
	for _, j := range snap.Jobs {
		for _, task := range j.Tasks {
			for _, id := range expect.Numbers(task.IDs) {
				queue := ""
				if len(task.Granted) > 0 {
					queue = task.Granted[0].Instance
				}
				all[fmt.Sprintf("%d.%d", j.Number, id)] = fmt.Sprintf("%s %d %s", task.State, task.Slots, queue)
			}
		}
	}
	return all
}

func TestSlotsOfAParallelTaskAreSpreadAsTheMasterGrantedThem(t *testing.T) {
	spread := map[string][]model.Grant{
		"par":  {{Instance: "all.q@node03", Slots: 5}}, // its master process is no task of the parallel environment
		"par2": {{Instance: "all.q@node01", Slots: 4}, {Instance: "all.q@node02", Slots: 5}},
	}
	unknown := map[string][]model.Grant{"par": {{Instance: "all.q@node03"}}, "par2": {{Instance: "all.q@node01"}}}
	for what, c := range map[string]struct {
		bundle fs.FS
		want   map[string][]model.Grant
	}{
		"with -g t":                           {formOf(t, "qstat-gt.xml"), spread},
		"from qstat -f":                       {formOf(t, "qstat.xml", "qstat-f.xml"), spread},
		"not at all, where nothing tells it":  {formOf(t, "qstat.xml"), unknown},
		"nor where only the total is printed": {formOf(t, "qstat-plain.xml"), unknown},
	} {
		t.Run(what, func(t *testing.T) {
			snap := sample.Read(t, c.bundle)
			for name, want := range c.want {
				expect.Same(t, name, sortedTail(jobOf(t, snap, name).Tasks[0].Granted), sortedTail(want))
			}
		})
	}
}

func TestSlotsAreSpreadByAnotherCommandOnlyWhereBothAgree(t *testing.T) {
	files := map[string]string{
		"qstat.xml": sample.Text(t, forms+"/forms", "qstat.xml"),
		"qstat-f.xml": strings.ReplaceAll(sample.Text(t, forms+"/bundle", "qstat-f.xml"), "<slots>4</slots>",
			"<slots>3</slots>"),
	}
	expect.Same(t, "grants", jobOf(t, sample.Read(t, expect.Bundle(files)), "par2").Tasks[0].Granted,
		[]model.Grant{{Instance: "all.q@node01"}})
}

func TestASlaveRowBeforeTheMastersIsASlot(t *testing.T) {
	const rows = "<job_list state=\"running\"><JB_job_number>1</JB_job_number><state>r</state><queue_name>%s</queue_name>" +
		"<master>%s</master><slots>1</slots><granted_pe name=\"mpi\">3</granted_pe></job_list>"
	snap := sample.OnlyQstat(t, fmt.Sprintf(rows, "a@x", "SLAVE"), fmt.Sprintf(rows, "b@y", "MASTER"),
		fmt.Sprintf(rows, "b@y", "SLAVE"),
		fmt.Sprintf(rows, "b@y", "SLAVE"))
	expect.Same(t, "grants", snap.Jobs[0].Tasks[0].Granted, []model.Grant{{Instance: "b@y", Slots: 2},
		{Instance: "a@x", Slots: 1}})
}

// sortedTail is a list of grants whose order counts for the first only.
func sortedTail(g []model.Grant) string {
	rest := map[model.Grant]bool{}
	for _, r := range g[1:] {
		rest[r] = true
	}
	return fmt.Sprint(g[0], rest)
}

func jobOf(t *testing.T, snap *model.Snapshot, name string) model.Job {
	t.Helper()
	for _, j := range snap.Jobs {
		if j.Name == name {
			return j
		}
	}
	t.Fatalf("no job %s", name)
	return model.Job{}
}

func TestAbsentValuesAreNotInvented(t *testing.T) {
	snap := sample.Read(t, formOf(t, "qstat-plain.xml"))
	for _, j := range snap.Jobs {
		if j.Reported != nil || j.Detailed || j.Project != "" || j.Department != "" || len(j.Hard) > 0 {
			t.Errorf("job %d: %+v", j.Number, j)
		}
		for _, task := range j.Tasks {
			r := task.Reported
			if math.IsNaN(r.Prio) || !math.IsNaN(r.NTckts+r.Tckts+r.Otckt+r.Ftckt+r.Stckt+r.Share) {
				t.Errorf("job %d: %+v", j.Number, r)
			}
		}
	}
	if !snap.TakenAt.IsZero() || snap.Release.Version != "" || snap.Cluster != "" {
		t.Errorf("got %v %v %v", snap.TakenAt, snap.Release, snap.Cluster)
	}
	if task := sample.OnlyQstat(t, sample.Job("")).Jobs[0].Tasks[0]; task.Reported != nil {
		t.Errorf("a row without numbers: %+v", task.Reported)
	}
}

func TestNamesHoldAnyByte(t *testing.T) {
	if name := jobOf(t, sample.Read(t, formOf(t, "qstat.xml")), `we<ird&'na"me>`).Name; name == "" {
		t.Error("no such job")
	}
	got := sample.OnlyQstat(t, sample.Job("<JB_name>a\xff\x01%lt;&amp;b</JB_name>")).Jobs[0].Name
	expect.Same(t, "name", got, "a\xff\x01<&b")
}

func TestWaitingTasksThatDoNotDifferAreOne(t *testing.T) {
	var rows []string
	for i := range 1000 {
		rows = append(rows, sample.Task("qw", 2*i+2, ""))
	}
	rows = append(rows, sample.Task("hqw", 2100, ""), sample.Task("hqw", 2200, ""),
		sample.Task("hqw", 2202, "<tickets>5</tickets>"))
	tasks := sample.OnlyQstat(t, rows...).Jobs[0].Tasks
	var got []string
	for _, task := range tasks {
		got = append(got, fmt.Sprint(task.State, task.IDs))
	}
	expect.Same(t, "tasks", got, []string{"qw[{2 2000 2}]", "hqw[{2100 2200 100}]", "hqw[{2202 2202 1}]"})
}

func TestTasksWithAnObjectOfTheirOwnShowIt(t *testing.T) {
	snap := sample.OnlyQstat(t, sample.Task("qw", 1, ""), sample.Task("Eqw", 2, ""), sample.Task("Rq", 3, ""),
		sample.Task("hRq", 4, ""), sample.Task("hqw", 5, ""))
	var got []bool
	for _, task := range snap.Jobs[0].Tasks {
		got = append(got, task.Enrolled)
	}
	expect.Same(t, "enrolled", got, []bool{false, true, true, true, false})
}

// Reported values of 6.2, which prints urg and usage, and has another schema.
func TestTheFormOf62IsRead(t *testing.T) {
	const doc = `<?xml version='1.0'?>
<job_info  xmlns:xsd="http://gridengine.sunsource.net/qstat.xsd?revision=1.11">
  <queue_info>
    <job_list state="running">
      <JB_job_number>30</JB_job_number>
      <JAT_prio>0.67712</JAT_prio>
      <JAT_ntix>1.00000</JAT_ntix>
      <JB_nurg>0.00064</JB_nurg>
      <JB_urg>527</JB_urg>
      <JB_rrcontr>512</JB_rrcontr>
      <JB_wtcontr>15</JB_wtcontr>
      <JB_dlcontr>8.59e+11</JB_dlcontr>
      <JB_nppri>0.25586</JB_nppri>
      <JB_priority>-500</JB_priority>
      <JB_name>100%lt;</JB_name>
      <JAT_start_time>2012-11-01T13:06:41</JAT_start_time>
      <cpu_usage>1.50000</cpu_usage>
      <mem_usage>0.00000</mem_usage>
      <io_usage>0.25000</io_usage>
      <tickets>-666</tickets>
      <queue_name>interactive.q@cluster</queue_name>
      <slots>1</slots>
    </job_list>
  </queue_info>
  <job_info>
  </job_info>
</job_info>
`
	j := sample.Read(t, expect.Bundle(map[string]string{"qstat.xml": doc})).Jobs[0]
	expect.Same(t, "job report", *j.Reported, model.JobReport{NPPrior: 0.25586, NUrg: 0.00064, Urg: 527,
		RRContr: 512, WTContr: 15, DLContr: 8.59e11})
	expect.Same(t, "usage", j.Tasks[0].Usage, []model.Amount{{Name: "cpu", Value: 1.5}, {Name: "mem"},
		{Name: "io", Value: 0.25}})
	expect.Same(t, "tickets", j.Tasks[0].Reported.Tckts, -666)
	expect.Same(t, "-p", j.PosixPriority, -500)
	expect.Same(t, "name", j.Name, "100%lt;") // only Son of Grid Engine means "<" by it
	expect.Same(t, "started", j.Tasks[0].Started, time.Date(2012, 11, 1, 13, 6, 41, 0, time.UTC))
	expect.Same(t, "grant", j.Tasks[0].Granted, []model.Grant{{Instance: "interactive.q@cluster", Slots: 1}})
}

func TestRequestsAreNumbersByTheTypeOfTheirResource(t *testing.T) {
	const complexes = "#name shortcut type relop requestable consumable default urgency\n" +
		"appver av STRING == YES NO NONE 0\nmem m MEMORY <= YES YES 0 0\nslots s INT <= YES YES 1 1000\n"
	rows := sample.Job(`<hard_request name="mem" resource_contribution="1.5e+10">3G</hard_request>` +
		`<hard_request name="av">7</hard_request><hard_request name="other">2:0:0</hard_request><soft_request name="more">r*</soft_request>`)
	j := sample.Read(t, expect.Bundle(map[string]string{"qstat.xml": sample.Qstat(rows),
		"complex.txt": complexes})).Jobs[0]
	var got []string
	for _, c := range append(j.Hard, j.Soft...) {
		got = append(got, fmt.Sprint(c))
	}
	expect.Same(t, "requests", got, []string{"{mem 3G 3.221225472e+09 1.5e+10}", "{av 7 0 NaN}",
		"{other 2:0:0 7200 NaN}", "{more r* 0 NaN}"})
}

func TestAnElementNobodyKnowsIsKept(t *testing.T) {
	snap := sample.OnlyQstat(t, sample.Job("<JB_new>7</JB_new>\n"),
		strings.Replace(sample.Job("<JB_new>8</JB_new><JB_list><x>1</x></JB_list>"), "number>1<", "number>2<", 1))
	expect.Same(t, "unknown", snap.Unknown, []model.Unknown{
		{File: "qstat.xml", Line: 10, Name: "job_list/JB_new", Value: "7", Count: 2},
		{File: "qstat.xml", Line: 16, Name: "job_list/JB_list", Value: "", Count: 1},
	})
}

func TestJobsThatAreOverAreNotInTheQueue(t *testing.T) {
	snap := sample.OnlyQstat(t, strings.Replace(sample.Job(""), "pending", "zombie", 1))
	if len(snap.Jobs) != 0 || len(snap.Unknown) != 1 || snap.Unknown[0].Name != "job_list of state zombie" {
		t.Errorf("got %v, %v", snap.Jobs, snap.Unknown)
	}
}

func TestAnErrorInQstatSaysWhere(t *testing.T) {
	for name, c := range map[string]struct{ rows, want string }{
		"slots":          {sample.Job("<slots>4x</slots>"), `qstat.xml:10: job 1: slots: invalid syntax: "4x"`},
		"negative slots": {sample.Job("<slots>-1</slots>"), `qstat.xml:10: job 1: slots: invalid syntax: "-1"`},
		"a time": {sample.Job("\n<JB_submission_time>yesterday at noon !</JB_submission_time>"),
			`qstat.xml:11: job 1: JB_submission_time: a time: invalid syntax: "yesterday at noon !"`},
		"a number": {sample.Job("<JB_nurg>0,5</JB_nurg>"), `qstat.xml:10: job 1: JB_nurg: invalid syntax: "0,5"`},
		"tasks":    {sample.Job("<tasks>1-</tasks>\n\n"), `qstat.xml:12: job 1: tasks: a range: invalid syntax: "1-"`},
		"tasks backwards": {sample.Job("<tasks>5-1:1</tasks>"),
			`qstat.xml:10: job 1: tasks: a range that ends before it starts: invalid syntax: "5-1:1"`},
		"no number": {"<job_list></job_list>", `qstat.xml:6: job 0: JB_job_number: missing`},
		"too large a job": {"<job_list><JB_job_number>4294967296</JB_job_number></job_list>",
			`JB_job_number: value out of range: "4294967296"`},
		"a contribution": {sample.Job(`<hard_request name="x" resource_contribution="y">1</hard_request>`),
			`qstat.xml:10: job 1: resource_contribution: invalid syntax: "y"`},
		"an element inside": {sample.Job("<slots><x>1</x></slots>"),
			`qstat.xml:10: an element inside <slots>, which holds text: "<x>1</x>`},
	} {
		t.Run(name, func(t *testing.T) {
			bundle := expect.Bundle(
				map[string]string{"qstat.xml": sample.Qstat(c.rows, strings.Replace(sample.Job(""), ">1<", ">2<", 1))})
			err := expect.Fault(gridengine.Read(bundle, gridengine.Options{}))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
			snap, err := gridengine.Read(bundle, gridengine.Options{KeepGoing: true})
			if err != nil || len(snap.LeftOut) != 1 {
				t.Fatalf("keeping on: %v, left out %v", err, snap.LeftOut)
			}
			if name != "an element inside" { // after which the document cannot be read on
				expect.Same(t, "the other job", len(snap.Jobs), 1)
			}
		})
	}
}

func TestABundleWithoutQstatIsRefusedByName(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"missing": {"sched_conf.txt": ""},
		"empty":   {"qstat.xml": ""},
		"other":   {"qstat.xml": "<?xml version='1.0'?>\n<qhost></qhost>"},
		"folder":  {"qstat.xml/x": ""},
	} {
		_, err := gridengine.Read(expect.Bundle(files), gridengine.Options{})
		var p *importer.Problem
		if !errors.As(err, &p) || p.File != "qstat.xml" {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestProgressCountsEveryByteOfTheXML(t *testing.T) {
	doc, told := sample.Qstat(sample.Job("")), int64(0)
	if _, err := gridengine.Read(expect.Bundle(map[string]string{"qstat.xml": doc}),
		gridengine.Options{Progress: func(n int64) {
			told += n
		}}); err != nil {
		t.Fatal(err)
	}
	expect.Same(t, "bytes", told, int64(len(doc)))
}
