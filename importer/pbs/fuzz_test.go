package pbs

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"qprism/engine/model"
	"qprism/importer"
)

// FuzzFile reads any text as one of a bundle's files, kind says which: it never panics, an error says which
// file, and going on leaves none. The seeds are the files in the recordings, and more.
func FuzzFile(f *testing.F) {
	const largest = 16 << 10
	for _, step := range []string{"job-zoo/running", "limits/before", "fairshare-tree-cput/final",
		"reservations/confirmed",
		"prime-dedicated/ded_soon/before"} {
		name, dir, _ := strings.Cut(step, "/")
		scenario := mustScenario(f, name)
		for kind, file := range fuzzedFiles {
			if text, err := fs.ReadFile(scenario, dir+"/"+file.name); err == nil {
				f.Add(uint8(kind), string(text[:min(len(text), largest)]))
			}
		}
	}
	for kind, file := range fuzzedFiles {
		f.Add(uint8(kind), file.seed)
	}
	f.Fuzz(func(t *testing.T, kind uint8, text string) {
		checkAny(t, fuzzedFiles[int(kind)%len(fuzzedFiles)].name, text)
	})
}

// checkAny reads a text as a file, with errors and without.
func checkAny(t *testing.T, file, text string) {
	t.Helper()
	bundle := bundleOf(map[string]string{file: text, "sched_priv/holidays": ""})
	s, err := Read(bundle, Options{})
	if err == nil {
		for _, l := range s.LeftOut {
			if l.File == "" || l.Reason == "" {
				t.Errorf("left out without a reason: %+v", l)
			}
		}
		return
	}
	var p *importer.Problem
	if !errors.As(err, &p) || p.File != file || len(p.Text) > 400 {
		t.Errorf("no file: %v", err)
	}
	if s, err := Read(bundle, Options{KeepGoing: true}); err != nil || len(s.LeftOut) == 0 {
		t.Errorf("keeping on: %v", err)
	}
}

// fuzzedFiles are the files of a bundle that FuzzFile tries, with texts besides those of recordings.
var fuzzedFiles = []struct{ name, seed string }{
	{"qstat_f.json",
		jsonJob(`"Job_Name": 005, "comment": "a "b" \c", "Resource_List": {"ncpus": 1,}, "x": [1, {"y": null}]`)},
	{"qstat_f.txt", "Job Id: 1[].s\n    a.b = c,\n\td\nraw\n\n    e = \n    Variable_List = A=1\n\tB=2\n"},
	{"qstat_f.dsv", `Job Id: 1.s|a.b=c\|d\\|e=`},
	{"qstat_Qf.txt", "Queue: a\n    max_run = [u:a=1],[o:PBS_ALL=2]\n"},
	{"qstat_Bf.json", ""},
	{"pbsnodes_av.txt", "n\n     state = free\n\nm\n     np = 4\n"},
	{"pbs_rstat_F.txt", ""},
	{"qmgr_print_server.txt", "create queue a\nset queue a b += \"x\ny\"\nset server max_run = " +
		"[u:a=1]\ncreate hook h\nimport hook h a b -\nYQ==\n"},
	{"qmgr_list_sched.txt", "Sched a\n    preempt_order = \"SCR 80 SC 50 S\"\n"},
	{"sched_config", "a: 'b' c\njob_sort_key: \"x LOW\" prime\npeer_queue: a b@c\n\\\n"},
	{"sched_formula", ""},
	{"resource_group", ""},
	{"holidays", "YEAR 2026\nweekday 0600 1730\nsunday none all\n12 x\n"},
	{"dedicated_time", "1/2/27 0:00 1/3/27 24:00\n"},
	{"usage", "eve\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x29\x40\x00"},
	{"pbsfs_p.txt", " TREEROOT(0)\n     a(1)\n"},
	{"pbsfs_g_scott.txt", "fairshare entity: a\nusage: 1 (x)\nPath from root: \na: 1 2 / 0.5 = 4\n"},
	{"pbsfs_c.json", `[{"a":"x","b":"y","out":"x == y"}]`},
	{"sched_log.txt", "11/21/2026 08:00:00.25;0080;pbs_sched;Req;;Starting Scheduling Cycle\n" +
		"11/21/2026 08:00:01;0080;pbs_sched;Job;1.s;Job is a top job and will run at Sat Nov 21 08:21:31 2026\n"},
	{"accounting.txt", "11/21/2026 08:00:00;Q;1.s;user=eve account=\"a b, c\" x\n"},
	{"qstat_x.xml", "<Data><Job><Job_Id>3.s</Job_Id><resources_used><cput>1</cput></resources_used></Job></Data>"},
	{"version.txt", "Version: 6.1\nCommit: x\n"},
	{"MANIFEST", "taken_at 1.5\nutc_offset -03:30\nmaster m\ncommand a rc=0 b\n"},
}

// What a listing says, printed in the other forms, reads to the same jobs.
func FuzzFormsAgree(f *testing.F) {
	f.Add("name", "a,b=c|d\\e", "1:ncpus=2", "x")
	f.Add("", "say \"hi\"", "", "\xff\x01")
	f.Fuzz(func(t *testing.T, name, comment, sel, other string) {
		for _, s := range []string{name, comment, sel, other} {
			if strings.ContainsAny(s, "\n\r\t") || strings.ContainsFunc(s, func(c rune) bool {
				return c < ' ' || c == '\uFFFD'
			}) || len(s) > 500 {
				return // text forms lose some of these
			}
		}
		values := [][2]string{{"Job_Name", name}, {"comment", comment}, {"Resource_List.select", sel}, {"novel", other}}
		text, dsv := "Job Id: 7.s\n", "Job Id: 7.s"
		var members []string
		for _, v := range values {
			text += "    " + v[0] + " = " + v[1] + "\n"
			dsv += "|" + v[0] + "=" + strings.NewReplacer(`\`, `\\`, "|", `\|`).Replace(v[1])
			label, resource, ok := strings.Cut(v[0], ".")
			member := fmt.Sprintf("%s: %s", quoteJSON(label), quoteJSON(v[1]))
			if ok {
				member = fmt.Sprintf("%s: {%s: %s}", quoteJSON(label), quoteJSON(resource), quoteJSON(v[1]))
			}
			members = append(members, member)
		}
		want := jobsOf(t, "qstat_f.json", jsonJob(strings.Join(members, ",\n")))
		for file, text := range map[string]string{"qstat_f.txt": text, "qstat_f.dsv": dsv + "\n"} {
			if diff := cmp.Diff(want, jobsOf(t, file, text), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s: %s", file, diff)
			}
		}
	})
}

func quoteJSON(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

func jobsOf(t *testing.T, file, text string) []model.Job {
	t.Helper()
	s, err := Read(fstest.MapFS{file: {Data: []byte(text)}}, Options{})
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	if len(s.PBS.Repairs) > 0 {
		t.Fatalf("%s: %+v", file, s.PBS.Repairs)
	}
	return s.Jobs
}
