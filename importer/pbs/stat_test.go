package pbs

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"qprism/engine/model"
	"qprism/fixtures/generate"
	"qprism/importer"
	"qprism/importer/pbs/object"
)

// bundleOf is a bundle with these files.
func bundleOf(files map[string]string) fstest.MapFS {
	b := fstest.MapFS{}
	for name, text := range files {
		b[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return b
}

// readOne reads a bundle of one file.
func readOne(t *testing.T, file, text string) *model.Snapshot {
	t.Helper()
	return mustRead(t, bundleOf(map[string]string{file: text}))
}

// jsonJob is a qstat_f.json with one job that has these members.
func jsonJob(members string) string {
	return "{\n\t\"timestamp\":\t1795251213,\n\t\"pbs_version\":\t\"23.06.06\",\n\t\"pbs_server\":\t\"s\",\n\t\"Jobs\":\t{\n\t\t\"7.s\":\t{\n" +
		members + "\n\t\t}\n\t}\n}\n"
}

// Quirk P21.
func TestTypesThatTheServerGuessesAreTakenAsTheyCome(t *testing.T) {
	s := readOne(t, "qstat_f.json", jsonJob(`"Job_Name": 12, "Account_Name": true, "comment": ["a", 1, {"b": null}],
		"Priority": "-5", "queue_rank": 1.79524947980989e+15, "topjob": "True", "Rerunable": false,
		"Resource_List": {"ncpus": "4", "mem": "2gb", "select": "1:ncpus=4", "flo": 0.5, "walltime": "01:00:00"}`))
	j := s.Jobs[0]
	if j.Number != 7 || j.Name != "12" || j.Account != "true" || j.PBS.Comment != "a,1,b=null," || j.PosixPriority != -5 ||
		j.PBS.QueueRank != 1795249479809890 || !j.PBS.TopJob || !j.PBS.NotRerunable || j.PBS.Select != "1:ncpus=4" {
		t.Errorf("%+v\n%+v", j, j.PBS)
	}
	amounts := map[string]float64{}
	for _, r := range j.Hard {
		amounts[r.Resource] = r.Amount
	}
	if diff := cmp.Diff(map[string]float64{"ncpus": 4, "mem": 2 << 20, "flo": 0.5, "walltime": 3600},
		amounts); diff != "" {
		t.Error(diff)
	}
	if s.Cluster != "s" || s.Release.Version != "23.06.06" || s.TakenAt.Unix() != 1795251213 {
		t.Errorf("%q %v %v", s.Cluster, s.Release, s.TakenAt)
	}
}

func TestInvalidJSONIsRepairedAndThePlaceNamed(t *testing.T) {
	for name, c := range map[string]struct {
		members string
		comment string
		note    string
	}{
		"a number with a zero before it": {`"Job_Name": 005`, "", "a string without quotes"},
		"a bare word":                    {`"comment": not yet, "Priority": 1`, "not yet", "a string without quotes"},
		"an escape that is none":         {`"comment": "C:\data\$x"`, `C:\data\$x`, "a backslash that begins no escape"},
		"a quote inside":                 {`"comment": "say "hi" now"`, `say "hi" now`, "a quote inside a string"},
		"a line break inside":            {"\"comment\": \"a\nb\"", "a\nb", `the control character '\n' inside a string`},
		"a tab inside":                   {"\"comment\": \"a\tb\"", "a\tb", `the control character '\t' inside a string`},
		"a key given twice":              {`"comment": "a", "comment": "b"`, "b", "a key given twice; the last one counts"},
		"a comma too many":               {`"comment": "a",`, "a", "a comma too many"},
		"two commas":                     {`"comment": "a",, "Priority": 1`, "a", "a comma too many"},
		"a missing comma":                {"\"comment\": \"a\"\n\"Priority\": 1", "a", "a comma is missing"},
		"a resource twice, in two places": {`"Resource_List": {"ncpus": 1}, "comment": "x", "Resource_List": {"ncpus": 2}`, "x",
			"a key given twice; the last one counts"},
	} {
		t.Run(name, func(t *testing.T) {
			s := readOne(t, "qstat_f.json", jsonJob(c.members))
			if len(s.Jobs) != 1 || s.Jobs[0].PBS.Comment != c.comment {
				t.Fatalf("%+v", s.Jobs)
			}
			r := s.PBS.Repairs
			if len(r) != 1 || r[0].File != "qstat_f.json" || r[0].Line < 7 || r[0].Line > 9 || r[0].Note != c.note {
				t.Errorf("%+v, want %q", r, c.note)
			}
		})
	}
	s := readOne(t, "qstat_f.json", jsonJob(`"Job_Name": 005, "Resource_List": {"a": 1}, "Resource_List": {"b": 2}`))
	if s.Jobs[0].Name != "005" || len(s.Jobs[0].Hard) != 2 {
		t.Errorf("%+v", s.Jobs[0])
	}
}

func TestWhatNoRepairHelpsIsAProblemWithItsPlace(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"a file cut off":        {jsonJob(`"comment": "a"`)[:100], "qstat_f.json:7: the file ends in the middle"},
		"no JSON at all":        {"qstat: cannot connect\n", "qstat_f.json:1: '{' expected"},
		"something behind it":   {jsonJob("") + "{}", "qstat_f.json:11: more after the end"},
		"a number that is none": {jsonJob(`"Priority": "high"`), `qstat_f.json:7: 7.s: Priority: invalid syntax: "high"`},
		"a time that is none":   {jsonJob(`"qtime": "Sat Nov 31"`), `qstat_f.json:7: 7.s: qtime: invalid syntax`},
		"an id that is none":    {strings.Replace(jsonJob(""), "7.s", "x7", 1), `qstat_f.json:6: no job id: "x7"`},
		"nested too deep":       {jsonJob(`"comment": ` + strings.Repeat("[", 100)), "nested too deep"},
		"a huge string":         {jsonJob(`"comment": "` + strings.Repeat("x", 2<<20) + `"`), "a string of more than"},
	} {
		s, err := Read(bundleOf(map[string]string{"qstat_f.json": c.text}), Options{})
		if err == nil && len(s.LeftOut) == 1 { // a job costs no other
			l := s.LeftOut[0]
			err = &importer.Problem{File: l.File, Line: l.Line, Text: l.Text, Err: errors.New(l.Reason)}
		}
		var p *importer.Problem
		if !errors.As(err, &p) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
		s, err = Read(bundleOf(map[string]string{"qstat_f.json": c.text}), Options{KeepGoing: true})
		if err != nil || len(s.LeftOut) != 1 {
			t.Errorf("%s: keeping on: %v", name, err)
		}
	}
}

func TestUnknownAttributesAreKeptAndListed(t *testing.T) {
	s := readOne(t, "qstat_f.json", jsonJob(`"shiny": "new", "glow": {"red": 1}`))
	want := []model.Setting{{Name: "shiny", Value: "new"}, {Name: "glow.red", Value: "1"}}
	if diff := cmp.Diff(want, s.Jobs[0].PBS.Other); diff != "" {
		t.Error(diff)
	}
	if len(s.Unknown) != 2 || s.Unknown[0].Name != "shiny" || s.Unknown[0].Line != 7 {
		t.Errorf("%+v", s.Unknown)
	}
}

func TestWrappedLinesAreJoined(t *testing.T) {
	text := "Job Id: 12[3].srv\n    Job_Name = a = b\n    Hold_Types = us\n    comment = one two,\n\tthree=4,\n\tfive\n" +
		"    depend = afterok:1.srv@srv\n    array_id = 12[].srv\n    array_index = 3\n    Account_Name " +
		"= first\nsecond line\n\nfourth\n    Priority = 3\n\t\n" +
		"    Variable_List = A=1\nB = 2\n\tC=3\n    queue = q\n\n" +
		"Job Id: 13.srv\n    Job_Name = \n    ctime = Sat Nov  7 08:05:09 2026\n    eligible_time = " +
		"120:00:01\n    Exit_status = -29\n"
	s := readOne(t, "qstat_f.txt", text)
	if len(s.Jobs) != 2 || len(s.Unknown) != 0 {
		t.Fatalf("%d jobs, %+v", len(s.Jobs), s.Unknown)
	}
	a, b := s.Jobs[0], s.Jobs[1]
	if a.Number != 12 || a.PBS.Index != 3 || a.PBS.Array != "12[].srv" || a.Name != "a = b" ||
		a.PBS.Comment != "one two,three=4,five" ||
		a.PBS.Holds != "us" || a.Account != "first\nsecond line\n\nfourth" || a.PosixPriority != 3 || a.PBS.Queue != "q" {
		t.Errorf("%+v\n%+v", a, a.PBS)
	}
	if b.Name != "" || !b.Submitted.Equal(time.Date(2026, 11, 7, 8, 5, 9, 0, time.UTC)) ||
		b.PBS.EligibleTime != 120*time.Hour+time.Second ||
		b.PBS.ExitStatus != (model.Count{Set: true, N: -29}) {
		t.Errorf("%+v\n%+v", b, b.PBS)
	}
}

func TestLocalTimesFollowTheManifest(t *testing.T) {
	s := mustRead(t, bundleOf(map[string]string{"MANIFEST": "taken_at 1795251213.5\nutc_offset " +
		"-0330\nmaster m\ncommand a rc=0 b\n",
		"qstat_f.txt": "Job Id: 1.s\n    qtime = Sat Nov 21 08:00:00 2026\n"}))
	if got := s.Jobs[0].PBS.Queued.Format(time.RFC3339); got != "2026-11-21T11:30:00Z" || s.Location != "-0330" ||
		s.Cluster != "m" {
		t.Errorf("%s %q %q", got, s.Location, s.Cluster)
	}
}

func TestBarsAndBackslashesOfDSV(t *testing.T) {
	s := readOne(t, "qstat_f.dsv",
		`Job Id: 5[].s|Job_Name=a\|b|comment=C\\D\,e=f|Resource_List.select=1:x=a\|b|array=True|array_indices_submitted=1-9:2,12|`+
			"array_state_count=Queued:5 Running:1 |max_run_subjobs=2\n")
	j := s.Jobs[0]
	want := []model.Range{{Min: 1, Max: 9, Step: 2}, {Min: 12, Max: 12, Step: 1}}
	if j.Name != "a|b" || j.PBS.Comment != `C\D\,e=f` || j.PBS.Select != "1:x=a|b" || !j.Array ||
		!slices.Equal(j.Structure, want) ||
		j.MaxRunningTasks != 2 || !slices.Equal(j.PBS.ArrayStates,
		[]model.Setting{{Name: "Queued", Value: "5"}, {Name: "Running", Value: "1"}}) {
		t.Errorf("%+v\n%+v", j, j.PBS)
	}
}

func TestTorqueIsReadToo(t *testing.T) {
	s := mustRead(t, bundleOf(map[string]string{
		"version.txt": "Version: 6.1.2\nCommit: 661e092552de43a785c15d39a3634a541d86898e\n",
		"qstat_x.xml": "<Data><Job><Job_Id>3.srv</Job_Id><Job_Name>a&lt;b</Job_Name><Job_Owner>eve@h</Job_Owner><job_state>R</job_state>\n" +
			"<resources_used><cput>00:01:00</cput><mem>10kb</mem></resources_used><Resource_List><nodes>2:ppn=4</nodes><walltime>01:00:00</walltime></Resource_List>" +
			"<ctime>1795251213</ctime><Variable_List>A=1</Variable_List><exec_host>n1/0-3</exec_host></Job><Job><Job_Id>4-2.srv</Job_Id></Job></Data>",
		"pbsnodes_a.txt": "n1\n     state = job-exclusive\n     np = 8\n     properties = big\n     " +
			"ntype = cluster\n     jobs = 0/3.srv, 1/3.srv\n     status = rectime=1,opsys=linux\n\nn2\n " +
			"    state = down,offline\n     np = 4\n",
	}))
	if s.System != model.Torque || s.Release != (model.Release{Product: "Torque", Version: "6.1.2"}) || len(s.Jobs) != 2 ||
		len(s.Unknown) != 0 {
		t.Fatalf("%q %v, %d jobs, %+v", s.System, s.Release, len(s.Jobs), s.Unknown)
	}
	j := s.Jobs[0]
	if j.Name != "a<b" || j.Owner != "eve" || j.PBS.State != "R" || j.Submitted.Unix() != 1795251213 ||
		j.PBS.Used[0].Amount != 60 ||
		j.Hard[1].Amount != 3600 {
		t.Errorf("%+v\n%+v", j, j.PBS)
	}
	if s.Jobs[1].Number != 4 || s.Jobs[1].PBS.Index != 2 {
		t.Errorf("%+v", s.Jobs[1].PBS)
	}
	if n := s.Hosts; len(n) != 2 || n[0].Capacity[0] != (model.Setting{Name: "ncpus", Value: "8"}) ||
		len(n[0].PBS.Jobs) != 2 ||
		!slices.Equal(n[1].PBS.State, []string{"down", "offline"}) {
		t.Errorf("%+v", n)
	}
}

func TestPrintedCommandsGiveObjects(t *testing.T) {
	s := readOne(t, "qmgr_print_server.txt", `#
# Create resources and set their properties.
#
create resource lic
set resource lic type = long
set resource lic flag = q
create queue a
set queue a queue_type = Execution
set queue a Priority = high
set queue a acl_users = alice
set queue a acl_users += bob@*
set queue a comment = "two words, and
a second line = here"
set queue a max_run = "[u:PBS_GENERIC=2],[g:staff=3]"
set queue a max_run += [u:"a,b"=9]
set queue a started = True
create queue b
set server scheduling = True
set server max_user_run = 7
set server max_run_res.mem = [o:PBS_ALL=2gb]
`)
	if len(s.Queues) != 2 || s.Queues[0].PBS.Priority != -1 || !s.Queues[0].PBS.Started || s.Queues[1].Name != "b" ||
		!s.PBS.Server.Scheduling {
		t.Fatalf("%+v", s.Queues)
	}
	values := map[string]string{}
	for _, a := range s.Queues[0].Attributes {
		values[a.Name] = a.Default
	}
	if values["acl_users"] != "alice,bob@*" || values["comment"] != "two words, and\na second line = here" {
		t.Errorf("%q", values)
	}
	limits := []model.Limit{
		{Attribute: "max_run", Kind: "u", Entity: "PBS_GENERIC", Value: "2", Amount: 2},
		{Attribute: "max_run", Kind: "g", Entity: "staff", Value: "3", Amount: 3},
		{Attribute: "max_run", Kind: "u", Entity: "a,b", Value: "9", Amount: 9},
	}
	if diff := cmp.Diff(limits, s.Queues[0].PBS.Limits); diff != "" {
		t.Error(diff)
	}
	limits = []model.Limit{
		{Attribute: "max_run", Kind: "u", Entity: "PBS_GENERIC", Value: "7", Amount: 7},
		{Attribute: "max_run_res", Resource: "mem", Kind: "o", Entity: "PBS_ALL", Value: "2gb", Amount: 2 << 20},
	}
	if diff := cmp.Diff(limits, s.PBS.Server.Limits); diff != "" {
		t.Error(diff)
	}
	if d := s.Resources[0]; d.Name != "lic" || d.Type != model.TypePBSLong || d.Flags != "q" || d.BuiltIn {
		t.Errorf("%+v", d)
	}
}

func TestASnapshotOfPBSItselfIsABundle(t *testing.T) {
	files := map[string]string{"ctime": "1795251213\n", "job/qstat_f.out": "Job Id: 1.s\n    queue = a\n",
		"sched_priv/sched_config": "by_queue: true\n",
		"server/qstat_Bf.out":     "Server: s\n    scheduling = True\n    pbs_version = 19.1.3\n",
		"server/qstat_Qf.out":     "Queue: a\n    Priority = 4\n",
		"node/pbsnodes_va.out":    "n\n     state = free\n", "scheduler/qmgr_lsched.out": "Sched default\n    preempt_queue_prio = 90\n",
		"server_priv/accounting/20261120": "11/20/2026 10:00:00;S;1.s;user=a start=5\n",
		"server_priv/accounting/20261121": "11/21/2026 10:00:00;E;1.s;user=a\n",
		"sched_logs/20261121":             "11/21/2026 10:00:00;0080;pbs_sched;Req;;Starting Scheduling Cycle\n",
		"sched_logs/20261120":             "x\n",
		"job/qstat_t.out":                 "", "system/os_info": "x", "pbs.conf": "PBS_SERVER=s\n",
		"strange": "x", "sched_priv/usage": "",
		"job/qstat_tf.out": "Job Id: 1.s\n    queue = a\n\nJob Id: 2[1].s\n    queue = a\n"}
	s := mustRead(t, bundleOf(files))
	if len(s.Jobs) != 2 || len(s.Hosts) != 1 || s.Queues[0].PBS.Priority != 4 ||
		s.PBS.Schedulers[0].PreemptQueuePrio != 90 ||
		!s.PBS.SchedConfig.Prime.ByQueue ||
		len(s.PBS.Accounting) != 2 || len(s.PBS.Cycles) != 1 || s.Release.Version != "19.1.3" ||
		s.TakenAt.Unix() != 1795251213 {
		t.Errorf("%+v", s.PBS)
	}
	if len(s.Unknown) != 1 || s.Unknown[0].File != "strange" || !slices.Contains(s.Missing, "pbsfs_p.txt") ||
		!slices.Contains(s.Has, "sched_logs/20261120") {
		t.Errorf("%+v %v %v", s.Unknown, s.Missing, s.Has)
	}
	if file, _ := model.Text(s.PBS.Sources, "jobs"); file != "job/qstat_tf.out" {
		t.Errorf("jobs from %s", file)
	}
	if importer.SystemOf(bundleOf(files)) != model.PBSSystem {
		t.Error("not recognised")
	}
	if _, err := Read(bundleOf(map[string]string{"notes": "x"}), Options{}); err == nil {
		t.Error("a folder of anything is a bundle")
	}
}

// Listings are read one object at a time: what 20,000 jobs take on the way is what 200 take.
func TestListingsAreReadInFlatMemory(t *testing.T) {
	const listed, most = 20_000, 4 << 20 // bytes
	for file, write := range map[string]func(io.Writer, int) error{"qstat_f.json": generate.PBSJSON,
		"qstat_f.txt": generate.PBSText} {
		dir := t.TempDir()
		size := writeFile(t, filepath.Join(dir, file), listed, write)
		r := newReader(os.DirFS(dir), Options{})
		var start, end runtime.MemStats
		n := 0
		err := r.Reader.Read(&jobs.Kind, file, func(*object.Record) {
			if n++; n == 200 {
				runtime.GC()
				runtime.ReadMemStats(&start)
			}
			if n == listed {
				runtime.GC()
				runtime.ReadMemStats(&end)
			}
		})
		if err != nil || n != listed {
			t.Fatalf("%d jobs, %v", n, err)
		}
		if grown := int64(end.HeapAlloc) - int64(start.HeapAlloc); grown > most {
			t.Errorf("%s: %d bytes more after %d", file, grown, size)
		}
	}
}

func TestGeneratedListingsGiveTheSameJobs(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "qstat_f.json"), 300, generate.PBSJSON)
	a := mustRead(t, os.DirFS(dir)).Jobs
	if err := os.Remove(filepath.Join(dir, "qstat_f.json")); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "qstat_f.txt"), 300, generate.PBSText)
	b := mustRead(t, os.DirFS(dir)).Jobs
	if diff := cmp.Diff(a, b, cmpopts.EquateNaNs(), cmpopts.EquateEmpty()); diff != "" || len(a) != 300 {
		t.Error(diff)
	}
}

