package records_test

import (
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"qprism/engine/model"
	"qprism/importer/gridengine"
	"qprism/importer/gridengine/records"
	"qprism/importer/gridengine/sample"
)

// aReport is the file of a cluster with reporting, joblog and sharelog on, as release 8.1.9 writes it.
const aReport = `1795248275:new_job:1795248275:7:-1:NONE:run.sh:alice:users:NONE:defaultdepartment:sge:1014
1795248276:job_log:1795248275:pending:7:-1:NONE::alice:submit1:0:1014:1795248275:run.sh:alice:users:NONE:defaultdepartment:sge:new job
1795248280:job_log:1795248279:sent:7:1:NONE:t:master:vm:0:1014:1795248275:run.sh:alice:users:NONE:defaultdepartment:sge:sent to execd: all.q@node01
1795248280:queue:all.q:node01:1795248280:
1795248300:sharelog:1795248300:1795248290:/Root/default/alice:alice:defaultproject:100:3:0.500000:0.250000:0.250000:0.125000:0.75:1200.5:1000:0.5:0:2000:1:0
1795248400:acct:` + "all.q:node01:users:alice:run.sh:7:sge:0:1795248275:1795248279:1795248390:0:0:111:1:2:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:NONE:defaultdepartment:NONE:1:0:100.0:5.0:0.1:-l h_rt=100:0.0:NONE:1024.0:0:0" + `
`

func TestReportingTellsEventsEndsAndShares(t *testing.T) {
	got, err := records.ReadReporting(fstest.MapFS{"reporting": &fstest.MapFile{Data: []byte(aReport)}},
		"reporting", gridengine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	at := func(seconds int64) time.Time { return time.Unix(seconds, 0).UTC() }
	job := model.JobEvent{At: at(1795248275), Event: "new", Job: 7, Submitted: at(1795248275),
		Name: "run.sh", Owner: "alice", Group: "users",
		Department: "defaultdepartment", Account: "sge", Priority: -10}
	pending, sent := job, job
	pending.Event, pending.User, pending.Host, pending.Message = "pending", "alice", "submit1", "new job"
	sent.At, sent.Event, sent.Task, sent.State, sent.User, sent.Host = at(1795248279), "sent", 1, "t", "master", "vm"
	sent.Message = "sent to execd: all.q@node01"
	if diff := cmp.Diff([]model.JobEvent{job, pending, sent}, got.Events); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	share := []model.ShareReport{{Path: "/Root/default/alice", User: "alice", Project: "defaultproject",
		At:      at(1795248300),
		UsageAt: at(1795248290),
		Shares:  100, JobCount: 3, Level: 0.5, Total: 0.25, LongTarget: 0.25, ShortTarget: 0.125,
		ActualShare: 0.75, Usage: 1200.5,
		CPU: 1000, Mem: 0.5, LongCPU: 2000, LongMem: 1}}
	if diff := cmp.Diff(share, got.Shares); diff != "" {
		t.Errorf("shares (-want +got):\n%s", diff)
	}
	if len(got.Ended) != 1 || got.Ended[0].Job != 7 || got.Ended[0].Started != at(1795248279) ||
		got.Ended[0].Category != "-l h_rt=100" {
		t.Errorf("ended: %+v", got.Ended)
	}
	if diff := cmp.Diff(map[string]int{"queue": 1}, got.Others); diff != "" {
		t.Errorf("others (-want +got):\n%s", diff)
	}
}

func TestEndedTasksAreThoseOfReportingWhereThereIsNoAccounting(t *testing.T) {
	if got := sample.With(t, map[string]string{"reporting": aReport}).Ended; len(got) != 1 || got[0].Job != 7 {
		t.Errorf("%+v", got)
	}
	if got := sample.With(t, map[string]string{"reporting": aReport,
		"accounting": sample.Ended(8, 0, ":NONE:0.000000:NONE:1024.0:0:0") + "\n"}).Ended; len(got) != 1 ||
		got[0].Job != 8 {
		t.Errorf("with accounting: %+v", got)
	}
}

func TestReportingNamesTheLineThatItCannotRead(t *testing.T) {
	for text, want := range map[string]string{
		"1795248275\n": "reporting:1:",
		"all.q:node01:users:ann:name:7:sge:0:1:2:3\n":                "time", // a line of an accounting file
		"\n1:job_log:x:sent:7:1:NONE:t:m:h:0:1024:5:n:o:g:p:d:a:m\n": "event_time",
		"1:new_job:5:7:-1:NONE:n\n":                                  "too few fields",
		"1:sharelog:5:7\n":                                           "2 fields, not 19",
		"1:acct:x:y\n":                                               "acct: too few fields",
		"1:new_job:5:99999999999:-1:NONE:n:o:g:p:d:a:1024\n":         "job_number",
	} {
		_, err := records.ReadReporting(fstest.MapFS{"reporting": &fstest.MapFile{Data: []byte(text)}},
			"reporting", gridengine.Options{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
		got, err := records.ReadReporting(fstest.MapFS{"reporting": &fstest.MapFile{Data: []byte(text + aReport)}},
			"reporting", gridengine.Options{KeepGoing: true})
		if err != nil || len(got.Events) != 3 {
			t.Errorf("%q: keep going: %v", text, err)
		}
	}
}

func FuzzReporting(f *testing.F) {
	for _, line := range strings.SplitAfter(aReport, "\n") {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, _ = records.ReadReporting(fstest.MapFS{"reporting": &fstest.MapFile{Data: []byte(text)}},
			"reporting", gridengine.Options{KeepGoing: true})
	})
}
