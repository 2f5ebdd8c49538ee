package sqlite

import (
	"context"
	"io/fs"
	"path"
	"path/filepath"
	"testing"

	"qprism/fixtures/archive"
	"qprism/importer/gridengine"
)

// TestRecordedBundlesReadBackAsTheyWere imports every recorded bundle of fixtures/gridengine into one store. What is
// loaded is what was read, and the raw files are those that were given.
func TestRecordedBundlesReadBackAsTheyWere(t *testing.T) {
	archives, err := filepath.Glob("../../fixtures/gridengine/*.tar.gz")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	s, bundles := openTemp(t), 0
	for _, file := range archives {
		for _, dir := range bundlesIn(t, file) {
			importRecording(t, s, file, dir)
			bundles++
		}
	}
	checkIntegrity(t, s)
	infos, err := s.Snapshots(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var raw, stored int64
	for _, i := range infos {
		raw, stored = raw+i.RawBytes, stored+i.StoredBytes
	}
	t.Logf("%d bundles, %d snapshots of %d bytes take %d", bundles, len(infos), raw, stored)
}

// importRecording imports one bundle. The recordings were made by one master; here each has a cluster of its own.
func importRecording(t *testing.T, s *Store, file, dir string) {
	t.Helper()
	name := filepath.Join(file, dir)
	bundle, err := archive.At(name)
	if err != nil {
		t.Fatal(err)
	}
	want, err := gridengine.Read(bundle, gridengine.Options{})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	want.Cluster = file
	id := mustImport(t, s, bundle, want).ID
	got, err := s.Snapshot(context.Background(), id)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	sameSnapshot(t, name, got, want)
	sameBundle(t, mustRaw(t, s, id), bundle)
}

// bundlesIn lists the folders of an archive that are bundles.
func bundlesIn(t *testing.T, file string) (dirs []string) {
	t.Helper()
	files, err := archive.At(file)
	if err != nil {
		t.Fatal(err)
	}
	err = fs.WalkDir(files, ".", func(name string, _ fs.DirEntry, err error) error {
		if path.Base(name) == "MANIFEST" {
			dirs = append(dirs, path.Dir(name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return dirs
}
