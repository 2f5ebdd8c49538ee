package sqlite

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestWhoMayReadTheFileReadsTheStore: neither file nor folder are writable for the reader, and nothing is
// left beside the store.
func TestWhoMayReadTheFileReadsTheStore(t *testing.T) {
	path := newStoreFile(t)
	onlyToRead(t, path)
	before := mustRead(t, path)
	asNobody(t, func() {
		if n := countSnapshots(t, path); n != 1 {
			t.Errorf("%d snapshots", n)
		}
		if err := readAll(path); err != nil {
			t.Error(err)
		}
	})
	if string(mustRead(t, path)) != string(before) {
		t.Error("the store was changed")
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("beside the store: %v, %v", entries, err)
	}
}

// TestAReaderSeesWhatAWriterHasJustStored: it is in the log, which the reader may not write.
func TestAReaderSeesWhatAWriterHasJustStored(t *testing.T) {
	path := newStoreFile(t)
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c := newFakeCluster(7, 30, 4)
	mustImport(t, s, c.bundle(), c.snapshot())
	if info, err := os.Stat(path + "-wal"); err != nil || info.Size() == 0 {
		t.Fatalf("the log is empty: %v", err)
	}
	onlyToRead(t, path)
	asNobody(t, func() {
		if n := countSnapshots(t, path); n != 2 {
			t.Errorf("%d snapshots", n)
		}
	})
}

// TestAReaderIsToldWhatItMayNot: the file cannot be read, or there is none.
func TestAReaderIsToldWhatItMayNot(t *testing.T) {
	secret := newStoreFile(t)
	onlyToRead(t, secret)
	if err := os.Chmod(secret, 0o600); err != nil {
		t.Fatal(err)
	}
	asNobody(t, func() {
		if os.Geteuid() == 0 { // else it is the file's owner
			if _, err := OpenToRead(secret); !errors.Is(err, fs.ErrPermission) {
				t.Errorf("one that may not be read: %v", err)
			}
		}
	})
	if _, err := OpenToRead(filepath.Join(t.TempDir(), "none.db")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("none: %v", err)
	}
}

// onlyToRead lets everybody read a store, and nobody write to it or beside it.
func onlyToRead(t *testing.T, path string) {
	t.Helper()
	dir := filepath.Dir(path)
	for p, mode := range map[string]os.FileMode{dir: 0o555, path: 0o444, path + "-wal": 0o444, path + "-shm": 0o444} {
		if err := os.Chmod(p, mode); err != nil && (p == dir || p == path) {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { os.Chmod(dir, 0o755) })
	openParents(t, dir)
}
