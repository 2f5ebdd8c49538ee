package cluster

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"qprism/engine/model"
	"qprism/importer"
	"qprism/importer/source"
)

// fullFormat is the shortest form of qstat -f -F -xml: a parallel task on two hosts, an array task, and the
// array's waiting tasks.
var fullFormat = contents["qstat-f.xml"]

// TestTasksInTheListsOfQueueInstancesAreRead: qstat -f, -F and -r -f list running tasks there and nowhere else.
func TestTasksInTheListsOfQueueInstancesAreRead(t *testing.T) {
	for _, name := range []string{"qstat.xml", "qstat-f.xml", "output of qstat.txt"} {
		s, err := Read(fstest.MapFS{name: {Data: []byte(fullFormat)}}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		want := model.Counts{Jobs: 2, Running: 2, Waiting: 3, Hosts: 2, Queues: 2, QueueInstances: 2}
		if got := s.Counts(); got != want || len(s.Unknown) > 0 {
			t.Errorf("%s: got %+v, unknown %v; want %+v", name, got, s.Unknown, want)
		}
		task := s.Jobs[0].Tasks[0]
		if len(task.Granted) != 2 || task.Granted[0] != (model.Grant{Instance: "all.q@h1", Slots: 2}) || task.Slots != 3 {
			t.Errorf("%s: the parallel task has %d slots of %v", name, task.Slots, task.Granted)
		}
	}
}

const requiredOfQueue = "seq_no 0\npe_list NONE\nslots 1\nuser_lists NONE\nxuser_lists " +
	"NONE\ncomplex_values NONE\nqtype BATCH\nprojects NONE\nxprojects NONE\ncalendar NONE\n" +
	"load_thresholds NONE\nsuspend_thresholds NONE\n"

const requiredOfPolicy = "halftime 168\nweight_user 0.25\nweight_project 0.25\nweight_department " +
	"0.25\nweight_job 0.25\nweight_tickets_functional 0\n" +
	"weight_tickets_share 0\npolicy_hierarchy OFS\nweight_ticket 0.01\nweight_waiting_time " +
	"0\nweight_deadline 3600000\nweight_urgency 0.1\nweight_priority 1\n"

func TestAFileIsKnownByItsContentAlone(t *testing.T) {
	for name, text := range contents {
		path := filepath.Join(t.TempDir(), "x")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		bundle, closer, err := importer.Open(path)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		s, err := Read(bundle, Options{})
		if err != nil || len(s.Has) != 1 || s.Has[0] != name {
			t.Errorf("%s: %v, has %v", name, err, s)
		}
		closer.Close()
		inFolder, err := Read(fstest.MapFS{"some name": {Data: []byte(text)}}, Options{})
		if err != nil || len(inFolder.Has) != 1 || inFolder.Has[0] != strings.Replace(name, "s.txt", "s/some name.txt",
			strings.Count(name, "queues.t")+strings.Count(name, "hosts.t")) {
			t.Errorf("%s in a folder: %v, %+v", name, err, inFolder)
		}
	}
}

func TestAFolderOfAnyListingIsKnownForItsSystem(t *testing.T) {
	for name, text := range contents {
		s, err := Read(fstest.MapFS{name: {Data: []byte(text)}}, Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		ofPBS := strings.HasPrefix(name, "qmgr") || strings.HasPrefix(name, "pbsnodes") || strings.Contains(name, "stat_") ||
			name == "accounting.txt"
		if (s.System != model.GridEngine) != ofPBS {
			t.Errorf("%s is taken for one of %q", name, s.System)
		}
	}
}

func TestAListingUnderAnotherOnesNameIsWhatItsContentSays(t *testing.T) {
	for _, c := range []struct {
		name, content string
		want          model.Counts
	}{
		{"qstat.xml", "qstat-j.xml", model.Counts{}},
		{"qstat_f.json", "qstat_Qf.json", model.Counts{Queues: 1}},
		{"qstat_f.json", "pbsnodes_av.json", model.Counts{Hosts: 1}},
		{"qstat_x.xml", "pbsnodes_x.xml", model.Counts{Hosts: 1}},
	} {
		s, err := Read(fstest.MapFS{c.name: {Data: []byte(contents[c.content])}}, Options{})
		if err != nil || s.Counts() != c.want || len(s.Has) != 1 || s.Has[0] != c.content {
			t.Errorf("%s as %s: %v, %+v", c.content, c.name, err, s)
		}
	}
}

func TestAFileThatIsNoListingIsSaidAndAProblemNamesTheFilesOwnName(t *testing.T) {
	s, err := Read(fstest.MapFS{"my jobs": {Data: []byte(contents["qstat_f.txt"])},
		"notes": {Data: []byte("ask bob\n")}}, Options{})
	if err != nil || len(s.Unknown) != 1 || s.Unknown[0].File != "notes" {
		t.Errorf("%v, %+v", err, s)
	}
	_, err = Read(fstest.MapFS{"my jobs": {Data: []byte(strings.TrimSuffix(fullFormat, "</job_info>\n"))}}, Options{})
	if err == nil || !strings.HasPrefix(err.Error(), "my jobs:") {
		t.Errorf("got %v", err)
	}
}

// TestCopiesOfListingsAreRead: mails and pages change the blanks, and editors put instructions and marks before a text.
func TestCopiesOfListingsAreRead(t *testing.T) {
	for name, change := range map[string]func(string) string{
		"an instruction": func(s string) string {
			return strings.Replace(s, "<job_info ", "<?qstat -f -F -xml?>\n<job_info ", 1)
		},
		"a style sheet": func(s string) string {
			return strings.Replace(s, "<Queue-List>", "<?xml-stylesheet href='a'?><Queue-List>", 1)
		},
		"a comment": func(s string) string {
			return strings.Replace(s, "<Queue-List>", "<!-- h1 --><Queue-List>", 1) + "<!-- end -->"
		},
		"no last newline": func(s string) string { return strings.TrimSpace(s) },
		"no indent":       func(s string) string { return strings.ReplaceAll(s, "\n ", "\n") },
		"more indent":     func(s string) string { return "   " + strings.ReplaceAll(s, "\n", "\n\t   ") },
		"trailing blanks": func(s string) string { return strings.ReplaceAll(s, "\n", "  \n") },
		"blanks in numbers": func(s string) string {
			return strings.ReplaceAll(s, "<slots>2</slots>", "<slots> 2 </slots>")
		},
		"line ends of Windows": func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
		"a byte order mark":    func(s string) string { return "\xef\xbb\xbf" + s },
	} {
		s, err := Read(fstest.MapFS{"a": {Data: []byte(change(fullFormat))}}, Options{})
		if err != nil || s.Counts().Running != 2 || s.Counts().Waiting != 3 {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, change := range map[string]func(string) string{
		"no last newline": func(s string) string { return strings.TrimSpace(s) },
		"no indent":       func(s string) string { return strings.ReplaceAll(s, "\n    ", "\n") },
		"two blanks":      func(s string) string { return strings.ReplaceAll(s, "\n    ", "\n  ") },
		"tabs":            func(s string) string { return strings.ReplaceAll(s, "\n    ", "\n\t") },
		"more indent":     func(s string) string { return "   " + strings.ReplaceAll(s, "\n", "\n   ") },
		"trailing blanks": func(s string) string { return strings.ReplaceAll(s, "\n", "  \n") },
	} {
		s, err := Read(fstest.MapFS{"a": {Data: []byte(change(copied))}}, Options{})
		if err != nil || len(s.Jobs) != 2 || s.Jobs[0].PBS.State != "R" || s.Jobs[0].PosixPriority != 3 ||
			len(s.Jobs[0].PBS.ExecHost) != len("n1/0+n2/0") || s.Counts().Waiting != 1 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// copied is the shortest form of qstat -f with a wrapped value.
const copied = "Job Id: 1.srv\n    Job_Name = a\n    job_state = R\n    exec_host = n1/0\n\t+n2/0\n    " +
	"Priority = 3\n    ctime = Sat Nov 21 08:53:23 2026\n\n" +
	"Job Id: 2.srv\n    Job_Name = b\n    job_state = Q\n"

// jobTwice are qstat -xml and qstat -j -xml of one job: local times, and seconds since 1970.
func jobTwice(unix string) fstest.MapFS {
	return fstest.MapFS{
		"qstat.xml": {Data: []byte("<job_info><queue_info></queue_info><job_info><job_list " +
			"state=\"pending\"><JB_job_number>7</JB_job_number><state>qw</state>" +
			"<JB_submission_time>2026-11-21T10:00:00</JB_submission_time><slots>1</slots></job_list></job_info></job_info>")},
		"qstat-j.xml": {Data: []byte(
			"<detailed_job_info><djob_info><element><JB_job_number>7</JB_job_number><JB_submission_time>" + unix +
				"</JB_submission_time></element></djob_info></detailed_job_info>")},
	}
}

func TestTheZoneOfLocalTimesIsInferredFromWhatIsShownTwice(t *testing.T) {
	for name, c := range map[string]struct {
		bundle   fstest.MapFS
		location string
	}{
		"qstat -j in seconds":      {jobTwice("1795248000"), "+0200"},
		"qstat -j in milliseconds": {jobTwice("1795248000123"), "+0200"},
		"queue_rank": {fstest.MapFS{"qstat_f.txt": {Data: []byte("Job Id: 1.srv\n    job_state = Q\n    ctime = Sat Nov 21 10:00:00 2026\n" +
			"    qtime = Sat Nov 21 10:00:00 2026\n    queue_rank = 1795248000123456\n")}}, "+0200"},
		"accounting": {fstest.MapFS{"qstat_f.txt": {Data: []byte("Job Id: 1.srv\n    job_state = R\n    ctime = Sat Nov 21 10:00:00 2026\n")},
			"accounting.txt": {Data: []byte(
				"11/21/2026 10:00:01;S;1.srv;user=a ctime=1795248000 start=1795248001\n")}}, "+0200"},
	} {
		s, err := Read(c.bundle, Options{})
		if err != nil || s.Location != c.location || s.Jobs[0].Submitted.Unix() != 1795248000 {
			t.Errorf("%s: %v, %+v", name, err, s)
		}
	}
}

func TestAZoneThatNothingTellsIsUnknown(t *testing.T) {
	bundle := jobTwice("")
	delete(bundle, "qstat-j.xml")
	if s, err := Read(bundle, Options{}); err != nil || s.Location != source.UnknownZone {
		t.Errorf("%v, %+v", err, s)
	}
	bundle["MANIFEST"] = &fstest.MapFile{Data: []byte("taken_at 1795248060\nutc_offset +0200\n")}
	if s, err := Read(bundle, Options{}); err != nil || s.Location != "+0200" {
		t.Errorf("%v, %+v", err, s)
	}
}

func TestADateInWordsIsRead(t *testing.T) {
	for text, location := range map[string]string{
		"Sat Nov 21 10:01:00 CEST 2026":    "+0200",
		"Sat 21 Nov 2026 10:01:00 AM CEST": "+0200",
		"Sat, 21 Nov 2026 10:01:00 +0200":  "+0200",
		"2026-11-21T10:01:00+02:00":        "+0200",
		"Sat Nov 21 08:01:00 UTC 2026":     "+0000",
		"1795248060":                       source.UnknownZone,
	} {
		for system, bundle := range map[string]fstest.MapFS{
			"Grid Engine": {"qstat.xml": jobTwice("")["qstat.xml"], "date.txt": {Data: []byte(text + "\n")}},
			"PBS":         {"qstat_f.txt": {Data: []byte(copied)}, "date.txt": {Data: []byte(text + "\n")}},
		} {
			s, err := Read(bundle, Options{})
			if err != nil || s.TakenAt.Unix() != 1795248060 || s.Location != location {
				t.Errorf("%s of %s: %v, %v %q", text, system, err, s.TakenAt, s.Location)
			}
		}
	}
}

// TestFilesOfUnivaAndOfClassicSpoolingAreRead: a ninth column, lists with blanks between, a number for a word.
func TestFilesOfUnivaAndOfClassicSpoolingAreRead(t *testing.T) {
	s, err := Read(fstest.MapFS{
		"complex.txt": {Data: []byte("#name shortcut type relop requestable consumable default urgency " +
			"aapre\nslots s INT <= YES YES 1 1000 YES\n" +
			"bad line\nmem m MEMORY <= YES NO 0 0 NO\n")},
		"sched_conf.txt": {Data: []byte("algorithm default\nschedule_interval 0:0:15\nqueue_sort_method " +
			"0\nusage_weight_list cpu=1.000000 mem=0.000000 io=0.000000\n" +
			"job_load_adjustments np_load_avg=0.50\nweight_queue_seqno 0\nweight_queue_host_sort 1\n" + requiredOfPolicy)},
		"conf.txt": {Data: []byte("# Version: 8.6\n#\nexecd_spool_dir /x\nmailer /bin/mail\n")},
	}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Resources) != 2 || len(s.LeftOut) != 1 || s.LeftOut[0].Line != 3 {
		t.Errorf("resources %v, left out %v", s.Resources, s.LeftOut)
	}
	if s.Policy.QueueSort != "load" || len(s.Policy.UsageWeights) != 3 || s.Policy.WeightTicket != 0.01 ||
		len(s.Config.Global) != 2 {
		t.Errorf("policy %+v, configuration %v", s.Policy, s.Config)
	}
}

func TestAnObjectThatCannotBeReadCostsNoOther(t *testing.T) {
	s, err := Read(fstest.MapFS{"pes.txt": {Data: []byte(pe("a", "9x") + "\n" + pe("b", "9"))}}, Options{})
	if err != nil || len(s.PEs) != 1 || s.PEs[0].Name != "b" || len(s.LeftOut) != 1 || s.LeftOut[0].Text != "slots 9x" {
		t.Errorf("%v, %+v", err, s)
	}
}

func pe(name, slots string) string {
	return "pe_name " + name + "\nslots " + slots +
		"\nuser_lists NONE\nxuser_lists NONE\nallocation_rule $pe_slots\nurgency_slots min\n"
}

func TestTorqueIsKnownByAnyOfItsListings(t *testing.T) {
	for name, text := range map[string]string{
		"pbsnodes -a, np":     "n1\n     state = free\n     np = 8\n",
		"pbsnodes -a, ntype":  "n1\n     state = free\n     ntype = cluster\n",
		"pbsnodes -a, status": "n1\n     state = free\n     status = rectime=1795248000,jobs=\n",
		"qstat -f, walltime":  "Job Id: 1.srv\n    job_state = R\n    Walltime.Remaining = 60\n",
		"qstat -f, faults":    "Job Id: 1.srv\n    job_state = R\n    fault_tolerant = False\n",
		"qmgr -c 'p s'": "create queue batch\nset queue batch queue_type = Execution\nset server " +
			"scheduling = True\nset server pbs_version = 4.2.10\n",
	} {
		s, err := Read(fstest.MapFS{"a": {Data: []byte(text)}}, Options{})
		if err != nil || s.System != model.Torque || len(s.Unknown) > 0 {
			t.Errorf("%s: %v, %+v", name, err, s)
		}
	}
	for _, version := range []string{"PBSPro_11.3.0.121723", "14.1.2", "19.1.3", "2025.1.0", "23.06.06"} {
		s, err := Read(fstest.MapFS{"a": {Data: []byte("Server: srv\n    pbs_version = " + version + "\n")}}, Options{})
		if err != nil || s.System != model.PBSSystem || s.Release.Version != version {
			t.Errorf("%s: %v, %+v", version, err, s)
		}
	}
}

func TestWaitingTasksOfArraysAreCountedWithoutTheirArray(t *testing.T) {
	job := func(id, state, more string) string {
		return "<Job><Job_Id>" + id + "</Job_Id><job_state>" + state + "</job_state>" + more + "</Job>"
	}
	for name, c := range map[string]struct {
		jobs             string
		running, waiting int64
	}{
		"tasks alone":     {job("5[1].srv", "R", "") + job("5[2].srv", "Q", "") + job("5[3].srv", "H", ""), 1, 2},
		"the array alone": {job("5[].srv", "Q", "<job_array_request>0-9</job_array_request>"), 0, 10},
		"both": {job("5[].srv", "Q", "<job_array_request>0-1</job_array_request>") + job("5[0].srv", "R", "") +
			job("5[1].srv", "Q", ""), 1, 1},
		"older task names": {job("5-1.srv", "Q", "") + job("5-2.srv", "C", ""), 0, 1},
	} {
		s, err := Read(fstest.MapFS{"a": {Data: []byte("<Data>" + c.jobs + "</Data>")}}, Options{})
		if got := s.Counts(); err != nil || got.Running != c.running || got.Waiting != c.waiting {
			t.Errorf("%s: %v, %+v", name, err, got)
		}
	}
}

func TestAServerThatIsNotNamedNamesNoCluster(t *testing.T) {
	s, err := Read(fstest.MapFS{"a": {Data: []byte(contents["qmgr_print_server.txt"])}}, Options{})
	if err != nil || s.Cluster != "" || s.PBS.Server.Name != "" || len(s.Queues) != 1 {
		t.Errorf("%v, cluster %q", err, s.Cluster)
	}
}

// TestTablesForPeopleAreRead: whatever they are called, in a folder and alone. Nothing of these is left over.
func TestTablesForPeopleAreRead(t *testing.T) { checkTables(t, tables) }

func checkTables(t *testing.T, tables map[string]table) {
	t.Helper()
	for what, table := range tables {
		alone := filepath.Join(t.TempDir(), "as I saved it")
		if err := os.WriteFile(alone, []byte(table.text), 0o600); err != nil {
			t.Fatal(err)
		}
		file, closer, err := importer.Open(alone)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		for form, bundle := range map[string]fs.FS{"alone": file,
			"in a folder": fstest.MapFS{"output.txt": {Data: []byte(table.text)}}} {
			s, err := Read(bundle, Options{})
			if err != nil {
				t.Errorf("%s, %s: %v", what, form, err)
			} else if s.Counts() != table.want || len(s.Unknown)+len(s.LeftOut) > 0 {
				t.Errorf("%s, %s: got %+v, unknown %v, left out %v; want %+v", what, form,
					s.Counts(), s.Unknown, s.LeftOut, table.want)
			}
		}
		if err := closer.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestTablesOfTorqueAreTorques: their columns are wider.
func TestTablesOfTorqueAreTorques(t *testing.T) {
	for what, want := range map[string]model.System{"qstat of Torque": model.Torque, "qstat -a of Torque": model.Torque,
		"qstat of PBS": model.PBSSystem, "qstat -an1 of PBS": model.PBSSystem} {
		s, err := Read(fstest.MapFS{"output.txt": {Data: []byte(tables[what].text)}}, Options{})
		if err != nil || s.System != want {
			t.Errorf("%s is of %v: %v", what, s.System, err)
		}
	}
}

// TestWhatTablesSayIsRead: amounts in the units of the accounting file, and the hosts and times of what -n and -a show.
func TestWhatTablesSayIsRead(t *testing.T) {
	s, err := Read(fstest.MapFS{"output.txt": {Data: []byte(tables["qacct -j"].text)}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	e := s.Ended[0]
	if e.Job != 4711 || e.Owner != "alice" || e.CPU != 14010.6 || e.Memory != 1024 || e.MaxVMem != 4<<30 ||
		e.Wallclock != time.Hour || e.Failed != 100 ||
		e.Ended.Sub(e.Started).Milliseconds() != 3_599_877 {
		t.Errorf("%+v", e)
	}
	s, err = Read(fstest.MapFS{"output.txt": {Data: []byte(tables["qstat -n of PBS"].text)}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if p := s.Jobs[0].PBS; p.ExecHost != "node01/0*4+node02/0*4" {
		t.Errorf("%+v", p)
	}
}

// TestQstatJAloneTellsWhichTasksRun: by their usage in the form for people, by their status in XML. Tasks
// behind the first that runs wait where they are not listed; those before it have ended, as tasks start in
// the order of their numbers. That is said.
func TestQstatJAloneTellsWhichTasksRun(t *testing.T) {
	for form, text := range map[string]string{
		"text": "==============================================================\njob_number:            " +
			"     7\nowner:                      alice\n" +
			"usage         1:            wallclock=00:10:00, " +
			"cpu=00:39:00\n==============================================================\n" +
			"job_number:                 8\nowner:                      bob\njob-array tasks:           " +
			" 1-10:1\nusage         3:            cpu=00:00:01\n",
		"XML": "<?xml version='1.0'?><detailed_job_info><djob_info><element><JB_job_number>7</JB_job_number><JB_ja_tasks><ulong_sublist>" +
			"<JAT_status>128</JAT_status><JAT_task_number>1</JAT_task_number></ulong_sublist></JB_ja_tasks></element><element>" +
			"<JB_job_number>8</JB_job_number><JB_ja_structure><task_id_range><RN_min>1</RN_min><RN_max>10</RN_max><RN_step>1</RN_step></task_id_range>" +
			"</JB_ja_structure><JB_ja_tasks><ulong_sublist><JAT_status>128</JAT_status><JAT_task_number>3</JAT_task_number></ulong_sublist></JB_ja_tasks>" +
			"</element></djob_info></detailed_job_info>",
	} {
		s, err := Read(fstest.MapFS{"x.txt": {Data: []byte(text)}}, Options{})
		if want := (model.Counts{Jobs: 2, Running: 2, Waiting: 7}); err != nil || s.Counts() != want {
			t.Errorf("%s: %v, %+v, want %+v", form, err, s.Counts(), want)
		}
	}
}

// TestATableGivesWayToTheFormForPrograms: that says the same, whole and exact.
func TestATableGivesWayToTheFormForPrograms(t *testing.T) {
	bundle := fstest.MapFS{"a.txt": {Data: []byte(tables["qstat -f"].text)}, "b.txt": {Data: []byte(fullFormat)},
		"c.txt": {Data: []byte(tables["qstat"].text)}}
	s, err := Read(bundle, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := (model.Counts{Jobs: 2, Running: 2, Waiting: 3, Hosts: 2, Queues: 2,
		QueueInstances: 2}); s.Counts() != want ||
		s.Jobs[0].Number != 7 {
		t.Errorf("got %+v, first job %d", s.Counts(), s.Jobs[0].Number)
	}
	if len(s.Unknown) != 2 {
		t.Errorf("the files that were not used are not said: %v", s.Unknown)
	}
}

// TestListsWithoutElementsAroundTheirEntriesAreRead: qstat -j -xml of Open Grid Scheduler and Univa Grid
// Engine 8.6 for one job.
func TestListsWithoutElementsAroundTheirEntriesAreRead(t *testing.T) {
	s, err := Read(fstest.MapFS{"job.xml": {Data: []byte(`<?xml version='1.0'?>
<detailed_job_info>
  <djob_info>
    <JB_job_number>7</JB_job_number>
    <JB_submission_time>1592928409331</JB_submission_time>
    <JB_owner>alice</JB_owner>
    <JB_is_array>false</JB_is_array>
    <JB_hard_resource_list>
      <CE_name>h_rt</CE_name><CE_valtype>3</CE_valtype><CE_stringval>14400</CE_stringval><CE_doubleval>14400.0</CE_doubleval><CE_affinity>0.0</CE_affinity>
      <CE_name>gpu</CE_name><CE_valtype>1</CE_valtype><CE_stringval>2</CE_stringval><CE_doubleval>2.0</CE_doubleval>
    </JB_hard_resource_list>
    <JB_hard_queue_list><QR_name>long.q</QR_name></JB_hard_queue_list>
    <JB_pe>smp</JB_pe>
    <JB_pe_range><RN_min>2</RN_min><RN_max>4</RN_max><RN_step>1</RN_step><RN_min>8</RN_min><RN_max>8</RN_max><RN_step>1</RN_step></JB_pe_range>
    <JB_ja_tasks>
      <JAT_task_number>1</JAT_task_number><JAT_status>65536</JAT_status>
      <JAT_scaled_usage_list><UA_name>cpu</UA_name><UA_value>1.5</UA_value><UA_name>mem</UA_name><UA_value>2</UA_value></JAT_scaled_usage_list>
    </JB_ja_tasks>
    <JB_job_number>8</JB_job_number>
    <JB_owner>bob</JB_owner>
  </djob_info>
</detailed_job_info>
`)}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Jobs) != 2 || len(s.Unknown)+len(s.LeftOut) > 0 {
		t.Fatalf("%d jobs, unknown %v, left out %v", len(s.Jobs), s.Unknown, s.LeftOut)
	}
	j := s.Jobs[0]
	if j.Number != 7 || len(j.Hard) != 2 || j.Hard[1].Resource != "gpu" || j.Hard[1].Amount != 2 || len(j.PERange) != 2 ||
		len(j.HardQueues) != 1 || len(j.Finished) != 1 {
		t.Errorf("got %+v", j)
	}
	if s.Jobs[1].Owner != "bob" {
		t.Errorf("the second job's owner is %q", s.Jobs[1].Owner)
	}
}

// TestTheSummaryOfVnodesIsReadAsJSONToo: pbsnodes -aSj -F json names amounts as the table does.
func TestTheSummaryOfVnodesIsReadAsJSONToo(t *testing.T) {
	s, err := Read(fstest.MapFS{"pbsnodes_aSj.json": {Data: []byte(`{"timestamp":1700000000,"pbs_version":"2022.1.1","pbs_server":"s","nodes":{
"n1":{"State":"job-busy","Total Jobs":2,"Running Jobs":2,"Suspended Jobs":"","mem f/t":"100gb/503gb","ncpus f/t":"4/32","nmics f/t":"0/0","ngpus f/t":"1/4","jobs":["7.s","8.s"]}}}
`)}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Hosts) != 1 || len(s.Unknown)+len(s.LeftOut) > 0 {
		t.Fatalf("%d hosts, unknown %v, left out %v", len(s.Hosts), s.Unknown, s.LeftOut)
	}
	h := s.Hosts[0]
	if cpus, _ := model.Text(h.Capacity, "ncpus"); cpus != "32" || len(h.PBS.Jobs) != 2 || len(h.PBS.State) != 1 {
		t.Errorf("got %+v, %+v", h.Capacity, h.PBS)
	}
	if used, _ := model.Text(h.PBS.Assigned, "mem"); used != "422576128kb" {
		t.Errorf("%s of memory is assigned", used)
	}
}

// TestARowThatCannotBeReadCostsNoQueueInstance: only the task is left out, and that is said once.
func TestARowThatCannotBeReadCostsNoQueueInstance(t *testing.T) {
	text := strings.Replace(fullFormat, "<tasks>3</tasks>", "<tasks>cat</tasks>", 1)
	s, err := Read(fstest.MapFS{"qstat-f.xml": {Data: []byte(text)}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := model.Counts{Jobs: 2, Running: 1, Waiting: 3, Hosts: 2, Queues: 2, QueueInstances: 2}
	if got := s.Counts(); got != want || len(s.LeftOut) != 1 {
		t.Errorf("got %+v, left out %v; want %+v", got, s.LeftOut, want)
	}
}
