package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"pgregory.net/rapid"

	"qprism/engine/model"
)

func TestSnapshotsReadBackAsTheyWereImported(t *testing.T) {
	s := openTemp(t)
	count := 0
	rapid.Check(t, func(t *rapid.T) {
		want := randomSnapshot(t)
		count++
		bundle := fstest.MapFS{"MANIFEST": {Data: fmt.Appendf(nil, "taken_at %d\n", count)}}
		done, err := s.Import(context.Background(), bundle, randomString(t), want)
		if err != nil || done.Existed {
			t.Fatalf("%+v, %v", done, err)
		}
		got, err := s.Snapshot(context.Background(), done.ID)
		if err != nil {
			t.Fatal(err)
		}
		if !sameBits(want, got) {
			t.Fatalf("imported\n%+v\nloaded\n%+v", want, got)
		}
	})
}

func TestEvolvingClusterReadsBackAsItWas(t *testing.T) {
	s, c := openTemp(t), newFakeCluster(1, 400, 20)
	want := map[int64]*model.Snapshot{}
	for range 10 {
		snap := c.snapshot()
		want[mustImport(t, s, c.bundle(), snap).ID] = snap
		c.step(5*time.Minute, 20)
	}
	for id, w := range want {
		got, err := s.Snapshot(context.Background(), id)
		if err != nil {
			t.Fatal(err)
		}
		sameSnapshot(t, fmt.Sprint("snapshot ", id), got, w)
	}
}

