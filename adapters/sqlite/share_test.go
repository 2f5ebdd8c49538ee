package sqlite

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func modesOf(t *testing.T, paths ...string) (modes []fs.FileMode) {
	t.Helper()
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		modes = append(modes, info.Mode().Perm())
	}
	return modes
}

func TestOnlyItsOwnerMayReadAStoreUnlessItIsShared(t *testing.T) {
	folder, ctx := filepath.Join(t.TempDir(), "qprism"), context.Background()
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "store.db")
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c := newFakeCluster(1, 30, 4)
	mustImport(t, s, c.bundle(), c.snapshot())
	expect := func(file, dir fs.FileMode) {
		t.Helper()
		for i, mode := range modesOf(t, path, path+"-wal", path+"-shm", folder) {
			if want := []fs.FileMode{file, file, file, dir}[i]; mode != want {
				t.Errorf("file %d has %o, not %o", i, mode, want)
			}
		}
	}
	expect(0o600, 0o755)
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	closed, err := s.Secure(ctx, folder)
	if err != nil || len(closed) != 2 {
		t.Errorf("closed %v, %v", closed, err)
	}
	expect(0o600, 0o700)
	for _, want := range []struct {
		readers   Readers
		file, dir fs.FileMode
	}{{GroupReaders, 0o640, 0o750}, {AllReaders, 0o644, 0o755}, {OnlyOwner, 0o600, 0o700}} {
		if err := s.Share(ctx, want.readers, -1, folder); err != nil {
			t.Fatal(err)
		}
		if closed, err := s.Secure(ctx, folder); err != nil || len(closed) > 0 {
			t.Errorf("%q: closed %v, %v", want.readers, closed, err)
		}
		expect(want.file, want.dir)
	}
}
