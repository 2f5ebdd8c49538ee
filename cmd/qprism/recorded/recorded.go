// Package recorded opens recordings of real masters for the tests of commands (recorded.go). It also
// provides the program that these tests call as "qprism" (program.go).
package recorded

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"qprism/compat"
	"qprism/engine/gridengine/audit"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
	"qprism/fixtures/archive"
	"qprism/importer"
	"qprism/importer/gridengine"
)

func OpenBundle(t *testing.T, path string) *model.Snapshot {
	bundle, closer, err := importer.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	return Read(t, bundle)
}

// Recordings returns bundles of real 8.1.9 masters, captured just after a scheduler run. The environment
// variable QPRISM_RECORDINGS names another folder with such archives.
func Recordings(t *testing.T) map[string]fs.FS { return recordedAt(t, "8.1.9", "after") }

// OfCluster returns bundles of real Open Cluster Scheduler masters, captured just after a run.
func OfCluster(t *testing.T) map[string]fs.FS { return recordedAt(t, "9", "after") }

// OfSun returns bundles of a real 6.2u5 master, captured just after a run.
func OfSun(t *testing.T) map[string]fs.FS { return recordedAt(t, "6.2u5", "after") }

// RecordedStates returns the bundles of 8.1.9: those captured just before a run, and those captured just after.
func RecordedStates(t *testing.T) map[string]fs.FS {
	states := Recordings(t)
	for name, bundle := range recordedAt(t, "8.1.9", "before") {
		states[name+" before"] = bundle
	}
	return states
}

func recordedAt(t *testing.T, release, when string) map[string]fs.FS {
	t.Helper()
	pattern := "../../../fixtures/gridengine/" + release + "*-*.tar.gz"
	if dir := os.Getenv("QPRISM_RECORDINGS"); dir != "" && release == "8.1.9" {
		pattern = filepath.Join(dir, "*.tar.gz")
	}
	archives, err := filepath.Glob(pattern)
	if err != nil || len(archives) == 0 {
		t.Fatalf("no recordings at %s (%v)", pattern, err)
	}
	bundles := map[string]fs.FS{}
	for _, name := range archives {
		for n := 1; ; n++ {
			bundle, err := archive.At(fmt.Sprintf("%s/run%d/%s", name, n, when))
			if err != nil {
				if n == 1 && when == "before" { // of a master that began with its first run
					continue
				}
				if n == 1 {
					t.Fatal(err)
				}
				break
			}
			bundles[fmt.Sprintf("%s run %d", strings.TrimSuffix(filepath.Base(name), ".tar.gz"), n)] = bundle
		}
	}
	return bundles
}

func Read(t *testing.T, bundle fs.FS) *model.Snapshot {
	t.Helper()
	s, err := gridengine.Read(bundle, gridengine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func AuditOf(s *model.Snapshot) *audit.Report {
	_, quirks := compat.For(s.Release)
	return audit.Run(s, audit.Options{Options: lastrun.Options{Quirks: quirks}})
}
