package sqlite

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestReadingWritesNothing: who might write cannot through a store that is opened to read, and nothing is
// left beside it.
func TestReadingWritesNothing(t *testing.T) {
	path := newStoreFile(t)
	before := mustRead(t, path)
	s, err := OpenToRead(path)
	if err != nil {
		t.Fatal(err)
	}
	c := newFakeCluster(7, 30, 4)
	if _, err := s.Import(context.Background(), c.bundle(), "", c.snapshot()); err == nil ||
		!strings.Contains(err.Error(), "readonly") {
		t.Errorf("an import: %v", err)
	}
	s.Close()
	if n := countSnapshots(t, path); n != 1 {
		t.Errorf("%d snapshots", n)
	}
	if string(mustRead(t, path)) != string(before) {
		t.Error("the store was changed")
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("beside the store: %v, %v", entries, err)
	}
}

// TestAChangeBehindAReaderIsNoticed: who may leave no note of what it reads might see two states of the store at once.
func TestAChangeBehindAReaderIsNoticed(t *testing.T) {
	path := newStoreFile(t)
	reader, err := connect(path, "mode=ro&immutable=1", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if reader.frozen, err = freeze(path); err != nil {
		t.Fatal(err)
	}
	if _, err := reader.Snapshots(context.Background()); err != nil {
		t.Error(err)
	}
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	c := newFakeCluster(7, 30, 4)
	mustImport(t, s, c.bundle(), c.snapshot())
	s.Close() // what is in the log goes to the file
	if _, err := reader.Snapshots(context.Background()); !errors.Is(err, errChanged) {
		t.Errorf("got %v", err)
	}
}

// TestWhoWaitsForALockSaysSo: another process writes; after a second a function is called, once, and the
// import goes on.
func TestWhoWaitsForALockSaysSo(t *testing.T) {
	path := newStoreFile(t)
	other, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	lock := mustConn(t, other)
	if err := run(context.Background(), lock, toWrite); err != nil {
		t.Fatal(err)
	}
	began, said := time.Now(), 0
	s, err := Open(path, Waiting(func() {
		if said++; time.Since(began) < 900*time.Millisecond {
			t.Errorf("after %v", time.Since(began))
		}
		if err := run(context.Background(), lock, "ROLLBACK"); err != nil {
			t.Error(err)
		}
	}))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c := newFakeCluster(7, 30, 4)
	mustImport(t, s, c.bundle(), c.snapshot())
	if said != 1 {
		t.Errorf("said %d times", said)
	}
}

func countSnapshots(t *testing.T, path string) int {
	t.Helper()
	s, err := OpenToRead(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	list, err := s.Snapshots(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}
