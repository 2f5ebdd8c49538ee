package main

import (
	"path/filepath"
	"strings"
	"testing"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/next"
)

// hintsAfter are the hints of a command line, up to where its command would run.
func hintsAfter(t *testing.T, args []string, named string) cli.Hints {
	t.Helper()
	c, rest, err := newRoot().Find(args)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.ParseFlags(rest); err != nil {
		t.Fatal(err)
	}
	return cli.Hints{Called: c, Named: named}
}

func TestHintsCanBeTypedAsTheyStand(t *testing.T) {
	for name, c := range map[string]struct{ line, named, hint, want string }{
		"a command looks at the same bundle, behind its jobs and before its flags": {
			"plan", "c.tar.gz", "qprism why 5 says why; qprism priorities --view ext shows, qprism compare 4 7.1 says",
			"qprism why 5 c.tar.gz says why; qprism priorities c.tar.gz --view ext shows, qprism compare 4 7.1 c.tar.gz says"},
		"a stored snapshot needs the store":      {"plan|--store|p.db", "--snapshot 7", "qprism forecast, when", "qprism forecast --snapshot 7 --store p.db, when"},
		"so does the latest one":                 {"why|--store|p.db", "", "qprism forecast says", "qprism forecast --store p.db says"},
		"a bundle needs no store":                {"plan|--store|p.db", "c.tar.gz", "qprism forecast says", "qprism forecast c.tar.gz says"},
		"but what is kept of a push is there":    {"push|--store|p.db", "", "qprism push --undo", "qprism push --undo --store p.db"},
		"an undo goes to the host of the push":   {"push|--store|p.db|--from|sge@master|--settings|/opt/s.sh", "", "It can be taken back: qprism push --undo --push 1 --apply", "It can be taken back: qprism push --undo --push 1 --apply --store p.db --from sge@master --settings /opt/s.sh"},
		"a plan's policy and moment are kept":    {"forecast|--policy|new.conf|--now|22:30", "c.tar.gz", "Next: qprism why 23 says", "Next: qprism why 23 c.tar.gz --now 22:30 --policy new.conf says"},
		"the policy of a push is another":        {"push|--policy|fairshare", "c.tar.gz", "qprism plan shows", "qprism plan c.tar.gz shows"},
		"nothing is said twice":                  {"audit|--store|p.db", "", "qprism audit --snapshot 3 --store q.db.", "qprism audit --snapshot 3 --store q.db."},
		"a command that has no such flag":        {"plan|--now|22:30", "c.tar.gz", "qprism lint tells, qprism examples lists", "qprism lint c.tar.gz --now 22:30 tells, qprism examples lists"},
		"words of the sentence stay behind":      {"history|--store|p.db|--cluster|lab", "", "qprism history 7 --passed lists; qprism timeline --passed tells; qprism history JOB follows", "qprism history 7 --passed --store p.db --cluster lab lists; qprism timeline --passed --store p.db --cluster lab tells; qprism history JOB --store p.db --cluster lab follows"},
		"a command of the store":                 {"import|--store|p.db", "", "qprism db analyse does it", "qprism db analyse --store p.db does it"},
		"a word in quotes, and one that is none": {"what-if|--store|p.db", "--snapshot 2", "qprism push --policy 'formula a + b' finds; qprism is a program", "qprism push --snapshot 2 --policy 'formula a + b' --store p.db finds; qprism is a program"},
		"values are quoted":                      {"plan|--policy|new policy", "'a b.tar.gz'", "qprism why 5", "qprism why 5 'a b.tar.gz' --policy 'new policy'"},
	} {
		if got := hintsAfter(t, strings.Split(c.line, "|"), c.named).In(c.hint); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, c.want)
		}
	}
	if got := (cli.Hints{}).In("qprism why 5"); got != "qprism why 5" {
		t.Errorf("without a command: %q", got)
	}
}

func TestAnyPathIsOneWordOfAShell(t *testing.T) {
	for path, want := range map[string]string{
		"c.tar.gz": "c.tar.gz", "example:three-users/run1": "example:three-users/run1", "a b.tar.gz": "'a b.tar.gz'", "ü.tar.gz": "'ü.tar.gz'",
		"it's": `'it'\''s'`, "-x": "./-x", "12": "./12", "=x": "'=x'", "": "./''", "$(reboot)": "'$(reboot)'", "a\nb": `$'a\nb'`, "a\x1b'b": `$'a\x1b\'b'`,
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
	o := next.WhatIfOptions{Set: []string{"weight_urgency=1", "halftime=24"}, Shares: []string{"project/bio=1000", "user/an na=3", "department/d=1", "project/bio=2"},
		Complex: []string{"license=5000", "complex.new"}, Tree: "tree new", Policy: "sched_conf.new"}
	want := "qconf -Msconf sched_conf.new && qconf -msconf && qconf -mprj bio && qconf -muser 'an na' && qconf -mu d && qconf -Mstree 'tree new' && qconf -mc && qconf -Mc complex.new"
	if got := strings.Join(o.Commands(), " && "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestTheStoreOfACommandIsThatOfItsHints(t *testing.T) {
	store := filepath.Join(t.TempDir(), "p.db")
	var shown screen
	typeCommand(&shown, "import example:departments/run2/before --store "+store)
	typeCommand(&shown, "plan --store "+store)
	typeCommand(&shown, "plan example:departments/run2/before --store "+store)
	for _, want := range []string{"Next: qprism audit --snapshot 1 --store " + store + ", or qprism snapshots --store " + store + " for the list.",
		" --store " + store + " says why job ", "; qprism forecast --store " + store + ", when", "; qprism forecast example:departments/run2/before, when"} {
		if !strings.Contains(shown.String(), want) {
			t.Errorf("no %q in\n%s", want, shown.String())
		}
	}
}
