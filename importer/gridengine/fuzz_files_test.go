package gridengine_test

import (
	"errors"
	"io/fs"
	"testing"

	"qprism/importer"
	"qprism/importer/gridengine"
	"qprism/importer/gridengine/expect"
	"qprism/importer/gridengine/sample"
)

// A fuzzedFile is a file that is tried with any text, and one to begin with.
type fuzzedFile struct{ name, seed string }

// FuzzFile reads any text as one of a bundle's files, kind says which: it never panics, an error says which
// file and line, and going on leaves none. The seeds are the files in the recordings, and more.
func FuzzFile(f *testing.F) {
	const largest = 20 << 10
	list := fuzzedFiles(f)
	for _, path := range []string{"testdata/9.0.13-reservation.tar.gz", "testdata/8.1.9-usage.tar.gz",
		"testdata/8.1.9-forms.tar.gz/bundle", "testdata/8.1.9-forms.tar.gz/forms"} {
		bundle, closer, err := importer.Open(path)
		if err != nil {
			f.Fatal(err)
		}
		for kind, file := range list {
			if text, err := fs.ReadFile(bundle, file.name); err == nil && len(text) <= largest {
				f.Add(uint8(kind), string(text))
			}
		}
		closer.Close()
	}
	for kind, file := range list {
		f.Add(uint8(kind), file.seed)
	}
	rows := sample.Qstat(
		sample.Job("<JB_nurg>0.5</JB_nurg><JB_rrcontr>1</JB_rrcontr><JB_wtcontr>1</JB_wtcontr><JB_dlcontr>0</JB_dlcontr>"),
		`<job_list state="running"><JB_job_number>2</JB_job_number><queue_name>a@x</queue_name><slots>2</slots><tasks>3</tasks></job_list>`,
		`<job_list><JB_job_number>2</JB_job_number><tasks>4-20:2</tasks></job_list>`)
	f.Fuzz(func(t *testing.T, kind uint8, text string) {
		file := list[int(kind)%len(list)].name
		files := map[string]string{"qstat.xml": rows}
		files[file] = text
		_, err := gridengine.Read(expect.Bundle(files), gridengine.Options{})
		if err == nil {
			return
		}
		var p *importer.Problem
		if !errors.As(err, &p) || p.File != file || p.Line < 1 && text != "" {
			t.Errorf("no file and line: %v", err)
		}
		if _, err := gridengine.Read(expect.Bundle(files), gridengine.Options{KeepGoing: true}); err != nil && text != "" {
			t.Errorf("keeping on: %v", err)
		}
	})
}

// fuzzedFiles are the files of a bundle that FuzzFile tries, with texts besides those of recordings.
func fuzzedFiles(f *testing.F) []fuzzedFile {
	return []fuzzedFile{
		{"qstat.xml", sample.Qstat(sample.Job("<tasks>1-9:2</tasks>"), sample.Task("Rq", 11, "<tickets>5</tickets>"),
			`<job_list state="running"><JB_job_number>1</JB_job_number><queue_name>b@y</queue_name><master>SLAVE</master><slots>1</slots></job_list>`,
			`<job_list state="running"><JB_job_number>1</JB_job_number><queue_name>a@x</queue_name><master>MASTER</master><slots>1</slots><granted_pe name="p">1</granted_pe></job_list>`)},
		{"qstat-j.xml", sample.QstatJ(
			sample.JobInQstatJ(2, "<JB_ja_tasks><a><JAT_task_number>6</JAT_task_number></a></JB_ja_tasks>"+
				"<JB_request_set_list><a><JRS_scope>1</JRS_scope><JRS_hard_resource_list><b><CE_name>x</CE_name><CE_stringval>3G</CE_stringval></b></JRS_hard_resource_list></a></JB_request_set_list>"))},
		{"qstat-f.xml", sample.QueueList},
		{"qhost.xml", sample.QhostList},
		{"qrstat.xml", recordedSeed(f, "qrstat-ar.xml")},
		{"qstat-urg.txt", ""},
		{"sge_share_mon.txt", "curr_time=1\tnode_name=/p/a\tuser_name=a\tproject_name=p\t\n"},
		{"schedule", "::::::::\n1:1:RUNNING:0:1:Q:a:b:slots:1.0\n"},
		{"messages", "11/21/2026 08:16:20|schedu|vm|P|a\nb\n"},
		{"MANIFEST", "utc_offset -03:30\ntaken_at 1.5\n"},
		{"accounting", sample.Ended(7, 2, ":-l h_rt=0:1:0:0:NONE:4096:5:0:x") + "\n" + sample.Ended(7, 0, ":NONE")},
		{"accounting.jsonl",
			`{"job_number":4,"task_number":2,"start_time":1795250827070829,"usage":{"eusage":{"cpu":1e300}}}`},
		{"qstat-help.txt", "OCS 9.1.4\n"},
	}
}

func recordedSeed(f *testing.F, name string) string {
	bundle, closer, err := importer.Open("testdata/8.1.9-forms.tar.gz/forms")
	if err != nil {
		f.Fatal(err)
	}
	defer closer.Close()
	text, err := fs.ReadFile(bundle, name)
	if err != nil {
		f.Fatal(err)
	}
	return string(text)
}
