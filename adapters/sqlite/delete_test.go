package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"testing"
	"time"

	"qprism/engine/model"
)

func TestDeletingASnapshotKeepsTheOthers(t *testing.T) {
	type stored struct {
		snap   *model.Snapshot
		bundle fs.FS
	}
	s, c, ctx := openTemp(t), newFakeCluster(1, 500, 30), context.Background()
	all := map[int64]stored{}
	var ids []int64
	for range 9 {
		snap, bundle := c.snapshot(), c.bundle()
		id := mustImport(t, s, bundle, snap).ID
		all[id], ids = stored{snap, bundle}, append(ids, id)
		c.step(5*time.Minute, 40)
	}
	for _, some := range [][]int64{ids[:1], ids[4:6], ids[8:]} { // the base of many contents among them
		if err := s.Delete(ctx, some...); err != nil {
			t.Fatal(err)
		}
		for _, id := range some {
			delete(all, id)
		}
		for id, want := range all {
			got, err := s.Snapshot(ctx, id)
			if err != nil {
				t.Fatal(err)
			}
			sameSnapshot(t, fmt.Sprint("snapshot ", id), got, want.snap)
			sameBundle(t, mustRaw(t, s, id), want.bundle)
		}
	}
	checkIntegrity(t, s)
	if next := mustImport(t, s, c.bundle(), c.snapshot()); next.ID <= ids[8] {
		t.Errorf("id %d was given again", next.ID)
	}
}

func TestDeletingAllLeavesNothing(t *testing.T) {
	s := openTemp(t)
	empty := rowCounts(t, s)
	var ids []int64
	for seed := range uint64(2) {
		c := newFakeCluster(seed, 2000, 30)
		for range 4 {
			ids = append(ids, mustImport(t, s, c.bundle(), c.snapshot()).ID)
			c.step(5*time.Minute, 20)
		}
	}
	if _, err := s.db.Exec(`PRAGMA wal_checkpoint(TRUNCATE)`); err != nil {
		t.Fatal(err)
	}
	before := fileSize(t, s.path)
	if err := s.Delete(context.Background(), ids...); err != nil {
		t.Fatal(err)
	}
	if _, err := s.db.Exec(`DELETE FROM total`); err != nil {
		t.Fatal(err)
	}
	if after := rowCounts(t, s); after != empty {
		t.Errorf("left are %s", after)
	}
	if after := fileSize(t, s.path); after > before/3 {
		t.Errorf("the file has %d bytes, %d before", after, before)
	}
	checkIntegrity(t, s)
}

func TestDeletingAMissingSnapshotDeletesNone(t *testing.T) {
	s, c := openTemp(t), newFakeCluster(1, 30, 3)
	id := mustImport(t, s, c.bundle(), c.snapshot()).ID
	before := rowCounts(t, s)
	if err := s.Delete(context.Background(), id, id+1); !errors.Is(err, ErrNoSnapshot) {
		t.Errorf("got %v", err)
	}
	if after := rowCounts(t, s); after != before {
		t.Errorf("rows before %s, after %s", before, after)
	}
}

func fileSize(t testing.TB, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
