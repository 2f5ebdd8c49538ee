package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/program"
	"qprism/cmd/qprism/trial"
)

// hintsAfter are the hints of a command line, up to where its command would run.
func hintsAfter(t *testing.T, args []string, named string) cli.Hints {
	t.Helper()
	c, rest, err := program.New().Find(args)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.ParseFlags(rest); err != nil {
		t.Fatal(err)
	}
	return cli.Hints{Called: c, Named: named}
}

func TestHintsCanBeTypedAsTheyStand(t *testing.T) {
	for name, c := range map[string]struct {
		line, named string
		hint        []string
		want        string
	}{
		"a command looks at the same bundle": {"plan", "c.tar.gz", []string{"why", "5"}, "qprism why 5 c.tar.gz"},
		"behind its jobs": {"plan", "c.tar.gz", []string{"compare", "4", "7.1"},
			"qprism compare 4 7.1 c.tar.gz"},
		"and before its flags": {"plan", "c.tar.gz", []string{"priorities", "--view", "ext"},
			"qprism priorities c.tar.gz --view ext"},
		"a stored snapshot needs the store": {"plan|--store|p.db", "--snapshot 7", []string{"forecast"},
			"qprism forecast --snapshot 7 --store p.db"},
		"so does the latest one":  {"why|--store|p.db", "", []string{"forecast"}, "qprism forecast --store p.db"},
		"a bundle needs no store": {"plan|--store|p.db", "c.tar.gz", []string{"forecast"}, "qprism forecast c.tar.gz"},
		"but what is kept of a push is there": {"push|--store|p.db", "", []string{"push", "--undo"},
			"qprism push --undo --store p.db"},
		"an undo goes to the host of the push": {"push|--store|p.db|--from|sge@master|--settings|/opt/s.sh", "",
			[]string{"push", "--undo", "--push", "1", "--apply"},
			"qprism push --undo --push 1 --apply --store p.db --from sge@master --settings /opt/s.sh"},
		"a plan's policy and moment are kept": {"forecast|--policy|new.conf|--now|22:30", "c.tar.gz", []string{"why", "23"},
			"qprism why 23 c.tar.gz --now 22:30 --policy new.conf"},
		"the policy of a push is another": {"push|--policy|fairshare", "c.tar.gz", []string{"plan"}, "qprism plan c.tar.gz"},
		"nothing is said twice": {"audit|--store|p.db", "", []string{"audit", "--snapshot", "3", "--store", "q.db"},
			"qprism audit --snapshot 3 --store q.db"},
		"nothing that the command does not have": {"plan|--now|22:30", "c.tar.gz", []string{"examples"}, "qprism examples"},
		"nor what names the snapshot otherwise": {"history|--store|p.db|--cluster|lab", "", []string{"history", "7", "--passed"},
			"qprism history 7 --passed --store p.db --cluster lab"},
		"a word that stands for a job is where a job is": {"history|--store|p.db|--cluster|lab", "", []string{"history", "JOB"},
			"qprism history JOB --store p.db --cluster lab"},
		"a command of the store": {"import|--store|p.db", "", []string{"db analyse"}, "qprism db analyse --store p.db"},
		"a word with blanks is one of the shell": {"what-if|--store|p.db", "--snapshot 2",
			[]string{"push", "--policy", "formula a + b"}, "qprism push --snapshot 2 --policy 'formula a + b' --store p.db"},
		"so are values of flags, and the name of a bundle": {"plan|--policy|new policy", "'a b.tar.gz'", []string{"why", "5"},
			"qprism why 5 'a b.tar.gz' --policy 'new policy'"},
	} {
		if got := hintsAfter(t, strings.Split(c.line, "|"), c.named).Command(c.hint[0], c.hint[1:]...); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, c.want)
		}
	}
	if got := (cli.Hints{}).Command("why", "5"); got != "qprism why 5" {
		t.Errorf("without a command: %q", got)
	}
}

// hinted matches a command of a hint in the source.
var hinted = regexp.MustCompile(`\.Command\("([a-z -]+)"((?:, "[^"]*"|, [^,()"]+|, fmt\.Sprint\([^()]*\))*)\)`)

func TestHintsNameCommandsAndFlagsThatExist(t *testing.T) {
	found := 0
	for name, source := range programSources(t) {
		for _, m := range hinted.FindAllStringSubmatch(source, -1) {
			found++
			c, rest, err := program.New().Find(strings.Fields(m[1]))
			if err != nil || len(rest) > 0 {
				t.Errorf("%s: no command %q: %v", name, m[1], err)
				continue
			}
			for _, flag := range flagOfSource.FindAllStringSubmatch(m[2], -1) {
				if c.Flag(flag[1]) == nil {
					t.Errorf("%s: %s has no --%s", name, m[1], flag[1])
				}
			}
		}
	}
	if found < 20 {
		t.Errorf("only %d commands of hints found", found)
	}
}

var flagOfSource = regexp.MustCompile(`"--([a-z-]+)"`)

// programSources are the files of the program, but for tests.
func programSources(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		source, err := os.ReadFile(name)
		files[name] = string(source)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestAnyPathIsOneWordOfAShell(t *testing.T) {
	for path, want := range map[string]string{
		"c.tar.gz": "c.tar.gz", "example:three-users/run1": "example:three-users/run1", "a b.tar.gz": "'a b.tar.gz'", "ü.tar.gz": "'ü.tar.gz'",
		"it's": `'it'\''s'`, "-x": "./-x", "12": "./12", "=x": "'=x'", "": "./''", "$(reboot)": "'$(reboot)'", "a\nb": `$'a\nb'`,
		"a\x1b'b": `$'a\x1b\'b'`,
	} {
		if got := cli.BundleWord(path); got != want {
			t.Errorf("%q: %s, want %s", path, got, want)
		}
	}
	if got := cli.SnapshotWord("12"); got != "--snapshot 12" {
		t.Error(got)
	}
}

func TestEachChangeNamesTheCommandThatMakesIt(t *testing.T) {
	o := trial.WhatIfOptions{Set: []string{"weight_urgency=1", "halftime=24"},
		Shares:  []string{"project/bio=1000", "user/an na=3", "department/d=1", "project/bio=2"},
		Complex: []string{"license=5000", "complex.new"}, Tree: "tree new", Policy: "sched_conf.new"}
	want := "qconf -Msconf sched_conf.new && qconf -msconf && qconf -mprj bio && qconf -muser 'an na' && qconf -mu d && qconf -Mstree 'tree new' && qconf -mc && qconf -Mc complex.new"
	if got := strings.Join(o.Commands(), " && "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestTheStoreOfACommandIsThatOfItsHints(t *testing.T) {
	store := filepath.Join(t.TempDir(), "p.db")
	var shown screen
	typeCommand(&shown, "import example:departments/run2/before --wide --store "+store)
	typeCommand(&shown, "plan --wide --store "+store)
	typeCommand(&shown, "plan example:departments/run2/before --wide --store "+store)
	for _, want := range []string{"    qprism audit --snapshot 1 --store " + store + "\n", "    qprism db list --store " + store + "\n",
		"    qprism why 7 --store " + store + "\n", "    qprism forecast --store " + store + "\n",
		"    qprism forecast example:departments/run2/before\n"} {
		if !strings.Contains(shown.String(), want) {
			t.Errorf("no %q in\n%s", want, shown.String())
		}
	}
}
