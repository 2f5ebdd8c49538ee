package anonymize

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"qprism/fixtures/archive"
)

// eachBundle calls test for the bundles of the recordings whose archive's name has a prefix.
func eachBundle(t *testing.T, pattern string, test func(t *testing.T, bundle fs.FS)) {
	archives, err := filepath.Glob("../../fixtures/gridengine/" + pattern + ".tar.gz")
	if err != nil || len(archives) == 0 {
		t.Fatal("no recordings", err)
	}
	for _, file := range archives {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		files, err := archive.Open(data)
		if err != nil {
			t.Fatal(err)
		}
		_ = fs.WalkDir(files, ".", func(name string, e fs.DirEntry, err error) error {
			if err == nil && e.Name() == "qstat.xml" {
				bundle, err := fs.Sub(files, path.Dir(name))
				if err != nil {
					t.Fatal(err)
				}
				t.Run(strings.TrimSuffix(filepath.Base(file), ".tar.gz")+"/"+path.Dir(name), func(t *testing.T) { test(t, bundle) })
			}
			return err
		})
	}
}

func TestEveryRecordingCanBeAnonymized(t *testing.T) {
	eachBundle(t, "*", func(t *testing.T, bundle fs.FS) {
		r, err := Run(bundle, NewDictionary([]byte(t.Name())))
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range r.LeftOut {
			if !known[l.File] {
				t.Errorf("%s %s: %s", l.File, l.What, l.Reason)
			}
		}
	})
}
