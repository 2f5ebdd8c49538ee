package cluster

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"qprism/engine/model"
	recordings "qprism/fixtures/pbs"
	"qprism/importer"
)

func TestBundlesOfBothSystemsAreRecognised(t *testing.T) {
	scenario, err := recordings.Scenario("queue-order")
	if err != nil {
		t.Fatal(err)
	}
	step, err := fs.Sub(scenario, "byq/before")
	if err != nil {
		t.Fatal(err)
	}
	archives, err := filepath.Glob("../../fixtures/gridengine/8.1.9-share-2.tar.gz")
	if err != nil || len(archives) != 1 {
		t.Fatalf("%v, %v", archives, err)
	}
	other, closer, err := importer.Open(archives[0] + "/run1/after")
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	for system, bundle := range map[model.System]fs.FS{model.PBSSystem: step, model.GridEngine: other} {
		s, err := Read(bundle, Options{})
		if err != nil || s.System != system || len(s.Jobs) == 0 || (s.PBS != nil) != (system == model.PBSSystem) {
			t.Errorf("%q: %v", system, err)
		}
	}
}

func TestASingleListingOfPBSIsABundle(t *testing.T) {
	scenario, err := recordings.Scenario("job-zoo")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"qstat_f.json", "qstat_f.dsv", "qstat_f.txt"} {
		text, err := fs.ReadFile(scenario, "running/"+file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(t.TempDir(), "listing")
		if err := os.WriteFile(name, text, 0o644); err != nil {
			t.Fatal(err)
		}
		bundle, closer, err := importer.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		s, err := Read(bundle, Options{})
		if err != nil || len(s.Jobs) != 31 || len(s.Has) != 1 || s.Has[0] != file {
			t.Errorf("%s: %v", file, err)
		}
		if err := closer.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
