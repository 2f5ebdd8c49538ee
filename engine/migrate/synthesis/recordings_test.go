package synthesis

import (
	"io/fs"
	"os"
	"testing"

	"qprism/compat"
	"qprism/fixtures/archive"
	"qprism/importer/cluster"
)

// recorded is the history of a recording.
func recorded(t *testing.T, name string) History {
	t.Helper()
	data, err := os.ReadFile("../../../fixtures/gridengine/8.1.9-" + name + ".tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	files, err := archive.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	h, err := historyOf(files, name)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// historyOf reads the runs of a recording: name/run1/before, name/run1/after …
func historyOf(files fs.FS, name string) (History, error) {
	dirs, err := fs.Glob(files, "*/run*/*")
	if err != nil || len(dirs) == 0 {
		dirs, err = fs.Glob(files, "run*/*")
	}
	if err != nil {
		return nil, err
	}
	var runs []Run
	for _, dir := range dirs {
		bundle, err := fs.Sub(files, dir)
		if err != nil {
			return nil, err
		}
		s, err := cluster.Read(bundle, cluster.Options{})
		if err != nil {
			return nil, err
		}
		_, q := compat.For(s.Release)
		if r, err := Look(name+"/"+dir, s, q); err == nil {
			runs = append(runs, r)
		}
	}
	return NewHistory(runs), nil
}
