package cluster

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"qprism/engine/model"
)

func TestRowsOfEveryFormAreRead(t *testing.T) { checkTables(t, shapes) }

func TestTablesWithLineEndsOfWindowsAreRead(t *testing.T) {
	changed := map[string]table{}
	for _, all := range []map[string]table{tables, shapes} {
		for what, table := range all {
			table.text = strings.ReplaceAll(table.text, "\n", "\r\n")
			changed[what+" with CRLF"] = table
		}
	}
	checkTables(t, changed)
}

// read reads a text that is alone in its bundle.
func read(t *testing.T, text string) *model.Snapshot {
	t.Helper()
	s, err := Read(fstest.MapFS{"output.txt": {Data: []byte(text)}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestNumbersOfWideRowsStandUnderTheirNames: those of -ext, -urg and -pri in one row.
func TestNumbersOfWideRowsStandUnderTheirNames(t *testing.T) {
	s := read(t, shapes["qstat -ext -urg -pri"].text)
	j := s.Jobs[0]
	task := j.Tasks[0]
	if j.PosixPriority != 5 || j.Reported == nil || j.Reported.NUrg != 0.5 || j.Reported.NPPrior != 0.4 ||
		j.Reported.RRContr != 1000 ||
		task.Reported == nil || task.Reported.NTckts != 0.3 || task.Reported.Ftckt != 7 || task.Reported.Share != 0.25 {
		t.Errorf("%+v, %+v, %+v", j, j.Reported, task.Reported)
	}
	if cpu := slices.IndexFunc(task.Usage, func(a model.Amount) bool {
		return a.Name == "cpu"
	}); cpu < 0 || task.Usage[cpu].Value != 86401 {
		t.Errorf("usage is %v", task.Usage)
	}
	j = read(t, shapes["qstat -urg"].text).Jobs[1]
	if !j.Deadline.Equal(time.Date(2026, 11, 17, 0, 0, 0, 0, time.UTC)) || j.Name != "7" {
		t.Errorf("%+v", j)
	}
}

// TestSlotsOfDistributedTasksAreCountedByRow: -g t has a row for each slot of a parallel task.
func TestSlotsOfDistributedTasksAreCountedByRow(t *testing.T) {
	task := read(t, shapes["qstat -g t"].text).Jobs[0].Tasks[0]
	want := []model.Grant{{Instance: "all.q@h1", Slots: 2}, {Instance: "all.q@h2", Slots: 1}}
	if task.Slots != 3 || !slices.Equal(task.Granted, want) {
		t.Errorf("%d slots of %v", task.Slots, task.Granted)
	}
}

// TestJobsThatHaveEndedAreInNoQueue: rows below the banner of -s z are said, not counted.
func TestJobsThatHaveEndedAreInNoQueue(t *testing.T) {
	s := read(t, shapes["qstat -s z"].text+
		"################################################################################\n"+
		" --  FINISHED JOBS  -  FINISHED JOBS  -  FINISHED JOBS  -  FINISHED JOBS  --  \n"+
		"################################################################################\n"+
		"      1 0.50500 a          alice        qw    11/16/2026 10:36:59                                    1        \n")
	if len(s.Jobs) != 1 || len(s.Unknown) != 1 || s.Unknown[0].Line != 7 {
		t.Errorf("%d jobs, unknown %v", len(s.Jobs), s.Unknown)
	}
}

// TestATableBelowAFewLinesIsRead: what another program left there is said.
func TestATableBelowAFewLinesIsRead(t *testing.T) {
	s := read(t, "Warning: Permanently added 'login' to the list of known hosts.\n\n"+
		"Job id            Name             User              Time Use S Queue\n"+
		"----------------  ---------------- ----------------  -------- - -----\n"+
		"7.server          sleep            alice             00:00:17 E workq\n"+
		"8[1].server       sleep            bob               00:00:17 S workq\n"+
		"9[].server        sleep            bob                      0 B workq\n")
	if want := (model.Counts{Jobs: 3, Running: 2}); s.Counts() != want || len(s.Unknown) != 1 || s.Unknown[0].Line != 1 {
		t.Errorf("got %+v, unknown %v", s.Counts(), s.Unknown)
	}
}

// TestQueuesOfPBSTablesAreRead: what qstat -q and -Q say of them, cut times left out.
func TestQueuesOfPBSTablesAreRead(t *testing.T) {
	s := read(t, shapes["qstat -q of PBS"].text)
	first, second := s.Queues[0], s.Queues[1]
	if s.Cluster != "aqua" || s.System != model.PBSSystem || !first.PBS.Enabled || !first.PBS.Started ||
		second.PBS.Enabled ||
		second.PBS.Started {
		t.Errorf("%q, %+v, %+v", s.Cluster, first.PBS, second.PBS)
	}
	for _, a := range second.Attributes {
		if strings.HasPrefix(a.Name, "resources_max.walltime") {
			t.Errorf("the walltime that the column cut is %q", a.Default)
		}
	}
	if s := read(t, shapes["qstat -q of Torque"].text); s.System != model.Torque {
		t.Errorf("taken for one of %v", s.System)
	}
	if s := read(t, shapes["qstat -Q of PBS"].text); s.Queues[1].PBS.Type != "Route" || s.Queues[1].PBS.Started {
		t.Errorf("%+v", s.Queues[1].PBS)
	}
}

// TestAnExpectedStartIsNoElapsedTime: both stand in the last column, and -T prints the former.
func TestAnExpectedStartIsNoElapsedTime(t *testing.T) {
	for i, j := range read(t, shapes["qstat -T of PBS"].text).Jobs {
		if len(j.PBS.Used) > 0 {
			t.Errorf("job %d has used %v", i, j.PBS.Used)
		}
	}
}

// TestAVnodeThatThereIsNotIsNoHost: pbsnodes tells of it in the list of vnodes.
func TestAVnodeThatThereIsNotIsNoHost(t *testing.T) {
	s := read(
		t,
		`{"timestamp":1700000000,"pbs_version":"2024.1.2","pbs_server":"s","nodes":{"pbs":{"Error":"Unknown node "},"n1":{"state":"free"}}}`)
	if len(s.Hosts) != 1 || len(s.LeftOut) != 1 {
		t.Errorf("%d hosts, left out %v", len(s.Hosts), s.LeftOut)
	}
}

// TestAVnodeListedTwiceIsOneHost: the first counts, and the second is told of.
func TestAVnodeListedTwiceIsOneHost(t *testing.T) {
	s := read(
		t,
		`{"timestamp":1700000000,"pbs_version":"2024.1.2","pbs_server":"s","nodes":{"n1":{"state":"free"},"n1":{"state":"offline"}}}`)
	if len(s.Hosts) != 1 || len(s.LeftOut) != 1 || s.Hosts[0].PBS.State[0] != "free" {
		t.Errorf("%+v, left out %v", s.Hosts, s.LeftOut)
	}
}

// TestACopyMayBeginWithTheBareCommand: a page shows what was typed without a prompt.
func TestACopyMayBeginWithTheBareCommand(t *testing.T) {
	for text, hosts := range map[string]int{"pbsnodes -a\nn1\n     Mom = n1\n     state = free\n\nn2\n  " +
		"   Mom = n2\n     state = down\n": 2,
		"\n/opt/pbs/bin/pbsnodes -av \nn1\n     Mom = n1\n     state = free\n": 1} {
		if s := read(t, text); len(s.Hosts) != hosts || len(s.LeftOut)+len(s.Unknown) != 0 {
			t.Errorf("%q: %+v, left out %v, unknown %v", text, s.Hosts, s.LeftOut, s.Unknown)
		}
	}
}

// TestWhatSitesPrintBesidesIsNoRest: the load of a queue instance of Univa, and an attribute of Torque 6.
func TestWhatSitesPrintBesidesIsNoRest(t *testing.T) {
	for _, text := range []string{"<?xml version='1.0'?>\n<job_info><queue_info><Queue-List><name>all.q@h1</name><qtype>BP</qtype><slots_used>0</slots_used>" +
		"<slots_total>20</slots_total><np_load_avg>0.00019</np_load_avg></Queue-List></queue_info><job_info></job_info></job_info>",
		"Job Id: 1.srv\n    Job_Name = a\n    job_state = Q\n    fault_tolerant = False\n    request_version = 1\n"} {
		if s := read(t, text); len(s.Unknown) != 0 {
			t.Errorf("%v", s.Unknown)
		}
	}
}

// jobOfOCS is the shortest form of a job in qstat -j of Open Cluster Scheduler: two tasks run, seven wait,
// one of them in error.
const jobOfOCS = `==============================================================
job_number:                      7
submission_time:                 2026-11-21 08:59:39.152049
owner:                           alice
parallel_environment:            fill range: 2-6
job-array tasks:                 1-100:1
pending_tasks:                   6
binding:                         bamount=2,binstance=set,bstrategy=packed,btype=slot,bunit=C
job_state                  90:   r
usage                      90:   wallclock=00:01:00.500000,cpu=00:02:00.000000,mem=1.50000 GBs,io=0.00000,ioops=3,iow=00:00:00.000000,vmem=N/A,maxvmem=2.000G,rss=N/A,maxrss=N/A
exec_binding_list          90:   
exec_queue_list            90:   all.q@node01=1,all.q@node02=3
exec_host_list             90:   node01=1,node02=3
start_time                 90:   2026-11-21 09:00:00.380522
resource_map               90:   NONE
job_state                  91:   Eqw
job_state                  92:   dr
`

// TestTasksOfQstatJAreReadFromText: their states, starts, places and amounts, and how many wait.
func TestTasksOfQstatJAreReadFromText(t *testing.T) {
	s := read(t, jobOfOCS)
	if want := (model.Counts{Jobs: 1, Running: 2, Waiting: 7}); s.Counts() != want || len(s.Unknown) > 0 {
		t.Fatalf("got %+v, unknown %v, want %+v", s.Counts(), s.Unknown, want)
	}
	j := s.Jobs[0]
	task := j.Tasks[0]
	usage := map[string]float64{}
	for _, a := range task.Usage {
		usage[a.Name] = a.Value
	}
	if j.PE != "fill" || task.Started.Nanosecond() != 380522000 || task.Slots != 4 || usage["cpu"] != 120 ||
		usage["wallclock"] != 60.5 || usage["mem"] != 1.5 ||
		usage["maxvmem"] != 2<<30 {
		t.Errorf("%+v, usage %v", task, usage)
	}
	last := j.Tasks[len(j.Tasks)-1].IDs
	if model.CountOf(last) != 6 || last[len(last)-1].Max != 100 {
		t.Errorf("tasks %v wait", last)
	}
}

// TestTasksThatNewerReleasesListWait: the lists by hold are all of them; a job without lists has none.
func TestTasksThatNewerReleasesListWait(t *testing.T) {
	ids := func(kind string, first, last string) string {
		list, numbers := "JB_ja_"+kind+"_h_ids>", "<RN_min>"+first+"</RN_min><RN_max>"+last+"</RN_max><RN_step>1</RN_step>"
		return "<" + list + "<task_id_range>" + numbers + "</task_id_range></" + list
	}
	array :=
		"<JB_ja_structure><task_id_range><RN_min>1</RN_min><RN_max>100</RN_max><RN_step>1</RN_step></task_id_range></JB_ja_structure><JB_type>128</JB_type>"
	s := read(t, "<?xml version='1.0'?><detailed_job_info><djob_info><element><JB_job_number>6</JB_job_number>"+
		array+"</element><element><JB_job_number>7</JB_job_number>"+array+
		ids("n", "91", "92")+ids("u", "95", "99")+ids("o", "97", "100")+"</element></djob_info></detailed_job_info>")
	if want := (model.Counts{Jobs: 2, Waiting: 8}); s.Counts() != want {
		t.Errorf("got %+v, want %+v", s.Counts(), want)
	}
}

// TestAPromptBelowACopyEndsIt: the last object is whole, and the line is said.
func TestAPromptBelowACopyEndsIt(t *testing.T) {
	const node = "     Mom = n1\n     state = free\n     last_used_time = Thu Jan 26 10:25:35 2023\n"
	for _, prompt := range []string{"$", "[me@login ~]$ exit", "me@login:~/x$ qstat", "# "} {
		s := read(t, "$ pbsnodes -a\nn1\n"+node+prompt+"\n")
		if len(s.Hosts) != 1 || len(s.LeftOut) > 0 || len(s.Unknown) != 1 || s.Unknown[0].Line != 6 {
			t.Errorf("%q: %d hosts, left out %v, unknown %v", prompt, len(s.Hosts), s.LeftOut, s.Unknown)
		}
	}
}

// TestDatesWithTheDayFirstAreTold: by a day above 12; where none is, it is said.
func TestDatesWithTheDayFirstAreTold(t *testing.T) {
	table := func(first, second string) string {
		return "job-ID  prior   name       user         state submit/start at     queue                 " +
			"         slots ja-task-ID\n" +
			"     12 0.50000 a          alice        r     " + first + " 10:36:59 all.q@h1                           4\n" +
			"     13 0.50000 b          bob          qw    " + second + " 10:37:00                                    4\n"
	}
	for _, c := range []struct {
		first, second string
		want          string
		repaired      bool
		guess         bool
	}{
		{"03/11/2026", "16/11/2026", "2026-11-03", true, false},
		{"11/03/2026", "11/16/2026", "2026-11-03", false, false},
		{"03/11/2026", "04/11/2026", "2026-03-11", true, true},
		{"11/11/2026", "11/11/2026", "2026-11-11", false, false},
	} {
		s := read(t, table(c.first, c.second))
		if got := s.Jobs[0].Tasks[0].Started.Format(time.DateOnly); got != c.want || (len(s.Repairs()) == 1) != c.repaired ||
			c.repaired && s.Repairs()[0].Guess != c.guess || len(s.Unknown)+len(s.LeftOut) > 0 {
			t.Errorf("%s, %s: read as %s, %+v", c.first, c.second, got, s.Repairs())
		}
	}
	if s := read(t, table("16/11/2026", "11/16/2026")); len(s.LeftOut) != 1 {
		t.Errorf("dates of both orders: left out %+v", s.LeftOut)
	}
	full := read(t, strings.ReplaceAll(tables["qstat -f"].text, "2026-11-16", "16/11/2026"))
	if len(full.Repairs()) != 1 || full.Jobs[0].Tasks[0].Started.Month() != time.November ||
		len(full.Unknown)+len(full.LeftOut) > 0 {
		t.Errorf("%+v, unknown %v, left out %v", full.Repairs(), full.Unknown, full.LeftOut)
	}
}

// TestWhatStandsBelowAListingIsSaid: another command and what it printed; an object behind a remark is read.
func TestWhatStandsBelowAListingIsSaid(t *testing.T) {
	const first = "#pbsnodes -a\npbs-mom-1\n     Mom = pbs-mom-1\n     state = free\n     " +
		"resources_available.ncpus = 1\n\n"
	s := read(t, first+"#echo \"sleep 200\" | qsub\n11.pbs-host  //job id\n#qstat -a\npbs-host:\n"+
		"     Req'd  Req'd   Elap\nJob ID          Username Queue\n11.pbs-host     user1    workq\n")
	if len(s.Hosts) != 1 || len(s.Hosts[0].Capacity) != 1 || s.Hosts[0].Capacity[0].Value != "1" ||
		len(s.Unknown) != 7 {
		t.Errorf("%+v, unknown %+v", s.Hosts, s.Unknown)
	}
	s = read(t, "user@host:~$ pbsnodes -a\n#Host Ready\n"+first[len("#pbsnodes -a\n"):]+
		"# Host not ready yet\nip-90\n     Mom = ip-90.example.org\n     state = down\n")
	if len(s.Hosts) != 2 || len(s.Unknown) != 1 {
		t.Errorf("%+v, unknown %+v", s.Hosts, s.Unknown)
	}
}

// TestAJobInStateFHasEnded: some listings say it by that letter alone.
func TestAJobInStateFHasEnded(t *testing.T) {
	s := read(
		t,
		"<?xml version='1.0'?><job_info><queue_info/><job_info><job_list><JB_job_number>200</JB_job_number><state>qw</state></job_list>"+
			"<job_list><JB_job_number>301</JB_job_number><state>f</state><slots>1</slots></job_list></job_info></job_info>")
	if want := (model.Counts{Jobs: 1, Waiting: 1}); s.Counts() != want || len(s.Unknown) != 1 {
		t.Errorf("%+v, unknown %+v", s.Counts(), s.Unknown)
	}
}

// TestWhatTheSchedulerSaysOfAJobIsNoHost: qstat -asw1 prints it behind the columns, qstat -an1 the hosts.
func TestWhatTheSchedulerSaysOfAJobIsNoHost(t *testing.T) {
	s := read(t, "Job ID          Username Queue    Jobname    SessID NDS TSK Memory Time  S Time\n"+
		"--------------- -------- -------- ---------- ------ --- --- ------ ----- - -----\n"+
		"353411.polaris* user3    large    1310W60       --   64  64    --  06:00 Q   --     Not "+
		"Running: Not enough free nodes available\n"+
		"353412.polaris* user3    large    1310W60     3444    1  64    --  06:00 R 00:10    x3006c0s13b1n0/0*64\n")
	for i, want := range []model.PBSJob{{Comment: "Not Running: Not enough free nodes available"},
		{ExecHost: "x3006c0s13b1n0/0*64"}} {
		if p := s.Jobs[i].PBS; p.Comment != want.Comment || p.ExecHost != want.ExecHost {
			t.Errorf("%s: hosts %q, comment %q", p.ID, p.ExecHost, p.Comment)
		}
	}
}

// TestAJobThatIsListedTwiceCountsOnce: a job that is no array has one task, which runs or waits.
func TestAJobThatIsListedTwiceCountsOnce(t *testing.T) {
	running := `<job_list state="running"><JB_job_number>7</JB_job_number><state>r</state><queue_name>all.q@h1</queue_name>` +
		`<slots>8</slots></job_list>`
	waiting := `<job_list state="pending"><JB_job_number>7</JB_job_number><state>qw</state><slots>8</slots></job_list>`
	for row, want := range map[string]model.Counts{running: {Jobs: 1, Running: 1}, waiting: {Jobs: 1, Waiting: 1}} {
		s := read(t, "<job_info><queue_info>"+row+"</queue_info><job_info>"+row+"</job_info></job_info>")
		if s.Counts() != want || len(s.Unknown) != 1 || s.Unknown[0].Value != "job 7, again" {
			t.Errorf("%+v, unknown %+v", s.Counts(), s.Unknown)
		}
	}
}

// TestTasksOfAnArrayThatAreListedTwiceCountOnce: as in the joined listings of two users.
func TestTasksOfAnArrayThatAreListedTwiceCountOnce(t *testing.T) {
	head := "job-ID  prior   name       user         state submit/start at     queue      slots ja-task-ID\n-------\n"
	running := "      5 0.55500 arr        ann          r     11/20/2026 10:00:00 all.q@n1       1 3\n"
	waiting := "      5 0.50000 arr        ann          qw    11/20/2026 10:00:00                1 5-9:1\n"
	s := read(t, head+running+waiting+running+waiting)
	if want := (model.Counts{Jobs: 1, Running: 1, Waiting: 5}); s.Counts() != want || len(s.Unknown) != 2 {
		t.Errorf("%+v, unknown %+v", s.Counts(), s.Unknown)
	}
}

// TestALineThatIsNoneCostsNoRecordAndNoJob: what a page puts around a listing is said.
func TestALineThatIsNoneCostsNoRecordAndNoJob(t *testing.T) {
	for text, want := range map[string]model.Counts{
		"'''\njob_number:                 7\nowner:                      alice\n'''\n": {Jobs: 1, Waiting: 1},
		"==============================================================\nqname        gpu\nhostname     " +
			"g1\n:\njobnumber    7\n": {Ended: 1},
	} {
		if s := read(t, text); s.Counts() != want || len(s.Unknown) == 0 {
			t.Errorf("%q: %+v, unknown %+v", text, s.Counts(), s.Unknown)
		}
	}
}

// TestWhatProcessorsAJobAsksForIsRead: each form prints it in its own way, and "none" in several.
func TestWhatProcessorsAJobAsksForIsRead(t *testing.T) {
	row := "<job_info><job_info><job_list " +
		"state=\"pending\"><JB_job_number>7</JB_job_number><slots>1</slots><binding>%</binding></job_list></job_info></job_info>"
	for text, want := range map[string]string{
		jobOfOCS: "bamount=2,binstance=set,bstrategy=packed,btype=slot,bunit=C",
		strings.Replace(row, "%", "bamount=2,bunit=C", 1): "bamount=2,bunit=C",
		strings.Replace(row, "%", "NONE", 1):              "",
		strings.Replace(row, "%", "no_job_binding", 1):    "",
		"job-ID  prior   name       user         state submit/start at     queue                        " +
			"  slots ja-task-ID \n" +
			"     12 0.50000 render     alice        qw    11/16/2026 10:36:59                          " +
			"          4\n       Binding:          set linear:2\n": "set linear:2",
		`{"jobs":[{"job_number":7,"binding":{"bstrategy":"packed","amount":2,"bunit":"C","bfilter":"","bsort":"NONE"}}]}`: "bamount=2,bstrategy=packed,bunit=C",
		`{"jobs":[{"job_number":7,"binding":{"bstrategy":"NONE","amount":0,"bunit":"C"}}]}`:                               "",
	} {
		s := read(t, text)
		if len(s.Jobs) != 1 || s.Jobs[0].Binding != want || len(s.Unknown) > 0 || s.Counts().Running+s.Counts().Waiting == 0 {
			t.Errorf("%q: %+v, unknown %v", text, s.Jobs, s.Unknown)
		}
	}
}
