package main

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/program"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/fixtures/examples"
	"qprism/importer/collect"
)

var goldenUpdate = flag.Bool("update", false, "write what the commands show on a terminal to testdata/golden, to be reviewed")

// A session is a few commands, as they are typed one after the other, and what a terminal shows then: a file of testdata/golden.
type session struct {
	file     string
	commands []string
}

// A goldenCase is a recording with those of its jobs that its story is about.
type goldenCase struct {
	name         string // of its folder in testdata/golden
	recording    string // "example:three-users"
	steps        []string
	step         string // the bundle that most commands show
	job          string // waits, and why
	later, first string // to be compared
	variant      string // of what-if; linear unless it says otherwise
	formula      string // of PBS
}

// TestWhatATerminalShows compares what every command prints for people with what was reviewed line by line.
func TestWhatATerminalShows(t *testing.T) {
	for _, c := range goldenCases(t) {
		t.Run(c.name, func(t *testing.T) {
			for _, s := range c.sessions() {
				compareGolden(t, filepath.Join(c.name, s.file), s.commands)
			}
		})
	}
	t.Run("diff", func(t *testing.T) { compareSessions(t, "diff", diffSessions) })
	t.Run("what-if", func(t *testing.T) { compareSessions(t, "what-if", whatIfSessions) })
	t.Run("act", func(t *testing.T) { compareSessions(t, "act", actSessions) })
}

// TestACaptureIsToldOnATerminal prints what a capture of a cluster came to, which takes a cluster.
func TestACaptureIsToldOnATerminal(t *testing.T) {
	r := &collect.Report{Release: "SGE 8.1.9", Master: "qmaster.hpc.example", Kept: []string{"complex", "queues", "hosts"},
		KeptAge: 3 * time.Hour,
		Lacking: []string{"accounting: /var/spool/gridengine/default/common/accounting: Permission denied"},
		Cost: collect.Cost{Commands: 27, Busy: 386 * time.Millisecond, Longest: 81 * time.Millisecond, Slowest: "qstat -j *", Bytes: 3_210_000,
			Waited: 250 * time.Millisecond}}
	var shown screen
	must(t, subject.PrintCaptured(show.Out(&shown, ""), r, "qmaster.hpc.example-20261121T081620Z.tar.gz"))
	compareShown(t, filepath.Join("act", "capture"), shown.String())
}

// subjects are those of each example that the story is about: one that waits, and two to be compared.
var subjects = map[string][3]string{
	"all-off":             {"2", "2", "1"},
	"posix":               {"30", "18", "16"},
	"urgency":             {"4", "4", "5"},
	"three-users":         {"4", "4", "7"},
	"departments":         {"4", "4", "7"},
	"departments-14.4":    {"4", "4", "7"},
	"projects":            {"8", "8", "7"},
	"licences":            {"6", "6", "2"},
	"immediate":           {"7", "6", "2"},
	"licence-reservation": {"2", "3", "2"},
	"large-parallel":      {"3", "4", "3"},
	"pbs-tree":            {"3", "3", "2"},
}

func goldenCases(t *testing.T) []goldenCase {
	var list []goldenCase
	for _, e := range examples.All {
		steps, err := e.Steps()
		if err != nil {
			t.Fatal(err)
		}
		jobs, ok := subjects[e.Name]
		if !ok {
			t.Errorf("which jobs of example:%s are to be shown?", e.Name)
			continue
		}
		c := goldenCase{name: e.Name, recording: subject.ExampleMark + e.Name, steps: steps, step: e.Step, job: jobs[0], later: jobs[1],
			first: jobs[2]}
		if strings.HasPrefix(e.Name, "pbs") {
			c.formula = "100*fairshare_factor + ncpus"
			c.variant = "formula 'fairshare_factor'"
		}
		list = append(list, c)
	}
	return append(list,
		goldenCase{name: "ocs-licence-reservation", recording: geFixtures + "9.1.4-reservation-licence.tar.gz",
			steps: []string{"run1/before", "run1/after"}, step: "run1/after", job: "2", later: "3", first: "2"},
		goldenCase{name: "pbs-job-zoo", recording: pbsFixtures + "job-zoo.tar.gz",
			steps: []string{"before", "running", "suspended", "end"}, step: "before", job: "1502", later: "1513", first: "1502",
			variant: "formula 'ncpus*walltime'", formula: "ncpus*walltime"},
		goldenCase{name: "pbs-formula", recording: pbsFixtures + "ge-style-formula.tar.gz",
			steps: []string{"before", "after"}, step: "after", job: "1417", later: "1417", first: "1422",
			variant: "formula 'job_priority'", formula: "job_priority"},
	)
}

