package lint_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"qprism/compat"
	gelint "qprism/engine/gridengine/lint"
	"qprism/engine/lint"
	"qprism/engine/model"
	pbslint "qprism/engine/pbs/lint"
	"qprism/fixtures/examples"
	"qprism/fixtures/pbs"
	"qprism/importer/cluster"
)

// An edit changes the files of a bundle. One that changes nothing is an error of the test.
type edit struct {
	file string
	do   func(text string) string
}

// set gives the line that begins with a key another value.
func set(file, key, value string) edit {
	return edit{file, func(text string) string {
		lines := strings.Split(text, "\n")
		for i, line := range lines {
			if words := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' || r == ':' }); len(words) > 0 && words[0] == key {
				lines[i] = key + strings.Repeat(" ", 4) + value
				if strings.HasPrefix(line, key+":") {
					lines[i] = key + ": " + value
				}
			}
		}
		return strings.Join(lines, "\n")
	}}
}

func sched(key, value string) edit   { return set("sched_conf.txt", key, value) }
func option(name, value string) edit { return set("sched_config", name, value) }

// formulaOf sets job_sort_formula.
func formulaOf(text string) []edit {
	return []edit{
		add("qmgr_print_sched.txt", "set sched job_sort_formula = "+text),
		{"sched_formula", func(string) string { return "### PBS INTERNAL FILE DO NOT MODIFY ###\n" + text + "\n" }},
	}
}

func replace(file, from, to string) edit {
	return edit{file, func(text string) string { return strings.ReplaceAll(text, from, to) }}
}

func add(file, line string) edit {
	return edit{file, func(text string) string { return strings.TrimSuffix(text, "\n") + "\n" + line + "\n" }}
}

func without(file, word string) edit {
	return edit{file, func(text string) string {
		var kept []string
		for line := range strings.Lines(text) {
			if !strings.HasPrefix(line, word) {
				kept = append(kept, line)
			}
		}
		return strings.Join(kept, "")
	}}
}

