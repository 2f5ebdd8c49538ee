package qconf

import (
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"

	"qprism/engine/model"
	"qprism/importer/gridengine/bundle"
	"qprism/importer/gridengine/expect"
	"qprism/importer/source"
)

// testdata/config/recording holds the configuration files of a recorded bundle of 8.1.9, file by file as scripts write
// them; odd holds what a real 8.1.9 master printed for odd but legal configurations, several objects a file; ocs holds
// files of Open Cluster Scheduler 9.1.

// readStep runs one step of the configuration.
func readStep(files fs.FS, opts source.Options, step func(*configReader) error) (*model.Snapshot, error) {
	r := bundle.New(files, opts)
	c, err := newConfigReader(r)
	if err == nil {
		err = step(c)
	}
	return r.Snap, err
}

// mustRead runs one step on one file.
func mustRead(t *testing.T, step func(*configReader) error, file, text string) *model.Snapshot {
	t.Helper()
	s, err := readStep(expect.Bundle(map[string]string{file: text}), source.Options{}, step)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestWhatCannotBeReadIsRefused: each text of refused.txtar, with the error behind it. Where reading goes
// on, the same is left out.
func TestWhatCannotBeReadIsRefused(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/config/refused.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for pair := range slices.Chunk(archive.Files, 2) {
		t.Run(pair[0].Name, func(t *testing.T) {
			file, _, _ := strings.Cut(pair[0].Name, ":")
			refuses(t, file, string(pair[0].Data), strings.TrimSuffix(string(pair[1].Data), "\n"))
		})
	}
}

func refuses(t *testing.T, file, text, want string) {
	t.Helper()
	bundle, step := expect.Bundle(map[string]string{file: text}), stepOf(t, file)
	if err := expect.Fault(readStep(bundle, source.Options{}, step)); err == nil || err.Error() != want {
		t.Errorf("error %v\n want %s", err, want)
	}
	s, err := readStep(bundle, source.Options{KeepGoing: true}, step)
	if err != nil || len(s.LeftOut) == 0 || !strings.Contains(want, s.LeftOut[0].Reason) {
		t.Errorf("keeping on: error %v, left out %v; want %s", err, s.LeftOut, want)
	}
}

// stepOf is what reads a file.
func stepOf(t *testing.T, file string) func(*configReader) error {
	t.Helper()
	for _, c := range fuzzedConfigs {
		if c.name == file || c.seeds == file {
			return c.step
		}
	}
	if file != "operators.txt" {
		t.Fatalf("nothing reads %s", file)
	}
	return readLists
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(path.Join("testdata/config", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func readFolder(t *testing.T, folder string) *model.Snapshot {
	t.Helper()
	r := bundle.New(os.DirFS(path.Join("testdata/config", folder)), source.Options{})
	if err := Read(r); err != nil {
		t.Fatal(err)
	}
	return r.Snap
}

func TestEveryKeyOfTheRecordingsIsKnown(t *testing.T) {
	for _, folder := range []string{"recording", "odd", "ocs"} {
		s := readFolder(t, folder)
		expect.Same(t, folder+": unknown", s.Unknown, nil)
		expect.Same(t, folder+": keys of other releases", s.Policy.Other, nil)
	}
}

func TestNoObjectOfTheRecordingIsLost(t *testing.T) {
	s := readFolder(t, "recording")
	for what, n := range map[string][2]int{
		"users": {len(s.Users), 7}, "projects": {len(s.Projects), 2}, "usersets": {len(s.Usersets), 5},
		"queues": {len(s.Queues), 3}, "hosts": {len(s.Hosts), 4}, "host groups": {len(s.HostGroups), 2},
		"parallel environments": {len(s.PEs), 4}, "quota sets": {len(s.Quotas), 1}, "resources": {len(s.Resources), 59},
		"global settings": {len(s.Config.Global), 48}, "instances": {len(s.Instances), 5},
		"managers": {len(s.Managers), 2}, "admin hosts": {len(s.AdminHosts), 1}, "event clients": {len(s.EventClients), 1},
	} {
		if n[0] != n[1] {
			t.Errorf("%d %s, want %d", n[0], what, n[1])
		}
	}
}

func TestOneFileForAllObjectsReadsLikeOneForEach(t *testing.T) {
	each := os.DirFS("testdata/config/recording")
	together := fstest.MapFS{}
	for _, kind := range []string{"users", "projects", "usersets", "queues", "hosts", "hostgroups", "pes", "rqs"} {
		files, err := fs.Glob(each, kind+"/*.txt")
		if err != nil || len(files) == 0 {
			t.Fatal(kind, err)
		}
		var all []byte
		for _, file := range files {
			text, err := fs.ReadFile(each, file)
			if err != nil {
				t.Fatal(err)
			}
			all = append(append(all, text...), '\n')
		}
		together[kind+".txt"] = &fstest.MapFile{Data: all}
	}
	got := bundle.New(together, source.Options{})
	if err := Read(got); err != nil {
		t.Fatal(err)
	}
	want := readFolder(t, "recording")
	want.Policy, want.Config, want.Resources, want.ShareTree = model.Policy{}, model.Config{}, nil, nil
	want.Managers, want.Operators, want.AdminHosts, want.SubmitHosts, want.EventClients = nil, nil, nil, nil, nil
	expect.Same(t, "snapshot", got.Snap, want)
}

func TestObjectsAreInTheOrderOfTheManifest(t *testing.T) {
	user := func(name string) string { return "name " + name + "\noticket 0\nfshare 0\n" }
	s, err := readStep(expect.Bundle(map[string]string{
		"MANIFEST": "command users/c.txt rc=0 qconf -suser c\ncommand users/a%41 b.txt rc=0 " +
			"qconf\ncommand users/b.txt rc=0 qconf\n",
		"users/a%2541 b.txt": user("a%41 b"), // in a bundle's fs.FS a percent sign is escaped
		"users/b.txt":        user("b"),
		"users/c.txt":        user("c"),
		"users/d.txt":        user("d"),
		"users/A.txt":        user("A"),
		"users/c.txt~":       user("backup"),
	}), source.Options{}, readUsers)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, u := range s.Users {
		names = append(names, u.Name)
	}
	expect.Same(t, "order", names, []string{"c", "a%41 b", "b", "A", "d"})
}

func TestWhatCannotBeReadIsLeftOutAndTheRestIsKept(t *testing.T) {
	s, err := readStep(expect.Bundle(map[string]string{
		"users.txt": "lost line\nname u1\noticket 4x\nfshare 5\n\nname u1\n\nname u2\noticket 1\nfshare " +
			"2\ncolour red\ncolour blue\n",
	}), source.Options{}, readUsers)
	if err != nil {
		t.Fatal(err)
	}
	expect.Same(t, "users", s.Users, []model.User{{Name: "u2", OverrideTickets: 1, FunctionalShares: 2}})
	expect.Same(t, "left out", s.LeftOut, []model.LeftOut{
		{File: "users.txt", Line: 1, Text: "lost line", Reason: "name: missing"},
		{File: "users.txt", Line: 3, Text: "oticket 4x", Reason: `oticket: "4x": invalid syntax after the number`},
		{File: "users.txt", Line: 6, Text: "name u1", Reason: "name: was there before"},
	})
	expect.Same(t, "unknown", s.Unknown,
		[]model.Unknown{{File: "users.txt", Line: 11, Name: "colour", Value: "red", Count: 2}})
}

func TestAFileThatIsNotThereLeavesTheZeroValue(t *testing.T) {
	r := bundle.New(fstest.MapFS{}, source.Options{})
	if err := Read(r); err != nil {
		t.Fatal(err)
	}
	expect.Same(t, "snapshot", r.Snap, &model.Snapshot{})
}

func TestProgressIsToldOfEveryByte(t *testing.T) {
	var told int64
	bundle := expect.Bundle(map[string]string{"users.txt": "name u\noticket 0\nfshare 0\n"})
	if _, err := readStep(bundle, source.Options{Progress: func(n int64) {
		told += n
	}}, readUsers); err != nil || told != 26 {
		t.Errorf("told of %d bytes, %v; want 26", told, err)
	}
}

func TestAFileThatIsTooLongIsRefused(t *testing.T) {
	long := strings.Repeat("# nothing\n", maxConfigFile/10+1)
	_, err := readStep(expect.Bundle(map[string]string{"users.txt": long}), source.Options{}, readUsers)
	if want := "users.txt: longer than 67108864 bytes"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestLinesThatGoOnAreJoinedAsGridEngineJoinsThem(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want []line
	}{
		"a break at a blank":                   {"a b \\\n    c\n", []line{{1, "a b c"}}},
		"a break behind a comma":               {"a b, \\\n    c\nd", []line{{1, "a b,c"}, {3, "d"}}},
		"without blanks around":                {"a\\\nb", []line{{1, "a b"}}},
		"over several lines":                   {"a \\\n b \\\n c, \\\nd\ne\n", []line{{1, "a b c,d"}, {5, "e"}}},
		"line ends of other systems":           {"a \\\r\n b\r\nc\r\n", []line{{1, "a b"}, {3, "c"}}},
		"blanks behind the backslash":          {"a \\ \t\n b", []line{{1, "a b"}}},
		"an empty line ends it":                {"a \\\n\nb\n", []line{{1, "a"}, {3, "b"}}},
		"a comment does not go on":             {"# a \\\nb\n", []line{{1, "# a"}, {2, "b"}}},
		"empty lines and blanks are left out":  {"\n \t\n  a  \n\n", []line{{3, "a"}}},
		"a backslash inside a line is nothing": {"a\\b c\n", []line{{1, "a\\b c"}}},
		"no line break at the end":             {"a", []line{{1, "a"}}},
		"nothing":                              {"", nil},
	} {
		t.Run(name, func(t *testing.T) {
			got, unended := splitLines([]byte(test.text))
			if !slices.Equal(got, test.want) || unended {
				t.Errorf("%q is %+v, %v; want %+v", test.text, got, unended, test.want)
			}
		})
	}
}

func TestPiecesOfAListAreNotCutInsideBrackets(t *testing.T) {
	for value, want := range map[string][]string{
		"a=1,b=2":                {"a=1", "b=2"},
		" a=1 ,, b=2 , ":         {"a=1", "b=2"},
		"gpu=2(a,b),mem=1G":      {"gpu=2(a,b)", "mem=1G"},
		`t="x,y",u=1`:            {`t="x,y"`, "u=1"},
		"a=),b":                  {"a=)", "b"},
		"":                       nil,
		"users {a,b} to slots=1": {"users {a,b} to slots=1"},
	} {
		if got := pieces(value, ","); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", value, got, want)
		}
	}
}

// Steps of parts whose declarations have all that is needed.
var (
	readUsers       = readerOf("users/")
	readProjects    = readerOf("projects/")
	readUsersets    = readerOf("usersets/")
	readHosts       = readerOf("hosts/")
	readHostGroups  = readerOf("hostgroups/")
	readPEs         = readerOf("pes/")
	readCheckpoints = readerOf("ckpts/")
	readCalendars   = readerOf("calendars/")
)

func readerOf(name string) func(*configReader) error {
	i := slices.IndexFunc(parts, func(p part) bool { return p.name == name })
	return parts[i].read
}

// readLists reads all lists of names.
func readLists(c *configReader) error {
	for _, p := range parts {
		if p.keys == nil && strings.HasSuffix(p.name, "s.txt") {
			if err := p.read(c); err != nil {
				return err
			}
		}
	}
	return c.eventClients()
}
