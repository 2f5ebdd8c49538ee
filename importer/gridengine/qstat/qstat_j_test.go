package qstat_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"qprism/engine/model"
	"qprism/importer/gridengine"
	"qprism/importer/gridengine/expect"
	"qprism/importer/gridengine/sample"
)

func TestQstatJTellsWhatWasSubmitted(t *testing.T) {
	snap := sample.Recording(t, forms+"/bundle")
	submitted := time.Date(2026, 11, 21, 11, 12, 28, 0, time.UTC)
	arr := jobOf(t, snap, "arr")
	expect.Same(t, "times of the local clock", arr.Submitted, submitted)
	expect.Same(t, "options", fmt.Sprint(arr.JobShare, arr.OverrideTickets, arr.MaxRunningTasks, arr.PosixPriority,
		arr.Array, arr.Detailed),
		"7 5 2 -3 true true")
	par2 := jobOf(t, snap, "par2")
	expect.Same(t, "pe", fmt.Sprintf("%v %v %v", par2.PE, par2.PERange, par2.Reserve), "rr [{2 6 1} {9 9 1}] true")
	ctx := jobOf(t, snap, "ctx")
	expect.Same(t, "-a", ctx.ExecutionTime.Sub(ctx.Submitted).Round(time.Minute), time.Hour)
	expect.Same(t, "-hold_jid", ctx.PredecessorNames, []string{"plain", "arr"})
	expect.Same(t, "-hold_jid_ad", jobOf(t, snap, "ad2").ArrayPredecessor, []uint32{12})
	expect.Same(t, "-ar", jobOf(t, snap, "inar").Reservation, 1)
	mq := jobOf(t, snap, "mq")
	expect.Same(t, "queues", fmt.Sprint(mq.HardQueues, mq.SoftQueues, mq.MasterQueues),
		"[all.q] [all.q@node02] [all.q@node03]")
	expect.Same(t, "name", jobOf(t, snap, `we<ird&'na"me>`).Detailed, true)
	again := jobOf(t, snap, "again")
	expect.Same(t, "-r", again.Rerun, "1")
	expect.Same(t, "tasks", shownTasks(again), "Rq[{1 1 1}] qw[{2 3 1}]")
	expect.Same(t, "requests", again.Hard, []model.Request{{Resource: "h_rt", Value: "3600", Amount: 3600}})
}

func shownTasks(j model.Job) string {
	var all []string
	for _, task := range j.Tasks {
		all = append(all, fmt.Sprint(task.State, task.IDs))
	}
	return strings.Join(all, " ")
}

func TestScopesOfNewerReleasesAreKeptApart(t *testing.T) {
	snap := sample.Recording(t, "../testdata/9.1.4-features.tar.gz")
	j := jobOf(t, snap, "scoped")
	expect.Same(t, "master", expect.Show(j.MasterScope),
		`{"Hard":[{"Resource":"gpu","Value":"1","Amount":1,"Contribution":400}],"Soft":null,"HardQueues":null,"SoftQueues":null}`)
	expect.Same(t, "slave", j.SlaveScope.Hard[0].Amount, 1<<30)
	expect.Same(t, "of the whole job", len(j.Hard), 0)
	if j.Submitted.Nanosecond()%1000 != 0 || j.Submitted.Nanosecond()/1000 == 0 {
		t.Errorf("submitted at %v, without microseconds", j.Submitted)
	}
}

func TestGrantsOfNewerReleasesAreInTheirOrder(t *testing.T) {
	const task = `<JB_ja_tasks><element><JAT_status>128</JAT_status><JAT_task_number>1</JAT_task_number>
<JAT_start_time>2026-11-21T08:45:19.807356</JAT_start_time><JAT_granted_destin_identifier_list>
<element><JG_qname>b@y</JG_qname><JG_slots>2</JG_slots></element><element><JG_qname>a@x</JG_qname><JG_slots>1</JG_slots></element>
</JAT_granted_destin_identifier_list></element></JB_ja_tasks>`
	running :=
		`<job_list state="running"><JB_job_number>1</JB_job_number><state>r</state><queue_name>b@y</queue_name><slots>3</slots></job_list>`
	snap := sample.Read(t, expect.Bundle(map[string]string{"qstat.xml": sample.Qstat(running),
		"qstat-j.xml": sample.QstatJ(sample.JobInQstatJ(1, task))}))
	got := snap.Jobs[0].Tasks[0]
	expect.Same(t, "grants", got.Granted, []model.Grant{{Instance: "b@y", Slots: 2}, {Instance: "a@x", Slots: 1}})
	expect.Same(t, "started", got.Started, time.Date(2026, 11, 21, 8, 45, 19, 807356000, time.UTC))
}