// TestACommandThatPrintedNothingIsNotMissing: where there are no reservations pbs_rstat prints nothing, and
// a capture keeps no empty file.
func TestACommandThatPrintedNothingIsNotMissing(t *testing.T) {
	for rc, want := range map[string]bool{"command pbs_rstat_F.txt rc=0 pbs_rstat -F": false,
		"command pbs_rstat_F.txt rc=1 pbs_rstat -F": true, "": true} {
		s := mustRead(t, bundleOf(map[string]string{"MANIFEST": "taken_at 1795251213\n" + rc +
			"\ncommand pbsfs_p.txt rc=0 pbsfs -p\n"}))
		if got := slices.Contains(s.Missing, "pbs_rstat_F.txt"); got != want {
			t.Errorf("%q: missing %v, want %v", rc, got, want)
		}
		if !slices.Contains(s.Missing, "pbsfs_p.txt") { // whose printing nothing says nothing
			t.Errorf("%q: %v", rc, s.Missing)
		}
	}
}

// TestEligibleTimeIsThatOfTheSnapshot: a listing some seconds after the bundle began shows jobs that have
// waited that much longer.
func TestEligibleTimeIsThatOfTheSnapshot(t *testing.T) {
	for taken, want := range map[string]time.Duration{"1795306088.885584": 8 * time.Second,
		"1795306089.2": 9 * time.Second,
		"1795306084":   4 * time.Second,
		"1795306000":   9 * time.Second, "1795306099": 9 * time.Second} {
		s := mustRead(t, bundleOf(map[string]string{"MANIFEST": "taken_at " + taken + "\n",
			"qstat_f.json":  `{"timestamp":1795306089,"Jobs":{"14.s":{"eligible_time":"00:00:09","accrue_type":2},"15.s":{"eligible_time":"00:00:09","accrue_type":3}}}`,
			"qstat_Bf.json": `{"timestamp":1795306095,"Server":{}}`}))
		if got := s.Jobs[0].PBS.EligibleTime; got != want {
			t.Errorf("taken at %s: %v of eligible time, want %v", taken, got, want)
		}
		if got := s.Jobs[1].PBS.EligibleTime; got != 9*time.Second {
			t.Errorf("taken at %s: the running job has %v", taken, got)
		}
	}
}

// TestEveryPlaceHasAReader puts a value into each place of jobs and vnodes.
func TestEveryPlaceHasAReader(t *testing.T) {
	for file, c := range map[string]struct {
		head   string
		places places
	}{"qstat_f.txt": {"Job Id: 1.s\n", (&jobReader{}).places()}, "pbsnodes_av.txt": {"n1\n", (&nodeReader{}).places()}} {
		text := c.head
		for name := range c.places {
			text += "     " + name + " = 1\n"
		}
		if _, err := Read(bundleOf(map[string]string{file: text}), Options{KeepGoing: true}); err != nil {
			t.Error(err)
		}
	}
}