const (
	geFixtures  = "../../fixtures/gridengine/"
	pbsFixtures = "../../fixtures/pbs/23.06.06-"
)

// sessions shows every command that tells people something.
func (c goldenCase) sessions() []session {
	shown, before := c.at(c.step), c.at(c.steps[0])
	next := c.at(c.steps[min(1, len(c.steps)-1)])
	if i := slices.Index(c.steps, c.step); path.Base(c.step) == "after" {
		before, next = c.at(c.steps[i-1]), shown
	}
	list := []session{
		{"audit", []string{"audit " + shown}},
		{"priorities", c.views("priorities " + shown)},
		{"shares", []string{"shares " + shown}},
		{"plan", []string{"plan " + before, "plan " + before + " --compare-with " + next}},
		{"why", []string{"why " + c.job + " " + shown}},
		{"forecast", []string{"forecast " + shown + " --runtime 1h"}},
		{"explain", []string{"explain " + c.job + " " + shown}},
		{"compare", []string{"compare " + c.later + " " + c.first + " " + shown}},
		{"lint", []string{"lint " + shown}},
		{"what-if", []string{"what-if " + before + " --runtime 1h " + cmp.Or(c.variant, "linear")}},
		{"diff", []string{"diff " + before + " " + next}},
		{"history", []string{c.importAll(), "db list", "history " + c.job, "history " + c.job + " --passed", "timeline", "timeline --passed"}},
	}
	if c.formula != "" {
		list = append(list, session{"formula", []string{"formula check '" + c.formula + "' " + before}})
	}
	return list
}

// views are the command with each of its views; PBS has fewer.
func (c goldenCase) views(command string) []string {
	if c.formula != "" {
		return []string{command, command + " --view all"}
	}
	return []string{command, command + " --view urg", command + " --view ext", command + " --view all"}
}

func (c goldenCase) at(step string) string { return c.recording + "/" + step }

func (c goldenCase) importAll() string {
	words := []string{"import"}
	for _, step := range c.steps {
		words = append(words, c.at(step))
	}
	return strings.Join(words, " ")
}

// diffSessions show what the examples do not: other sources and predictions, larger recordings, other releases.
var diffSessions = []session{
	{"starvation", []string{"diff " + geFixtures + "starvation-8.1.9.tar.gz/without/start " + geFixtures +
		"starvation-8.1.9.tar.gz/without/end"}},
	{"sources", []string{"diff --all " + sources + "/before " + sources + "/after"}},
	{"forecast", []string{"diff --predict forecast --runtime 10m " + sources + "/before " + sources + "/after"}},
	{"plan", []string{"diff --predict plan " + geFixtures + "8.1.9-dispatch-2.tar.gz/run2/before " + geFixtures +
		"8.1.9-dispatch-2.tar.gz/run2/after"}},
	{"ocs", []string{"diff " + geFixtures + "9.1.4-dispatch-8.tar.gz/run2/before " + geFixtures + "9.1.4-dispatch-8.tar.gz/run2/after"}},
	{"ocs-scope", []string{"diff " + geFixtures + "9.1.4-ocs-features.tar.gz/run1/before " + geFixtures +
		"9.1.4-ocs-features.tar.gz/run1/after"}},
	{"pbs", []string{"diff " + pbsFixtures + "job-zoo.tar.gz/before " + pbsFixtures + "job-zoo.tar.gz/running " + pbsFixtures +
		"job-zoo.tar.gz/suspended " + pbsFixtures + "job-zoo.tar.gz/end"}},
	{"pbs-nologs", []string{"diff --accounting testdata/nothing " + pbsFixtures + "job-zoo.tar.gz/before " + pbsFixtures +
		"job-zoo.tar.gz/running " + pbsFixtures + "job-zoo.tar.gz/suspended"}},
}

var whatIfSessions = []session{
	{"departments", []string{"what-if example:departments/run2/before --set weight_urgency=10 --runtime 30m"}},
	{"three-users", []string{"what-if example:three-users/run2/before linear"}},
	{"ocs", []string{"what-if " + geFixtures + "9.1.4-dispatch-8.tar.gz/run2/before --set weight_priority=0 --set weight_waiting_time=1"}},
	{"same", []string{"what-if " + geFixtures + "9.1.4-dispatch-8.tar.gz/run2/before --complex license=5000"}},
	{"pbs", []string{"what-if " + pbsFixtures + "fairshare-tree-cput.tar.gz/before --set fair_share=false"}},
}

