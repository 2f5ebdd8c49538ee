package records_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"qprism/engine/model"
	"qprism/importer/gridengine"
	"qprism/importer/gridengine/expect"
	"qprism/importer/gridengine/sample"
)

func TestARecordOfTheAccountingFile(t *testing.T) {
	want := model.EndedTask{
		Job: 7, Task: 2, Array: true, Name: "sim", Owner: "ann", Group: "staff", Project: "p1",
		Department: "dev", Account: "sge",
		Queue: "all.q", Host: "node01", PE: "mpi", Slots: 4, Submitted: time.Unix(1508964690, 0).UTC(),
		Started: time.Unix(1508964700, 0).UTC(),
		Ended:   time.Unix(1508964719, 0).UTC(), ExitStatus: 3, Wallclock: 19 * time.Second,
		CPU: 16.5, Memory: 0.25, IO: 0.125,
		MaxVMem: 4096, Category: "-l h_rt=60", Reservation: 5,
	}
	for name, c := range map[string]struct {
		behind string
		change func(*model.EndedTask)
	}{
		"as 8.1.9 writes it": {":-l h_rt=60:0:NONE:4096:5:0", func(*model.EndedTask) {}},
		"without a category": {":NONE:0:NONE:4096:5:0", func(e *model.EndedTask) { e.Category = "" }},
		"with colons in its category": {":-l h_rt=0:1:0,x=NONE:0.000:NONE:4096.000000:5:0",
			func(e *model.EndedTask) { e.Category = "-l h_rt=0:1:0,x=NONE" }},
		"of a release without reservations": {":-l h_rt=60:0:NONE:4096", func(e *model.EndedTask) { e.Reservation = 0 }},
		"of a release with further fields":  {":-l h_rt=60:0:NONE:4096:5:0:NONE:NONE:5120:0:host:/home/ann:sleep 10", func(*model.EndedTask) {}},
		"that ends with the category":       {":-l h_rt=60", func(e *model.EndedTask) { e.Reservation, e.MaxVMem = 0, 0 }},
	} {
		w := want
		c.change(&w)
		snap := sample.With(t, map[string]string{"accounting": "# Version: 8.1.9\n\n" +
			sample.Ended(7, 2, c.behind) + "\n"})
		expect.Same(t, name, snap.Ended, []model.EndedTask{w})
	}
}

func TestRecordsThatAreNoTasks(t *testing.T) {
	text := sample.Ended(7, 0, ":NONE:0:NONE:0:0:0") + "\n" + sample.Ended(7, 0, ":NONE:0:1.node02:0:0:0") + "\n" +
		sample.Ended(8, 0, ":-l x=1:1.5:12.node02:0:0:0")
	snap := sample.With(t, map[string]string{"accounting": text})
	if len(snap.Ended) != 1 || snap.Ended[0].Job != 7 || snap.Ended[0].Task != 1 || snap.Ended[0].Array {
		t.Errorf("%+v", snap.Ended)
	}
}

func TestATaskThatNeverRanHasNoTimes(t *testing.T) {
	line := strings.Replace(sample.Ended(7, 0, ":NONE:0:NONE:0:0:0"), ":1508964700:1508964719:0:", ":0:0:19:", 1)
	e := sample.With(t, map[string]string{"accounting": line}).Ended
	if len(e) != 1 || !e[0].Started.IsZero() || !e[0].Ended.IsZero() || e[0].Failed != 19 {
		t.Errorf("%+v", e)
	}
}

