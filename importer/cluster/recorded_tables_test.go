package cluster

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"qprism/engine/model"
	"qprism/importer"
)

// recordedTables are the tables that captures hold, and the document that says the same.
var recordedTables = map[string]string{"qstat-ext.txt": "qstat.xml", "qstat-urg.txt": "qstat.xml",
	"qstat-pri.txt": "qstat.xml",
	"qstat-j.txt":   "qstat-j.xml"}

// TestTablesOfRealMastersCountAsTheirXMLDoes: of each recorded bundle, every table alone. The commands
// follow one another within seconds, with no run between most of them; a table is held only against a
// document that lists the same jobs.
func TestTablesOfRealMastersCountAsTheirXMLDoes(t *testing.T) {
	pattern := "../../fixtures/gridengine/*-*.tar.gz"
	if dir := os.Getenv("QPRISM_RECORDINGS"); dir != "" {
		pattern = filepath.Join(dir, "*.tar.gz")
	}
	archives, err := filepath.Glob(pattern)
	if err != nil || len(archives) == 0 {
		t.Fatalf("no recordings at %s (%v)", pattern, err)
	}
	held := 0
	for _, archive := range archives {
		bundle, closer, err := importer.Open(archive + "/run1/after")
		if err != nil {
			continue // no recording of runs
		}
		for name, document := range recordedTables {
			table, err := fs.ReadFile(bundle, name)
			if err != nil || len(table) == 0 {
				continue
			}
			got, want := alone(t, name, table), alone(t, document, file(t, bundle, document))
			if len(got.Unknown)+len(got.LeftOut) > 0 {
				t.Errorf("%s %s: unknown %v, left out %v", archive, name, got.Unknown[:min(3, len(got.Unknown))], got.LeftOut)
			}
			if got.Counts() != want.Counts() {
				t.Errorf("%s %s: %+v, and %s %+v", archive, name, got.Counts(), document, want.Counts())
			}
			held++
		}
		closer.Close()
	}
	if held < 4 {
		t.Errorf("%d tables were held against their documents", held)
	}
}

func file(t *testing.T, bundle fs.FS, name string) []byte {
	t.Helper()
	data, err := fs.ReadFile(bundle, name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func alone(t *testing.T, name string, data []byte) *model.Snapshot {
	t.Helper()
	s, err := Read(fstest.MapFS{"x" + strings.TrimPrefix(filepath.Ext(name), "."): {Data: data}}, Options{})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return s
}