func TestAJobThatOnlyOneCommandSawIsKept(t *testing.T) {
	snap := sample.Read(t, expect.Bundle(map[string]string{
		"qstat.xml": sample.Qstat(sample.Job("<JB_owner>al</JB_owner>"), strings.Replace(sample.Job(""), ">1<", ">3<", 1)),
		"qstat-j.xml": sample.QstatJ(sample.JobInQstatJ(1, "<JB_owner>al</JB_owner>"),
			sample.JobInQstatJ(2, "<JB_owner>bo</JB_owner>")),
	}))
	var got []string
	for _, j := range snap.Jobs {
		got = append(got, fmt.Sprintf("%d %s %d %v", j.Number, j.Owner, len(j.Tasks), j.Detailed))
	}
	expect.Same(t, "jobs", got, []string{"1 al 1 true", "2 bo 0 true", "3  1 false"})
}

func TestJobsAreInTheOrderOfTheMastersList(t *testing.T) {
	rows := ""
	for _, n := range []int{9, 4, 7, 5, 2} {
		rows += strings.Replace(sample.Job(""), ">1<", fmt.Sprintf(">%d<", n), 1)
	}
	for name, c := range map[string]struct {
		listed []int
		want   string
	}{
		"by number, where nothing shows it":          {nil, "[2 4 5 7 9]"},
		"by number, where the list is kept so":       {[]int{2, 5, 9}, "[2 4 5 7 9]"},
		"as listed, and jobs that came later behind": {[]int{9, 2, 5}, "[9 2 5 4 7]"},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{"qstat.xml": sample.Qstat(rows)}
			var list []string
			for _, n := range c.listed {
				list = append(list, sample.JobInQstatJ(n, ""))
			}
			if list != nil {
				files["qstat-j.xml"] = sample.QstatJ(list...)
			}
			var got []uint32
			for _, j := range sample.Read(t, expect.Bundle(files)).Jobs {
				got = append(got, j.Number)
			}
			expect.Same(t, "order", fmt.Sprint(got), c.want)
		})
	}
}

func TestTasksWithAnObjectOfTheirOwnAreParted(t *testing.T) {
	own := func(numbers ...int) string {
		text := "<JB_ja_tasks>"
		for _, n := range numbers {
			text += fmt.Sprintf(
				"<ulong_sublist><JAT_status>0</JAT_status><JAT_task_number>%d</JAT_task_number></ulong_sublist>", n)
		}
		return text + "</JB_ja_tasks>"
	}
	for name, c := range map[string]struct {
		tasks string
		own   []int
		want  string
	}{
		"in the middle":        {"1-9:2", []int{5}, "own[{5 5 1}] [{1 3 2} {7 9 2}]"},
		"first and last":       {"1-9:2", []int{9, 1}, "own[{1 9 8}] [{3 7 2}]"},
		"all":                  {"1-3:1", []int{1, 2, 3}, "own[{1 3 1}]"},
		"one not of the group": {"1-9:2", []int{2, 11}, "[{1 9 2}]"},
		"the same twice":       {"1-3:1", []int{2, 2}, "own[{2 2 1}] [{1 1 1} {3 3 1}]"},
		"several ranges":       {"1-3:1,7,10-20:5", []int{7, 15}, "own[{7 15 8}] [{1 3 1} {10 10 1} {20 20 1}]"},
		"the largest number": {"4294967290-4294967295:5", []int{4294967295},
			"own[{4294967295 4294967295 1}] [{4294967290 4294967290 1}]"},
		"a range of everything": {"1-4294967295:1", []int{1}, "own[{1 1 1}] [{2 4294967295 1}]"},
	} {
		t.Run(name, func(t *testing.T) {
			j := sample.Read(t, expect.Bundle(map[string]string{
				"qstat.xml":   sample.Qstat(sample.Job("<tasks>" + c.tasks + "</tasks>")),
				"qstat-j.xml": sample.QstatJ(sample.JobInQstatJ(1, own(c.own...))),
			})).Jobs[0]
			var got []string
			for _, task := range j.Tasks {
				text := fmt.Sprint(task.IDs)
				if task.Enrolled {
					text = "own" + text
				}
				got = append(got, text)
			}
			expect.Same(t, "tasks", strings.Join(got, " "), c.want)
		})
	}
}