// actSessions show the commands that change something, or look at a set-up; what is sent takes a cluster.
var actSessions = []session{
	{"push", []string{"push --first 4 example:three-users/run2/before", "push --policy fairshare --margin 0.005 example:three-users/run2/before",
		"push --first 40 example:three-users", "push --undo"}},
	{"push-pbs", []string{"push --policy 'formula ncpus' --through qorder " + pbsFixtures + "formula-sweep.tar.gz/before"}},
	{"drive", []string{"drive --own all " + geFixtures + "8.1.9-dispatch-3.tar.gz/run1/before", "drive --release"}},
	{"drive-pbs", []string{"drive --own all " + pbsFixtures + "external-driver.tar.gz/before"}},
	{"serve", []string{"serve --config ../../scripts/qprism.yaml --check"}},
}

// TestWhatWritesFilesIsToldOnATerminal does so in a folder of its own.
func TestWhatWritesFilesIsToldOnATerminal(t *testing.T) {
	golden, err := filepath.Abs("testdata")
	must(t, err)
	t.Chdir(t.TempDir())
	must(t, os.Symlink(golden, "testdata"))
	compareGolden(t, filepath.Join("act", "doctor"), []string{"doctor --from nobody@127.0.0.1:1 --allow push --store store.db"})
	compareGolden(t, filepath.Join("act", "migrate"), []string{"migrate example:departments/run2/before -o pbs",
		"migrate example:departments/run2/before --to slurm -o slurm"})
}

func compareSessions(t *testing.T, folder string, list []session) {
	for _, s := range list {
		compareGolden(t, filepath.Join(folder, s.file), s.commands)
	}
}

// compareGolden types the commands of a session and compares what a terminal shows with a file of testdata/golden.
func compareGolden(t *testing.T, name string, commands []string) {
	t.Helper()
	t.Setenv("QPRISM_STORE", filepath.Join(t.TempDir(), "store.db"))
	var shown screen
	for i, command := range commands {
		if i > 0 {
			shown.WriteByte('\n')
		}
		typeCommand(&shown, command)
	}
	compareShown(t, name, shown.String())
}

// compareShown compares what a terminal shows with a file of testdata/golden.
func compareShown(t *testing.T, name, shown string) {
	t.Helper()
	got := stable(strings.ReplaceAll(shown, "../../", ""))
	file := filepath.Join("testdata", "golden", name+".txt")
	if *goldenUpdate {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: it shows\n%s\nwant\n%s", name, got, want)
	}
	for line := range strings.Lines(got) {
		if line = strings.TrimSuffix(line, "\n"); !copied.MatchString(line) && utf8.RuneCountInString(line) > 80 &&
			strings.Contains(strings.TrimSpace(line), " ") {
			t.Errorf("%s: wider than 80 columns: %q", name, line)
		}
		if strings.TrimRight(line, " \n") != strings.TrimSuffix(line, "\n") {
			t.Errorf("%s: blanks at the end of %q", name, line)
		}
	}
}

// copied are lines that people copy whole: a terminal breaks them, and puts them together again.
var copied = regexp.MustCompile(`^\$ |^   (fix|or ) |^qprism: |^ {4,}(qprism|qconf) |^job_sort_formula = `)

// typeCommand shows a command and what it prints. A word in single quotes may hold blanks.
func typeCommand(shown *screen, command string) {
	fmt.Fprintf(shown, "$ qprism %s\n", command)
	var words []string
	for i, part := range strings.Split(command, "'") {
		if i%2 == 1 {
			words = append(words, part)
		} else {
			words = append(words, strings.Fields(part)...)
		}
	}
	root := program.New()
	root.SetOut(shown)
	root.SetErr(shown)
	root.SetArgs(words)
	var disagreement *cli.DisagreementError
	switch err := root.Execute(); {
	case errors.As(err, &disagreement):
		shown.WriteString("[exit status 3]\n")
	case err != nil:
		fmt.Fprintln(shown, "qprism:", err)
	}
}

// A screen takes what is printed and says that it is a terminal.
type screen struct {
	bytes.Buffer
	wide bool // nothing is cut or folded
}

func (*screen) IsTerminal() bool { return true }

// Columns is the width that every command has to do with.
func (s *screen) Columns() int {
	if s.wide {
		return 0
	}
	return 80
}

// sources is a recording with every file that tells of starts.
const sources = "../../fixtures/gridengine/sources-8.1.9.tar.gz"

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