func TestARecordOfNewerReleases(t *testing.T) {
	const line = `{"job_number":4,"task_number":2,"start_time":1795250827070829,"end_time":1795250839110694,"owner":"userb","group":"users",` +
		`"account":"sge","qname":"all.q","hostname":"vm","project":"project3","department":"defaultdepartment","granted_pe":"mpi","slots":2,"arid":3,` +
		`"job_name":"b2","priority":0,"submission_time":1795250826042754,"submit_cmd_line":"qsub sleep 12","pe_taskid":"NONE",` +
		`"category":"-l h_rt=31","failed":1,"exit_status":137,"usage":{"rusage":{"ru_wallclock":12,"ru_utime":0.007},` +
		`"eusage":{"wallclock":12.05,"cpu":12.5,"mem":0.5,"io":0.25,"ioops":67.0,"iow":0.0,"maxvmem":1024.0,"maxrss":0.0}}}`
	want := model.EndedTask{
		Job: 4, Task: 2, Array: true, Name: "b2", Owner: "userb", Group: "users", Project: "project3",
		Department: "defaultdepartment",
		Account:    "sge", Queue: "all.q", Host: "vm", PE: "mpi", Slots: 2, Submitted: time.UnixMicro(1795250826042754).UTC(),
		Started: time.UnixMicro(1795250827070829).UTC(), Ended: time.UnixMicro(1795250839110694).UTC(),
		Failed: 1, ExitStatus: 137,
		Wallclock: 12 * time.Second, CPU: 12.5, Memory: 0.5, IO: 0.25, MaxVMem: 1024, Category: "-l h_rt=31", Reservation: 3,
	}
	process := strings.Replace(line, `"pe_taskid":"NONE"`, `"pe_taskid":"1.vm"`, 1)
	snap := sample.With(t, map[string]string{"accounting.jsonl": line + "\n" + process + "\n"})
	expect.Same(t, "the record", snap.Ended, []model.EndedTask{want})
	if len(snap.Unknown) > 0 || slices.Contains(snap.Missing, "accounting") {
		t.Errorf("unknown %v, missing %v", snap.Unknown, snap.Missing)
	}
	bare := sample.With(t, map[string]string{"accounting.jsonl": `{"job_number":4,"task_number":0,"pe_taskid":"NONE","category":"-"}`})
	expect.Same(t, "a bare one", bare.Ended, []model.EndedTask{{Job: 4, Task: 1}})
}

func TestTheNewestRecordsAreKeptInTheirOrder(t *testing.T) {
	var text strings.Builder
	const more = 1234
	for job := 1; job <= 10_000+more; job++ {
		text.WriteString(sample.Ended(job, 0, ":NONE:0:NONE:0:0:0") + "\n")
	}
	ended := sample.With(t, map[string]string{"accounting": text.String()}).Ended
	if len(ended) != 10_000 {
		t.Fatalf("%d records", len(ended))
	}
	for i, e := range ended {
		if e.Job != uint32(more+1+i) {
			t.Fatalf("record %d is of job %d", i, e.Job)
		}
	}
}

func TestBrokenRecordsAreErrors(t *testing.T) {
	const good = ":NONE:0:NONE:0:0:0"
	for name, c := range map[string]struct{ file, text string }{
		"a record that is cut":   {"accounting", "all.q:node01:staff:ann:sim:7"},
		"a job without a number": {"accounting", strings.Replace(sample.Ended(7, 0, good), ":sim:7:", ":sim:x:", 1)},
		"a job with too great a one": {"accounting", strings.Replace(sample.Ended(7, 0, good),
			":sim:7:", ":sim:4294967296:", 1)},
		"a time that is none":        {"accounting", strings.Replace(sample.Ended(7, 0, good), "1508964719", "soon", 1)},
		"negative usage":             {"accounting", strings.Replace(sample.Ended(7, 0, good), ":16.5:", ":-16.5:", 1)},
		"usage that is no number":    {"accounting", strings.Replace(sample.Ended(7, 0, good), ":16.5:", ":nan:", 1)},
		"half an object":             {"accounting.jsonl", `{"job_number":4`},
		"an object of no job":        {"accounting.jsonl", `{"owner":"ann"}`},
		"a number as a text":         {"accounting.jsonl", `{"job_number":"4"}`},
		"an object's negative usage": {"accounting.jsonl", `{"job_number":4,"usage":{"eusage":{"cpu":-1}}}`},
	} {
		files := map[string]string{"qstat.xml": sample.Qstat(), c.file: "\n" + c.text + "\n"}
		if _, err := gridengine.Read(expect.Bundle(files), gridengine.Options{}); err == nil ||
			!strings.HasPrefix(err.Error(), c.file+":2: ") {
			t.Errorf("%s: %v", name, err)
		}
		snap, err := gridengine.Read(expect.Bundle(files), gridengine.Options{KeepGoing: true})
		if err != nil || len(snap.LeftOut) != 1 || len(snap.Ended) != 0 {
			t.Errorf("%s, going on: %v", name, err)
		}
	}
}