// bundle is a step of a recording, edited.
func bundle(t *testing.T, files fs.FS, step string, edits ...edit) fs.FS {
	t.Helper()
	place, err := fs.Sub(files, step)
	if err != nil {
		t.Fatal(err)
	}
	out := fstest.MapFS{}
	err = fs.WalkDir(place, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := fs.ReadFile(place, name)
		out[name] = &fstest.MapFile{Data: text}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range edits {
		if out[e.file] == nil {
			out[e.file] = &fstest.MapFile{}
		}
		before := out[e.file].Data
		out[e.file].Data = []byte(e.do(string(before)))
		if bytes.Equal(before, out[e.file].Data) {
			t.Fatalf("an edit of %s changes nothing", e.file)
		}
	}
	return out
}

// asPromised makes a bundle of a release that does what its manual says.
var asPromised = add("as-promised", "yes")

// check lints a bundle as the command does.
func check(t *testing.T, files fs.FS) (*lint.Report, *model.Snapshot) {
	t.Helper()
	s, err := cluster.Read(files, cluster.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, quirks := compat.For(s.Release)
	if _, err := fs.Stat(files, asPromised.file); err == nil {
		quirks = compat.Profiles[compat.Fixed]
	}
	in := lint.Input{Snapshot: s, Quirks: quirks, Lines: func(name string) []string {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil
		}
		return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	}}
	return checked(in), s
}

// A clean policy is a recording without a trap, and where it is.
type clean struct {
	open  func() (fs.FS, error)
	step  string
	edits []edit
}

func example(t *testing.T, name string) func() (fs.FS, error) {
	e, known := examples.Find(name)
	if !known {
		t.Fatalf("no example %s", name)
	}
	return e.Open
}

func cleanPolicies(t *testing.T) map[string]clean {
	byDepartment := []edit{sched("weight_urgency", "0.020000")}
	return map[string]clean{
		"departments": {example(t, "departments-14.4"), "run2/after", byDepartment},
		"projects": {example(t, "projects"), "run1/after", []edit{
			set("users/usera.txt", "fshare", "0"), set("users/userb.txt", "fshare", "0"), set("users/userc.txt", "fshare", "0")}},
		"users": {example(t, "three-users"), "run2/after",
			[]edit{sched("weight_user", "1"), sched("weight_project", "0"), sched("weight_department", "0"), sched("weight_job", "0")}},
		"reservations": {example(t, "licence-reservation"), "run1/before", []edit{asPromised}},
		"urgency":      {example(t, "urgency"), "run1/after", nil},
		"posix":        {example(t, "posix"), "run1/after", nil},
		"immediate":    {example(t, "immediate"), "run2/after", nil},
		"pbs fairshare": {example(t, "pbs-tree"), "before", []edit{
			option("fairshare_usage_res", `"ncpus*walltime"`), add("resource_group", "dave 16 root 10")}},
		"pbs strict": {example(t, "pbs-tree"), "before", []edit{option("fair_share", "False ALL"), option("strict_ordering", "True ALL")}},
		"pbs formula": {func() (fs.FS, error) { return pbs.Scenario("ge-style-formula") }, "before",
			formulaOf("100000*(0.01*ntckts + 0.1*nurg + npprio)")},
		"torque":   {torque, "bundle", nil},
		"licences": {example(t, "licences"), "run2/after", []edit{replace("complex.txt", "0        100", "0        0")}},
		"tree of users": {example(t, "three-users"), "run2/after",
			[]edit{sched("weight_tickets_functional", "0"), sched("weight_tickets_share", "1000000"),
				set("users/usera.txt", "fshare", "0"), set("users/userb.txt", "fshare", "0"), set("users/userc.txt", "fshare", "0"),
				replace("MANIFEST", "share_tree.txt rc=1", "share_tree.txt rc=0"), add("share_tree.txt", treeOfUsers)}},
	}
}

// torque is a small bundle of what Torque prints.
func torque() (fs.FS, error) {
	return fstest.MapFS{
		"bundle/version.txt": {Data: []byte("Version: 6.1.2\n")},
		"bundle/qstat_x.xml": {Data: []byte("<Data><Job><Job_Id>3.srv</Job_Id><Job_Owner>eve@h</Job_Owner><job_state>R</job_state><queue>batch</queue>" +
			"<Resource_List><walltime>01:00:00</walltime></Resource_List></Job><Job><Job_Id>4.srv</Job_Id><Job_Owner>bob@h</Job_Owner><job_state>Q</job_state>" +
			"<queue>batch</queue><Resource_List><walltime>02:00:00</walltime></Resource_List></Job></Data>\n")},
		"bundle/qmgr_print_server.txt": {Data: []byte(`create queue batch
set queue batch queue_type = Execution
set queue batch enabled = True
set queue batch started = True
set server scheduling = True
`)},
	}, nil
}

func TestACleanPolicyHasNoTraps(t *testing.T) {
	for name, c := range cleanPolicies(t) {
		files, err := c.open()
		if err != nil {
			t.Fatal(err)
		}
		r, _ := check(t, bundle(t, files, c.step, c.edits...))
		if len(r.Words) == 0 || r.NotChecked != "" {
			t.Errorf("%s: no words: %s", name, r.NotChecked)
		}
		for _, trap := range r.Traps {
			t.Errorf("%s: %s: %s (%s)", name, trap.Name, trap.What, trap.Effect)
		}
	}
}

// treeOfUsers has a node for one user, and default for the others.
const treeOfUsers = `id=0
name=Root
type=0
shares=1
childnodes=1,2,3
id=1
name=userc
type=0
shares=50
childnodes=NONE
id=2
name=userb
type=0
shares=10
childnodes=NONE
id=3
name=usera
type=0
shares=10
childnodes=NONE`

// A planted trap is an edit of a clean policy, and what must be found.
type planted struct {
	in     string
	edits  []edit
	trap   string
	place  string // file:line: text
	effect string // a part of it
	fix    string // a part of the first one
}

func TestEachPlantedTrapIsFoundAloneAndAtItsLine(t *testing.T) {
	clean := cleanPolicies(t)
	for name, p := range plantedTraps {
		t.Run(name, func(t *testing.T) {
			c, known := clean[p.in]
			if !known {
				t.Fatalf("no clean policy %q", p.in)
			}
			files, err := c.open()
			if err != nil {
				t.Fatal(err)
			}
			r, _ := check(t, bundle(t, files, c.step, slices.Concat(c.edits, p.edits)...))
			if len(r.Traps) != 1 || r.Traps[0].Name != p.trap {
				for _, trap := range r.Traps {
					t.Errorf("found %s: %s | %s", trap.Name, trap.What, trap.Effect)
				}
				t.Fatalf("want %s alone", p.trap)
			}
			trap := r.Traps[0]
			if got := fmt.Sprintf("%s:%d: %s", trap.Place.File, trap.Place.Line, trap.Place.Text); got != p.place {
				t.Errorf("place %s", got)
			}
			if !strings.Contains(trap.Effect, p.effect) || p.effect == "" {
				t.Errorf("effect %s", trap.Effect)
			}
			if len(trap.Fix) == 0 || !strings.Contains(trap.Fix[0], p.fix) || p.fix == "" {
				t.Errorf("fix %q", trap.Fix)
			}
		})
	}
}

// checked reads a policy of either system.
func checked(in lint.Input) *lint.Report {
	if in.Snapshot.PBS != nil {
		return pbslint.Check(in)
	}
	return gelint.Check(in)
}