func TestUsageOfSlaveTasksIsAdded(t *testing.T) {
	const task = `<JB_ja_tasks><ulong_sublist><JAT_status>128</JAT_status><JAT_task_number>1</JAT_task_number><JAT_scaled_usage_list>
<scaled><UA_name>cpu</UA_name><UA_value>1.5</UA_value></scaled></JAT_scaled_usage_list><JAT_task_list><element><PET_name>x</PET_name>
<PET_scaled_usage><scaled><UA_name>cpu</UA_name><UA_value>2</UA_value></scaled><scaled><UA_name>mem</UA_name><UA_value>4</UA_value></scaled>
</PET_scaled_usage></element></JAT_task_list></ulong_sublist></JB_ja_tasks>`
	running :=
		`<job_list state="running"><JB_job_number>1</JB_job_number><state>r</state><queue_name>b@y</queue_name><slots>1</slots></job_list>`
	snap := sample.Read(t, expect.Bundle(map[string]string{"qstat.xml": sample.Qstat(running),
		"qstat-j.xml": sample.QstatJ(sample.JobInQstatJ(1, task))}))
	expect.Same(t, "usage", snap.Jobs[0].Tasks[0].Usage,
		[]model.Amount{{Name: "cpu", Value: 3.5}, {Name: "mem", Value: 4}})
}

func TestWhyAJobWaitsIsKept(t *testing.T) {
	snap := sample.Recording(t, forms+"/bundle")
	reasons := 0
	for _, j := range snap.Jobs {
		for _, m := range j.Messages {
			reasons++
			if m.Code == 0 && m.Text == "" {
				t.Errorf("job %d: %+v", j.Number, m)
			}
		}
	}
	if reasons == 0 {
		t.Error("no reason at all")
	}
}

func TestNoJobsIsNoError(t *testing.T) {
	for _, doc := range []string{
		"<?xml version='1.0'?>\n<unknown_jobs  xmlns:xsd=\"x\">\n  <>\n    <ST_name>*</ST_name>\n  </>\n</unknown_jobs>\n",
		sample.QstatJ(),
		"",
	} {
		snap := sample.Read(t, expect.Bundle(map[string]string{"qstat.xml": sample.Qstat(), "qstat-j.xml": doc}))
		if len(snap.Jobs) != 0 || len(snap.Unknown) != 0 {
			t.Errorf("%q: got %v, %v", doc, snap.Jobs, snap.Unknown)
		}
	}
}

func TestAJobListedTwiceIsRefused(t *testing.T) {
	bundle := expect.Bundle(map[string]string{"qstat.xml": sample.Qstat(sample.Job("")),
		"qstat-j.xml": sample.QstatJ(sample.JobInQstatJ(1, ""), sample.JobInQstatJ(1, ""))})
	if err := expect.Fault(gridengine.Read(bundle, gridengine.Options{})); err == nil ||
		!strings.Contains(err.Error(), "was there before") ||
		!strings.HasPrefix(err.Error(), "qstat-j.xml:9: job 1: ") {
		t.Errorf("got %v", err)
	}
}

func TestAnErrorInQstatJSaysWhere(t *testing.T) {
	for name, c := range map[string]struct{ job, want string }{
		"a number": {sample.JobInQstatJ(7, "<JB_jobshare>many</JB_jobshare>"),
			`qstat-j.xml:6: job 7: JB_jobshare: invalid syntax: "many"`},
		"a switch": {sample.JobInQstatJ(7, "<JB_reserve>perhaps</JB_reserve>"),
			`qstat-j.xml:6: job 7: JB_reserve: invalid syntax: "perhaps"`},
		"a range": {sample.JobInQstatJ(7, "<JB_pe_range><ranges><RN_min>5</RN_min><RN_max>1</RN_max></ranges></JB_pe_range>"),
			`qstat-j.xml:6: job 7: a range that ends`},
		"an odd scope": {sample.JobInQstatJ(7, "<JB_request_set_list><a><JRS_scope>9</JRS_scope></a></JB_request_set_list>"),
			`qstat-j.xml:6: job 7: JRS_scope 9: out of range`},
		"without a job": {"<element></element>", `qstat-j.xml:4: job 0: JB_job_number: missing`},
		"cut off":       {"<element><JB_job_number>7", `qstat-j.xml`},
	} {
		t.Run(name, func(t *testing.T) {
			bundle := expect.Bundle(map[string]string{"qstat.xml": sample.Qstat(sample.Job("")),
				"qstat-j.xml": sample.QstatJ(c.job)})
			err := expect.Fault(gridengine.Read(bundle, gridengine.Options{}))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
			if snap, err := gridengine.Read(bundle, gridengine.Options{KeepGoing: true}); err != nil ||
				len(snap.LeftOut) != 1 || len(snap.Jobs) != 1 {
				t.Errorf("keeping on: %v, left out %v, %d jobs", err, snap.LeftOut, len(snap.Jobs))
			}
		})
	}
}

