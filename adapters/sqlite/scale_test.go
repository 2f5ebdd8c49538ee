package sqlite

import (
	"context"
	"encoding/binary"
	"io"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"
)

// TestHistoryTakesLittleRoom imports a cluster again and again while jobs come, wait and go, and holds what a snapshot
// takes against a bound. Every job's priority and tickets change every time. QPRISM_SNAPSHOTS sets how many snapshots
// of 5,000 jobs to import instead of a few of 1,000; 2,000 of them are to fit into 1 GB.
func TestHistoryTakesLittleRoom(t *testing.T) {
	snapshots, jobs, bound := 15, 1000, int64(120_000)
	if n, err := strconv.Atoi(os.Getenv("QPRISM_SNAPSHOTS")); err == nil {
		snapshots, jobs, bound = n, 5000, 500_000
	}
	s, c := openTemp(t), newFakeCluster(1, jobs, 300)
	var ids, added []int64
	var spent time.Duration
	for range snapshots {
		c.step(5*time.Minute, 20)
		snap, bundle := c.snapshot(), c.bundle()
		start := time.Now()
		done := mustImport(t, s, bundle, snap)
		spent += time.Since(start)
		ids, added = append(ids, done.ID), append(added, done.Bytes)
	}
	infos, err := s.Snapshots(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.db.Exec(`PRAGMA wal_checkpoint(TRUNCATE)`); err != nil {
		t.Fatal(err)
	}
	size := fileSize(t, s.path)
	t.Logf("%d snapshots of %d jobs, each from %d bytes: the file has %d bytes, %d a snapshot", snapshots, jobs,
		infos[0].RawBytes, size, size/int64(snapshots))
	t.Logf("the first added %d bytes, the others %d (median); an import takes %v", added[0],
		median(added[1:]), spent/time.Duration(snapshots))
	if median(added[1:]) > bound {
		t.Errorf("a snapshot takes more than %d bytes", bound)
	}
	logTimes(t, s, ids, jobs)
	start := time.Now()
	if err := s.Delete(context.Background(), ids[:len(ids)/2]...); err != nil {
		t.Fatal(err)
	}
	after := fileSize(t, s.path)
	t.Logf("deleting half of them took %v and left %d bytes", time.Since(start), after)
	if after >= size {
		t.Errorf("the file has %d bytes as before, now %d", size, after)
	}
}

func median(values []int64) int64 {
	values = slices.Sorted(slices.Values(values))
	return values[len(values)/2]
}

// logTimes reports how long it takes to answer.
func logTimes(t *testing.T, s *Store, ids []int64, jobs int) {
	t.Helper()
	took := func(what string, do func() error) {
		var all []int64
		for range 5 {
			start := time.Now()
			if err := do(); err != nil {
				t.Fatal(err)
			}
			all = append(all, int64(time.Since(start)))
		}
		t.Logf("%s: %v", what, time.Duration(median(all)))
	}
	id := ids[len(ids)*2/3]
	took("a snapshot", func() error { _, err := s.Snapshot(context.Background(), id); return err })
	took("its qstat.xml", func() error {
		raw, err := s.Raw(context.Background(), id)
		if err != nil {
			return err
		}
		f, err := raw.Open("qstat.xml")
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = io.Copy(io.Discard, f)
		return err
	})
	for _, number := range []uint32{1000 + uint32(jobs)/2, 1000 + uint32(jobs)} {
		moments := 0
		took("the history of a job", func() error {
			all, err := s.History(context.Background(), "master/default", number)
			moments = len(all)
			return err
		})
		t.Logf("  in %d of %d snapshots", moments, len(ids))
	}
	took("the list of snapshots", func() error { _, err := s.Snapshots(context.Background()); return err })
}

// TestABaseCompressesABoundedNumberOfBlocks stores many versions of a text that hardly change. The import adds up the sizes of all
// blocks of a base: with one base for a year, an import takes several times as long.
func TestABaseCompressesABoundedNumberOfBlocks(t *testing.T) {
	s := openTemp(t)
	text := randomBytes(1, 400)
	err := s.transaction(t.Context(), "BEGIN IMMEDIATE", func(tx *tx) {
		w, last := &writer{tx: tx}, hash("")
		for i := range 3 * mostOfBase {
			binary.BigEndian.PutUint32(text, uint32(i))
			last = w.block(text, last)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	var most, bases int
	row := s.db.QueryRow(`SELECT max(blocks), count(*) FROM (SELECT count(*) AS blocks FROM block WHERE base IS NOT NULL GROUP BY base)`)
	if err := row.Scan(&most, &bases); err != nil || most != mostOfBase || bases != 3 {
		t.Errorf("%v: %d bases, of which one has %d blocks", err, bases, most)
	}
}
