package sqlite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"qprism/engine/model"
)

func TestBundlesReadBackByteForByte(t *testing.T) {
	s := openTemp(t)
	for name, bundle := range map[string]fstest.MapFS{
		"one empty file": {"qstat.xml": {}},
		"small and large files in nested folders": {
			"a.txt": {Data: []byte("a")}, "a/b/c.txt": {Data: randomBytes(1, smallFile+1)},
			"a/b.txt": {}, "a/b/d/e": {Data: []byte("e")},
			"large": {Data: randomBytes(2, 2*blockSize+12345)},
			"zeros": {Data: make([]byte, blockSize+1)}, "zeros2": {Data: make([]byte, blockSize+1)},
		},
		"odd names": {"a\x00b": {Data: []byte("NUL")}, "größe \n": {Data: []byte("1")}, "C:": {Data: []byte("2")}},
	} {
		t.Run(name, func(t *testing.T) {
			snap := &model.Snapshot{Cluster: name, TakenAt: time.Unix(100, 0)}
			id := mustImport(t, s, bundle, snap).ID
			sameBundle(t, mustRaw(t, s, id), bundle)
		})
	}
}

func TestEvolvingBundlesReadBackByteForByte(t *testing.T) {
	s, c := openTemp(t), newFakeCluster(1, 1500, 50)
	bundles := map[int64]fs.FS{}
	for range 8 {
		bundle := c.bundle()
		bundles[mustImport(t, s, bundle, c.snapshot()).ID] = bundle
		c.step(5*time.Minute, 30)
	}
	for id, bundle := range bundles {
		sameBundle(t, mustRaw(t, s, id), bundle)
	}
	var deltas, deep int
	if err := s.db.QueryRow(`SELECT count(*), count(b.base) FROM block c JOIN block b ON b.id = c.base`).
		Scan(&deltas, &deep); err != nil || deltas == 0 || deep > 0 {
		t.Errorf("%d blocks have a base, %d of them one with a base, %v", deltas, deep, err)
	}
}

func TestFilesThatGrowAreStoredOnce(t *testing.T) {
	s := openTemp(t)
	accounting := randomBytes(1, 16<<20)
	var last Imported
	for i := range 5 {
		bundle := fstest.MapFS{"accounting": {Data: accounting[:12<<20+i*1000]}}
		last = mustImport(t, s, bundle, &model.Snapshot{Cluster: "vm/default", TakenAt: time.Unix(int64(i), 0)})
		sameBundle(t, mustRaw(t, s, last.ID), bundle)
	}
	if last.Bytes > 100_000 {
		t.Errorf("1000 more bytes took %d", last.Bytes)
	}
}

func TestANameWithABackslashIsRefused(t *testing.T) {
	_, err := openTemp(t).Import(context.Background(), fstest.MapFS{`a\b`: {}}, "", &model.Snapshot{})
	if err == nil || !strings.Contains(err.Error(), "backslash") {
		t.Errorf("got %v", err)
	}
}

func TestRawIsAProperFileSystem(t *testing.T) {
	s, c := openTemp(t), newFakeCluster(1, 300, 10)
	raw := mustRaw(t, s, mustImport(t, s, c.bundle(), c.snapshot()).ID)
	if err := fstest.TestFS(raw, "MANIFEST", "qstat.xml", "hosts/node001.txt", "users/usr7.txt"); err != nil {
		t.Error(err)
	}
	if _, err := raw.Open("missing"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

func TestOnlyRegularFilesAreStored(t *testing.T) {
	s := openTemp(t)
	bundle := fstest.MapFS{"qstat.xml": {Data: []byte("x")}, "link": {Data: []byte("/etc/passwd"), Mode: fs.ModeSymlink},
		"pipe": {Mode: fs.ModeNamedPipe}}
	raw := mustRaw(t, s, mustImport(t, s, bundle, &model.Snapshot{}).ID)
	if files := allFiles(t, raw); len(files) != 1 || string(files["qstat.xml"]) != "x" {
		t.Errorf("got %q", files)
	}
}

func TestErrorSaysThatThereIsNoSuchSnapshot(t *testing.T) {
	s := openTemp(t)
	_, err1 := s.Raw(context.Background(), 7)
	_, err2 := s.Snapshot(context.Background(), 7)
	err3 := s.Delete(context.Background(), 7)
	for _, err := range []error{err1, err2, err3} {
		if !errors.Is(err, ErrNoSnapshot) {
			t.Errorf("got %v", err)
		}
	}
}

func TestADamagedBundleIsFoundOut(t *testing.T) {
	s, c := openTemp(t), newFakeCluster(1, 300, 10)
	raw := mustRaw(t, s, mustImport(t, s, c.bundle(), c.snapshot()).ID)
	if _, err := fs.ReadFile(raw, "MANIFEST"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.db.Exec(`UPDATE block SET hash = randomblob(16)`); err != nil {
		t.Fatal(err)
	}
	if _, err := fs.ReadFile(raw, "qstat.xml"); !errors.Is(err, ErrDamaged) {
		t.Errorf("got %v", err)
	}
}

func mustRaw(t testing.TB, s *Store, id int64) fs.FS {
	t.Helper()
	raw, err := s.Raw(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// sameBundle fails where two bundles do not hold the same files.
func sameBundle(t testing.TB, got, want fs.FS) {
	t.Helper()
	g, w := allFiles(t, got), allFiles(t, want)
	for name := range w {
		if !bytes.Equal(g[name], w[name]) {
			t.Errorf("%q: %d bytes differ from %d", name, len(g[name]), len(w[name]))
		}
		if info, err := fs.Stat(got, name); err != nil || info.Size() != int64(len(w[name])) ||
			info.Name() != path.Base(name) {
			t.Errorf("%q: %v, %v", name, info, err)
		}
	}
	if len(g) != len(w) {
		t.Errorf("%d files instead of %d", len(g), len(w))
	}
}

func allFiles(t testing.TB, fsys fs.FS) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files[name], err = fs.ReadFile(fsys, name)
		if err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
