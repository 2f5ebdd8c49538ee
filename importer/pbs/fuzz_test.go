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

// fuzzFile reads any text as one of a bundle's files: it never panics, an error says which file, and going on leaves none.
// The seeds are the file in the recordings, and more.
func fuzzFile(f *testing.F, file string, more ...string) {
	const largest, seeds = 16 << 10, 4
	n := 0
	for _, step := range []string{"job-zoo/running", "limits/before", "fairshare-tree-cput/final", "reservations/confirmed",
		"prime-dedicated/ded_soon/before"} {
		name, dir, _ := strings.Cut(step, "/")
		text, err := fs.ReadFile(mustScenario(f, name), dir+"/"+file)
		if err == nil && n < seeds {
			n++
			f.Add(string(text[:min(len(text), largest)]))
		}
	}
	for _, text := range more {
		f.Add(text)
	}
	if n+len(more) == 0 {
		f.Fatal("no seed")
	}
	f.Fuzz(func(t *testing.T, text string) { checkAny(t, file, text) })
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

func FuzzQstatJSON(f *testing.F) {
	fuzzFile(f, "qstat_f.json", jsonJob(`"Job_Name": 005, "comment": "a "b" \c", "Resource_List": {"ncpus": 1,}, "x": [1, {"y": null}]`))
}

func FuzzQstatText(f *testing.F) {
	fuzzFile(f, "qstat_f.txt", "Job Id: 1[].s\n    a.b = c,\n\td\nraw\n\n    e = \n    Variable_List = A=1\n\tB=2\n")
}

func FuzzQstatDSV(f *testing.F) { fuzzFile(f, "qstat_f.dsv", `Job Id: 1.s|a.b=c\|d\\|e=`) }
func FuzzQstatQueues(f *testing.F) {
	fuzzFile(f, "qstat_Qf.txt", "Queue: a\n    max_run = [u:a=1],[o:PBS_ALL=2]\n")
}
func FuzzQstatServer(f *testing.F) { fuzzFile(f, "qstat_Bf.json") }
func FuzzPbsnodes(f *testing.F) {
	fuzzFile(f, "pbsnodes_av.txt", "n\n     state = free\n\nm\n     np = 4\n")
}
func FuzzPbsRstat(f *testing.F) { fuzzFile(f, "pbs_rstat_F.txt") }
func FuzzQmgrPrint(f *testing.F) {
	fuzzFile(f, "qmgr_print_server.txt",
		"create queue a\nset queue a b += \"x\ny\"\nset server max_run = [u:a=1]\ncreate hook h\nimport hook h a b -\nYQ==\n")
}
func FuzzQmgrList(f *testing.F) {
	fuzzFile(f, "qmgr_list_sched.txt", "Sched a\n    preempt_order = \"SCR 80 SC 50 S\"\n")
}
func FuzzSchedConfig(f *testing.F) {
	fuzzFile(f, "sched_config", "a: 'b' c\njob_sort_key: \"x LOW\" prime\npeer_queue: a b@c\n\\\n")
}
func FuzzSchedFormula(f *testing.F)  { fuzzFile(f, "sched_formula") }
func FuzzResourceGroup(f *testing.F) { fuzzFile(f, "resource_group") }
func FuzzHolidays(f *testing.F) {
	fuzzFile(f, "holidays", "YEAR 2026\nweekday 0600 1730\nsunday none all\n12 x\n")
}
func FuzzDedicatedTime(f *testing.F) { fuzzFile(f, "dedicated_time", "1/2/27 0:00 1/3/27 24:00\n") }
func FuzzUsage(f *testing.F) {
	fuzzFile(f, "usage", "eve\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x29\x40\x00")
}
func FuzzPbsfs(f *testing.F) { fuzzFile(f, "pbsfs_p.txt", " TREEROOT(0)\n     a(1)\n") }
func FuzzPbsfsEntity(f *testing.F) {
	fuzzFile(f, "pbsfs_g_scott.txt", "fairshare entity: a\nusage: 1 (x)\nPath from root: \na: 1 2 / 0.5 = 4\n")
}
func FuzzPbsfsPairs(f *testing.F) { fuzzFile(f, "pbsfs_c.json", `[{"a":"x","b":"y","out":"x == y"}]`) }
func FuzzSchedLog(f *testing.F) {
	fuzzFile(f, "sched_log.txt", "11/21/2026 08:00:00.25;0080;pbs_sched;Req;;Starting Scheduling Cycle\n"+
		"11/21/2026 08:00:01;0080;pbs_sched;Job;1.s;Job is a top job and will run at Sat Nov 21 08:21:31 2026\n")
}
func FuzzAccounting(f *testing.F) {
	fuzzFile(f, "accounting.txt", "11/21/2026 08:00:00;Q;1.s;user=eve account=\"a b, c\" x\n")
}
func FuzzTorque(f *testing.F) {
	fuzzFile(f, "qstat_x.xml", "<Data><Job><Job_Id>3.s</Job_Id><resources_used><cput>1</cput></resources_used></Job></Data>")
}
func FuzzVersion(f *testing.F) { fuzzFile(f, "version.txt", "Version: 6.1\nCommit: x\n") }
func FuzzManifest(f *testing.F) {
	fuzzFile(f, "MANIFEST", "taken_at 1.5\nutc_offset -03:30\nmaster m\ncommand a rc=0 b\n")
}

// What a listing says, printed in the other forms, reads to the same jobs.
func FuzzFormsAgree(f *testing.F) {
	f.Add("name", "a,b=c|d\\e", "1:ncpus=2", "x")
	f.Add("", "say \"hi\"", "", "\xff\x01")
	f.Fuzz(func(t *testing.T, name, comment, sel, other string) {
		for _, s := range []string{name, comment, sel, other} {
			if strings.ContainsAny(s, "\n\r\t") || strings.ContainsFunc(s, func(c rune) bool { return c < ' ' || c == '\uFFFD' }) || len(s) > 500 {
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