// TestATaskThatHasEndedAndIsKeptIsFinished: the next run still counts it. One that qstat.xml shows running
// ended while the bundle was made.
func TestATaskThatHasEndedAndIsKeptIsFinished(t *testing.T) {
	const tasks = `<JB_ja_tasks><ulong_sublist><JAT_status>65536</JAT_status><JAT_task_number>3</JAT_task_number><JAT_start_time>1795250719</JAT_start_time></ulong_sublist>
<ulong_sublist><JAT_status>65536</JAT_status><JAT_task_number>4</JAT_task_number></ulong_sublist></JB_ja_tasks>`
	running :=
		`<job_list state="running"><JB_job_number>1</JB_job_number><state>r</state><queue_name>b@y</queue_name><slots>1</slots><tasks>4</tasks></job_list>`
	snap := sample.Read(t, expect.Bundle(map[string]string{"qstat.xml": sample.Qstat(running),
		"qstat-j.xml": sample.QstatJ(sample.JobInQstatJ(1, tasks))}))
	expect.Same(t, "finished", snap.Jobs[0].Finished,
		[]model.FinishedTask{{Number: 3, Started: time.Unix(1795250719, 0).UTC()}})
	expect.Same(t, "tasks", len(snap.Jobs[0].Tasks), 1)
}

// requestList is a JB_hard_resource_list with three requests for memory.
func requestList(more string) string {
	return "<JB_hard_resource_list>" + strings.Repeat("<qstat_l_requests><CE_name>mem</CE_name><CE_valtype>4</CE_valtype>"+
		"<CE_stringval>2G</CE_stringval>"+more+"</qstat_l_requests>", 3) + "</JB_hard_resource_list>"
}

// jobsInQstatJ is a qstat-j.xml of the jobs 1 to 3, all with these elements.
func jobsInQstatJ(elements string) string {
	var list []string
	for n := range 3 {
		list = append(list, sample.JobInQstatJ(n+1, elements))
	}
	return sample.QstatJ(list...)
}

func TestJobsWithTheSameRequestsShareNothingThatChanges(t *testing.T) {
	row := func(job int, contribution string) string {
		return strings.Replace(sample.Job(`<hard_request name="mem" resource_contribution="`+contribution+`">2G</hard_request>`),
			">1<", fmt.Sprintf(">%d<", job), 1)
	}
	files := map[string]string{
		"qstat.xml":   sample.Qstat(row(1, "5"), row(2, "6")),
		"qstat-j.xml": jobsInQstatJ(requestList("")),
	}
	jobs := sample.Read(t, expect.Bundle(files)).Jobs
	for i, want := range []string{"5", "6", "NaN"} {
		expect.Same(t, "contribution", fmt.Sprint(jobs[i].Hard[0].Contribution), want)
	}
	delete(files, "qstat.xml")
	jobs = sample.Read(t, expect.Bundle(files)).Jobs
	longer := append(jobs[0].Hard, model.Request{Resource: "a"})
	_ = append(jobs[1].Hard, model.Request{Resource: "b"})
	expect.Same(t, "appended", longer[3].Resource, "a")
}

func TestEveryRepeatedFaultCounts(t *testing.T) {
	jobs := func(more string) map[string]string {
		return map[string]string{"qstat-j.xml": jobsInQstatJ(requestList(more))}
	}
	snap := sample.Read(t, expect.Bundle(jobs("<CE_new>1</CE_new>")))
	expect.Same(t, "unknown", fmt.Sprint(snap.Unknown[0].Name, " ", snap.Unknown[0].Count), "qstat_l_requests/CE_new 9")
	snap, err := gridengine.Read(expect.Bundle(jobs("<CE_valtype>x</CE_valtype>")), gridengine.Options{KeepGoing: true})
	if err != nil {
		t.Fatal(err)
	}
	expect.Same(t, "left out", fmt.Sprint(len(snap.LeftOut), len(snap.Jobs)), "3 0")
}