func TestListSaysWhatIsStored(t *testing.T) {
	s, c := openTemp(t), newFakeCluster(1, 100, 5)
	first := mustImport(t, s, c.bundle(), c.snapshot())
	c.step(time.Hour, 3)
	snap, bundle := c.snapshot(), c.bundle()
	second := mustImport(t, s, bundle, snap)
	infos, err := s.Snapshots(context.Background())
	if err != nil || len(infos) != 2 || infos[0].ID != first.ID || infos[1].ID != second.ID {
		t.Fatalf("%+v, %v", infos, err)
	}
	got := infos[1]
	if time.Since(got.ImportedAt).Abs() > time.Minute {
		t.Errorf("imported at %v", got.ImportedAt)
	}
	got.ImportedAt = time.Time{}
	want := Info{ID: second.ID, Cluster: "master/default", Called: "master/default",
		Release: model.Release{Product: "SGE", Version: "8.1.9"},
		TakenAt: snap.TakenAt, Source: "a test", Jobs: 100, Running: int64(c.running()), Pending: int64(100 - c.running()),
		RawBytes: bundleSize(t, bundle), StoredBytes: second.Bytes}
	if got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func bundleSize(t *testing.T, bundle fs.FS) (size int64) {
	t.Helper()
	for _, data := range allFiles(t, bundle) {
		size += int64(len(data))
	}
	return size
}

func TestLatestIsTheLastThatWasTaken(t *testing.T) {
	s, ctx := openTemp(t), context.Background()
	if _, err := s.Latest(ctx, "master/default"); !errors.Is(err, ErrNoSnapshot) {
		t.Errorf("in an empty store: %v", err)
	}
	at := func(cluster string, seconds int64) int64 {
		snap := &model.Snapshot{Cluster: cluster, TakenAt: time.Unix(seconds, 0)}
		return mustImport(t, s, fstest.MapFS{"MANIFEST": {Data: fmt.Appendf(nil, "%s %d", cluster, seconds)}}, snap).ID
	}
	at("a", 10)
	want := at("a", 30)
	at("a", 20)
	at("b\xff", 40)
	if got, err := s.Latest(ctx, "a"); err != nil || got.ID != want || !got.TakenAt.Equal(time.Unix(30, 0)) {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := s.Latest(ctx, "b\xff"); err != nil || got.Cluster != "b\xff" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestSameBundleIsStoredOnce(t *testing.T) {
	s, c := openTemp(t), newFakeCluster(1, 100, 5)
	first := mustImport(t, s, c.bundle(), c.snapshot())
	before := rowCounts(t, s)
	again := mustImport(t, s, c.bundle(), c.snapshot())
	if !again.Existed || again.ID != first.ID || again.Bytes != 0 {
		t.Errorf("%+v after %+v", again, first)
	}
	if after := rowCounts(t, s); after != before {
		t.Errorf("rows before %s, after %s", before, after)
	}
	snap := c.snapshot()
	snap.Cluster = "other/default"
	if other := mustImport(t, s, c.bundle(), snap); other.Existed || other.ID == first.ID {
		t.Errorf("of another cluster: %+v", other)
	}
}

func TestWhatDoesNotChangeIsStoredOnce(t *testing.T) {
	s, c := openTemp(t), newFakeCluster(1, 3000, 100)
	blocks := func() (n int) {
		if err := s.db.QueryRow(`SELECT count(*) FROM block`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	first := mustImport(t, s, c.bundle(), c.snapshot())
	before := blocks()
	later := c.bundle().(fstest.MapFS)
	later["MANIFEST"] = &fstest.MapFile{Data: []byte("taken_at 1700000300\n")}
	snap := c.snapshot()
	snap.TakenAt = snap.TakenAt.Add(300 * time.Second)
	second := mustImport(t, s, later, snap)
	// New are what holds the time, the small files beside the MANIFEST with the block behind them, the
	// names, and the parts.
	if after := blocks(); second.Existed || after > before+5 || second.Bytes > 5000 || first.Bytes < 50*second.Bytes {
		t.Errorf("%d blocks after %d, %d bytes after %d", after, before, second.Bytes, first.Bytes)
	}
	before = blocks()
	snap = c.snapshot()
	snap.Hosts[50].Capacity[0].Value = "8"
	snap.Jobs[40].Hard[0].Value = "77"
	later["MANIFEST"] = &fstest.MapFile{Data: []byte("taken_at 1700000600\n")}
	if third := mustImport(t, s, later, snap); blocks() > before+6 || third.Bytes > 5000 {
		t.Errorf("after one change of a host and a job: %d blocks after %d, %d bytes", blocks(), before, third.Bytes)
	}
}

// rowCounts are the numbers of rows of all tables.
func rowCounts(t *testing.T, s *Store) string {
	t.Helper()
	var names []string
	rows, err := s.db.Query(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	var counts []string
	for _, name := range names {
		var n int
		if err := s.db.QueryRow(`SELECT count(*) FROM ` + name).Scan(&n); err != nil {
			t.Fatal(err)
		}
		counts = append(counts, fmt.Sprint(name, " ", n))
	}
	return strings.Join(counts, ", ")
}

func TestFailedImportLeavesNothing(t *testing.T) {
	c := newFakeCluster(1, 300, 5)
	for name, spoil := range map[string]struct {
		bundle func(fs.FS) fs.FS
		snap   func(*model.Snapshot)
		ctx    func() context.Context
		want   string
	}{
		"a file that cannot be read": {bundle: func(b fs.FS) fs.FS {
			return brokenFS{b}
		}, want: "qstat.xml: the disk is on fire"},
		"an empty bundle":            {bundle: func(fs.FS) fs.FS { return fstest.MapFS{} }, want: "holds no file"},
		"a bundle that is no folder": {bundle: func(fs.FS) fs.FS { return missingFS{} }, want: "file does not exist"},
		"a share tree within itself": {snap: func(s *model.Snapshot) { s.ShareTree.Children[0] = s.ShareTree },
			want: "nested too deep"},
		"a context that is over": {ctx: func() context.Context {
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			return ctx
		}, want: "context canceled"},
	} {
		t.Run(name, func(t *testing.T) {
			s := openTemp(t)
			mustImport(t, s, c.bundle(), c.snapshot())
			before := rowCounts(t, s)
			later := newFakeCluster(2, 300, 5)
			bundle, snap, ctx := fs.FS(later.bundle()), later.snapshot(), context.Background()
			if spoil.bundle != nil {
				bundle = spoil.bundle(bundle)
			}
			if spoil.snap != nil {
				spoil.snap(snap)
			}
			if spoil.ctx != nil {
				ctx = spoil.ctx()
			}
			if _, err := s.Import(ctx, bundle, "", snap); err == nil || !strings.Contains(err.Error(), spoil.want) {
				t.Errorf("got %v", err)
			}
			if after := rowCounts(t, s); after != before {
				t.Errorf("rows before %s, after %s", before, after)
			}
			mustImport(t, s, later.bundle(), later.snapshot())
		})
	}
}

// A brokenFS fails in the middle of qstat.xml.
type brokenFS struct{ fs.FS }

func (b brokenFS) Open(name string) (fs.File, error) {
	f, err := b.FS.Open(name)
	if name == "qstat.xml" && err == nil {
		return &brokenFile{File: f}, nil
	}
	return f, err
}

type brokenFile struct {
	fs.File
	reads int
}

func (f *brokenFile) Read(p []byte) (int, error) {
	if f.reads++; f.reads > 3 {
		return 0, errors.New("the disk is on fire")
	}
	return f.File.Read(p[:min(len(p), 1000)])
}

// A missingFS has not even a top folder.
type missingFS struct{}

func (missingFS) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

func TestImportEndsWithItsContextAtAnyMoment(t *testing.T) {
	s := openTemp(t)
	c := newFakeCluster(1, 2000, 50)
	mustImport(t, s, c.bundle(), c.snapshot())
	before := rowCounts(t, s)
	c.step(5*time.Minute, 100)
	snap, bundle := c.snapshot(), c.bundle()
	cancelled := 0
	for wait := time.Millisecond; ; wait += wait/4 + time.Millisecond {
		ctx, cancel := context.WithTimeout(context.Background(), wait)
		_, err := s.Import(ctx, bundle, "", snap)
		cancel()
		if err == nil {
			break
		}
		cancelled++
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("after %v: %v", wait, err)
		}
		if after := rowCounts(t, s); after != before {
			t.Fatalf("after %v: rows before %s, after %s", wait, before, after)
		}
	}
	if cancelled < 3 {
		t.Errorf("only %d imports were cancelled", cancelled)
	}
}

func TestFullDiskLeavesTheStoreAsItWas(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	small := newFakeCluster(1, 30, 4)
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	want := small.snapshot()
	id := mustImport(t, s, small.bundle(), want).ID
	var pages int
	if err := s.db.QueryRow(`PRAGMA page_count`).Scan(&pages); err != nil {
		t.Fatal(err)
	}
	s.Close()
	if s, err = connect(path, "", nil, fmt.Sprintf("PRAGMA max_page_count = %d", pages+10)); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	large := newFakeCluster(2, 3000, 50)
	if _, err := s.Import(context.Background(), large.bundle(), "", large.snapshot()); err == nil ||
		!strings.Contains(err.Error(), "disk is full") {
		t.Errorf("got %v", err)
	}
	got, err := s.Snapshot(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	sameSnapshot(t, "the snapshot before", got, want)
	checkIntegrity(t, s)
}

func TestSnapshotsAreReadWhileOthersAreImported(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	writer, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	reader, err := Open(path) // as another process would
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	var imported sync.Map // time taken → snapshot
	const enough = 10     // reads meanwhile
	var reads atomic.Int32
	done := make(chan struct{})
	go func() {
		defer close(done)
		c := newFakeCluster(1, 300, 20)
		for i := 0; i < 30 || reads.Load() < enough && i < 1000; i++ {
			snap := c.snapshot()
			imported.Store(snap.TakenAt.Unix(), snap)
			if _, err := writer.Import(context.Background(), c.bundle(), "", snap); err != nil {
				t.Error(err)
				return
			}
			c.step(5*time.Minute, 10)
		}
	}()
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		infos, err := reader.Snapshots(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for _, info := range infos[max(0, len(infos)-2):] {
			got, err := reader.Snapshot(context.Background(), info.ID)
			if err != nil {
				t.Fatal(err)
			}
			want, _ := imported.Load(info.TakenAt.Unix())
			sameSnapshot(t, "a snapshot just imported", got, want.(*model.Snapshot))
			reads.Add(1)
		}
	}
	if n := reads.Load(); n < enough {
		t.Errorf("only %d reads", n)
	}
}

func TestImportsOfSeveralProcessesWaitForEachOther(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			s, err := Open(path)
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			c := newFakeCluster(uint64(i), 200, 10)
			for range 5 {
				c.step(time.Minute, 5)
				if _, err := s.Import(context.Background(), c.bundle(), "", c.snapshot()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	infos, err := s.Snapshots(context.Background())
	if err != nil || len(infos) != 20 {
		t.Errorf("%d snapshots, %v", len(infos), err)
	}
	checkIntegrity(t, s)
}

func TestWaitingForAnotherImportEndsWithTheContext(t *testing.T) {
	s, c := openTemp(t), newFakeCluster(1, 30, 4)
	conn := mustConn(t, s)
	if err := run(context.Background(), conn, toWrite); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	start := time.Now()
	_, err := s.Import(ctx, c.bundle(), "", c.snapshot())
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 5*time.Second {
		t.Errorf("after %v: %v", time.Since(start), err)
	}
	if err := run(context.Background(), conn, "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
}

// checkIntegrity lets SQLite check all there is to check.
func checkIntegrity(t testing.TB, s *Store) {
	t.Helper()
	var verdict string
	if err := s.db.QueryRow(`PRAGMA integrity_check`).Scan(&verdict); err != nil || verdict != "ok" {
		t.Fatalf("integrity_check: %s, %v", verdict, err)
	}
	rows, err := s.db.Query(`PRAGMA foreign_key_check`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	if rows.Next() {
		t.Fatal("foreign_key_check found rows that refer to nothing")
	}
}
