package engine_test

import (
	"bytes"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// arrows says what the packages below a folder may import of the project, and what they may
// not. The first entry that fits a package holds.
var arrows = []struct {
	from   string
	to     []string // prefixes of the project's own packages
	refuse []string // neither of the standard library nor of the project
}{
	{from: "engine/model/schedconfig", to: []string{"engine/model"}, refuse: impure},
	{from: "engine/model/glob", refuse: impure},
	{from: "engine/model/quirk", to: []string{"engine/model"}, refuse: impure},
	{from: "engine/model", refuse: impure},
	{from: "engine/gridengine", to: []string{"engine/"}, refuse: append([]string{"qprism/engine/pbs"}, impure...)},
	{from: "engine/pbs", to: []string{"engine/"}, refuse: append([]string{"qprism/engine/gridengine"}, impure...)},
	{from: "engine", to: []string{"engine/"}, refuse: impure},
	{from: "compat", to: []string{"engine/model"}},
	{from: "importer/gridengine/xmlscan", to: []string{"importer"}, refuse: readersOf("")},
	{from: "importer/gridengine/bundle", to: belowImporter, refuse: readersOf("")},
	{from: "importer/gridengine/qconf", to: belowImporter, refuse: readersOf("/qstat", "/records", "/xmlscan")},
	{from: "importer/gridengine/qstat", to: belowImporter, refuse: readersOf("/qconf", "/records")},
	{from: "importer/gridengine/records", to: belowImporter, refuse: readersOf("/qconf", "/qstat", "/xmlscan")},
	{from: "importer", to: belowImporter},
	{from: "exporter", to: []string{"engine/model", "compat", "exporter"}},
	{from: "adapters", to: []string{"engine/model"}},
	{from: "fixtures", to: []string{"engine/model", "fixtures/"}},
	{from: "cmd", to: []string{""}},
}

var belowImporter = []string{"engine/model", "engine/halves", "compat", "importer"}

// readersOf are packages below importer/gridengine, of which none may import another beside it.
func readersOf(folders ...string) (list []string) {
	for _, folder := range folders {
		list = append(list, "qprism/importer/gridengine"+folder)
	}
	return list
}

// impure is what would make a result depend on anything but its input.
var impure = []string{"os", "net", "log", "database/sql", "math/rand", "math/rand/v2", "crypto/rand",
	"runtime", "io/fs"}

// TestImportsFollowTheArrows parses the imports itself, so that a cached result never hides a change.
func TestImportsFollowTheArrows(t *testing.T) {
	files := 0
	root := os.DirFS("..")
	err := fs.WalkDir(root, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		files++
		source, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		checkImports(t, name, source)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 20 {
		t.Fatalf("only %d files found", files)
	}
}

func checkImports(t *testing.T, name string, source []byte) {
	f, err := parser.ParseFile(token.NewFileSet(), name, source, parser.ImportsOnly)
	if err != nil {
		t.Error(err)
		return
	}
	from := path.Dir(name)
	for _, arrow := range arrows {
		if from != arrow.from && !strings.HasPrefix(from, arrow.from+"/") {
			continue
		}
		for _, spec := range f.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			if problem := check(imported, arrow.to, arrow.refuse); problem != "" {
				t.Errorf("%s imports %s: %s", name, imported, problem)
			}
		}
		return
	}
	t.Errorf("%s: no arrow says what its folder may import", name)
}

func check(imported string, to, refuse []string) string {
	own, ours := strings.CutPrefix(imported, "qprism/")
	for _, bad := range refuse {
		if imported == bad || strings.HasPrefix(imported, bad+"/") {
			return "this folder must do without it"
		}
	}
	if !ours {
		return ""
	}
	for _, allowed := range to {
		if strings.HasPrefix(own+"/", allowed) || strings.HasPrefix(own, allowed) {
			return ""
		}
	}
	return "against the arrows"
}

// floors are the folders of the program, the lowest first: each may import those before it, and none behind it.
var floors = []string{"when", "safe", "names", "cadence", "qprism/show", "qprism/words", "qprism/help",
	"qprism/cli", "qprism/subject", "qprism/queue",
	"qprism/next", "qprism/trial",
	"qprism/past", "qprism/keep", "qprism/policy", "qprism/view", "qprism/act/control", "qprism/act/push",
	"qprism/act/drive",
	"qprism/act/serve", "qprism/act/doctor", "qprism/act", "qprism/program", "qprism"}

// TestCommandsImportDownwards holds the floors of cmd.
func TestCommandsImportDownwards(t *testing.T) {
	seen := map[string]bool{}
	err := fs.WalkDir(os.DirFS("../cmd"), ".", func(name string, e fs.DirEntry, err error) error {
		from := path.Dir(name)
		if err != nil || e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") ||
			!strings.HasPrefix(from, "qprism") {
			return err
		}
		seen[from] = true
		f, err := parser.ParseFile(token.NewFileSet(), "../cmd/"+name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range f.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			to, ours := strings.CutPrefix(imported, "qprism/cmd/")
			if ours && slices.Index(floors, to) >= slices.Index(floors, from) && from != "qprism/recorded" {
				t.Errorf("cmd/%s imports %s, which is not below it", name, imported)
			}
		}
		return nil
	})
	if err != nil || len(seen) < 10 {
		t.Fatal(len(seen), err)
	}
}

// asksForTheSystem matches a test of which batch system it is about.
var asksForTheSystem = regexp.MustCompile(`\bPBS [!=]= nil`)

// TestCommandsDoNotAskForTheSystem looks for such tests in cmd: snapshots, jobs and answers say what is
// meant. One place chooses the system of a subject.
func TestCommandsDoNotAskForTheSystem(t *testing.T) {
	const chooses = "qprism/subject/system.go"
	root := os.DirFS("../cmd")
	err := fs.WalkDir(root, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		source, err := fs.ReadFile(root, name)
		if asks := asksForTheSystem.Match(source); asks != (name == chooses) {
			t.Errorf("cmd/%s asks for the system: %v", name, asks)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// clock matches what asks for the time or waits.
var clock = regexp.MustCompile(`\btime\.(Now|Since|Until|After|AfterFunc|Sleep|Tick|NewTimer|NewTicker)\(`)

// TestEngineNeverAsksForTheTime looks for such calls in the engine.
func TestEngineNeverAsksForTheTime(t *testing.T) {
	root := os.DirFS(".")
	err := fs.WalkDir(root, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		source, err := fs.ReadFile(root, name)
		if call := clock.Find(source); call != nil {
			t.Errorf("engine/%s calls %s", name, bytes.TrimSuffix(call, []byte("(")))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
