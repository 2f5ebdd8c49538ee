package compat

import (
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
)

func TestEveryQuirkOfPBSIsNamedOnceAndShownByATest(t *testing.T) {
	shown := namedInTests(t)
	seen := map[string]bool{}
	for _, q := range PBS {
		if seen[q.ID] || q.ID == "" || q.What == "" {
			t.Errorf("%+v", q)
		}
		if !shown[q.ID] {
			t.Errorf("no test names %s: %s", q.ID, q.What)
		}
		seen[q.ID] = true
	}
}

// namedInTests are the quirks of PBS that tests of other packages name.
func namedInTests(t *testing.T) map[string]bool {
	named, id := map[string]bool{}, regexp.MustCompile(`\bP[0-9]+\b`)
	for _, folder := range []string{"engine", "importer", "exporter", "cmd"} {
		err := fs.WalkDir(os.DirFS(".."), folder, func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || !strings.HasSuffix(name, "_test.go") {
				return err
			}
			source, err := fs.ReadFile(os.DirFS(".."), name)
			for _, p := range id.FindAll(source, -1) {
				named[string(p)] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return named
}
