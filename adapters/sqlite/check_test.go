package sqlite

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestWhatIsDamagedIsNamedAndRemoved damages one of eight snapshots and one of three pushes: the others are
// whole, and stay.
func TestWhatIsDamagedIsNamedAndRemoved(t *testing.T) {
	path, ctx := attackedStore(t), context.Background()
	change(t, path, fmt.Sprintf(`UPDATE block SET data = x'00' WHERE hash = x'%x'`, partsOf(t, path, 3)),
		`UPDATE record SET body = x'00' WHERE kind = 'orders' AND id = 2`)
	before := answers(t, path)
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Snapshot(ctx, 3); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "snapshot 3") ||
		!strings.Contains(err.Error(), "db check --remove") {
		t.Errorf("the error says %v", err)
	}
	found, err := s.Check(ctx)
	if err != nil || len(found) != 2 || found[0].Kind != kindSnapshot || found[0].ID != 3 || found[1].Kind != kindPush ||
		found[1].ID != 2 {
		t.Fatalf("found %v, %v", found, err)
	}
	if left, err := s.Remove(ctx, found); err != nil || len(left) > 0 {
		t.Fatalf("left %v, %v", left, err)
	}
	checkIntegrity(t, s)
	after := answers(t, path)
	for _, name := range []string{"snapshot 2", "bundle 4", "history of job 1003 of other/default",
		"analysis 1", "drives"} {
		if before[name].err != nil || after[name].err != nil || before[name].sum != after[name].sum {
			t.Errorf("%s: %v, %v", name, before[name].err, after[name].err)
		}
	}
	c := newFakeCluster(1, 90, 4)
	if done := mustImport(t, s, c.bundle(), c.snapshot()); done.ID != 9 {
		t.Errorf("the next snapshot is %d", done.ID)
	}
}

// partsOf finds the block with the parts of a snapshot.
func partsOf(t *testing.T, path string, id int64) hash {
	t.Helper()
	s, err := OpenToRead(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	from := &tx{Store: s, ctx: context.Background(), db: s.db}
	info := from.info(id)
	if from.err != nil {
		t.Fatal(from.err)
	}
	return info.parts
}

// TestADamagedPushIsNotChanged: its orders would count as whole afterwards.
func TestADamagedPushIsNotChanged(t *testing.T) {
	path, ctx := attackedStore(t), context.Background()
	change(t, path, `UPDATE record SET body = x'00' WHERE kind = 'push' AND id = 3`)
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.EndPush(ctx, 3, newPush().Begun, "done"); !errors.Is(err, ErrDamaged) {
		t.Errorf("got %v", err)
	}
}

// TestLostNumbersOfJobsAreMadeAgain loses one record, damages another, and falsifies a third: no history is short without
// an error, and all come back.
func TestLostNumbersOfJobsAreMadeAgain(t *testing.T) {
	path, ctx := attackedStore(t), context.Background()
	before := answers(t, path)["history of job 1003 of other/default"]
	change(t, path, `DELETE FROM record WHERE kind = 'numbers' AND id = 2`,
		`UPDATE record SET body = x'00' WHERE kind = 'numbers' AND id = 3`)
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.History(ctx, "other/default", 1003); !errors.Is(err, ErrDamaged) {
		t.Errorf("history says %v", err)
	}
	found, err := s.Check(ctx)
	if err != nil || len(found) == 0 {
		t.Fatalf("found %v, %v", found, err)
	}
	if left, err := s.Remove(ctx, found); err != nil || len(left) > 0 {
		t.Fatalf("left %v, %v", left, err)
	}
	if after := answers(t, path)["history of job 1003 of other/default"]; after.err != nil || after.sum != before.sum {
		t.Errorf("%v", after.err)
	}
	if all, err := s.Snapshots(ctx); err != nil || len(all) != 8 {
		t.Errorf("%d snapshots, %v", len(all), err)
	}
}

// TestACatalogNoticesWhatOthersDo has a second process that imports and deletes.
func TestACatalogNoticesWhatOthersDo(t *testing.T) {
	path, ctx := attackedStore(t), context.Background()
	var stores [2]*Store
	for i := range stores {
		var err error
		if stores[i], err = Open(path); err != nil {
			t.Fatal(err)
		}
		defer stores[i].Close()
	}
	count := func(want int) {
		t.Helper()
		for i, s := range stores {
			if all, err := s.Snapshots(ctx); err != nil || len(all) != want {
				t.Errorf("store %d has %d snapshots instead of %d, %v", i, len(all), want, err)
			}
		}
	}
	count(8)
	c := newFakeCluster(1, 90, 4)
	mustImport(t, stores[1], c.bundle(), c.snapshot())
	count(9)
	if err := stores[0].Delete(ctx, 2, 9); err != nil {
		t.Fatal(err)
	}
	count(7)
	change(t, path, `UPDATE record SET body = x'00' WHERE kind = 'snapshot' AND id = 4`)
	fresh, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer fresh.Close()
	if _, err := fresh.Snapshots(ctx); !errors.Is(err, ErrDamaged) {
		t.Errorf("of a damaged record: %v", err)
	}
}

// TestARecordThatItsKeyDoesNotFindIsDamage: the inner pages of the table can lead a search astray although all records are there.
func TestARecordThatItsKeyDoesNotFindIsDamage(t *testing.T) {
	s, err := Open(attackedStore(t))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for id, want := range map[int64]error{1: ErrDamaged, 99: nil} {
		err := s.transaction(t.Context(), toRead, func(t *tx) { t.checkNone(kindSnapshot, id) })
		if !errors.Is(err, want) {
			t.Errorf("snapshot %d is not found by its key: %v, want %v", id, err, want)
		}
	}
}
