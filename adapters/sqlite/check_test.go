package sqlite

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestWhatIsDamagedIsNamedAndRemoved damages one of eight snapshots and one of three pushes: the others are whole, and stay.
func TestWhatIsDamagedIsNamedAndRemoved(t *testing.T) {
	path, ctx := attackedStore(t), context.Background()
	change(t, path, `DELETE FROM part WHERE snapshot_id = 3 AND noun = 'job_state'`, `UPDATE push_order SET was = '77' WHERE push_id = 2`)
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
	if err != nil || len(found) != 2 || found[0].Kind != sealOfSnapshot || found[0].ID != 3 || found[1].Kind != sealOfPush ||
		found[1].ID != 2 {
		t.Fatalf("found %v, %v", found, err)
	}
	if left, err := s.Remove(ctx, found); err != nil || len(left) > 0 {
		t.Fatalf("left %v, %v", left, err)
	}
	checkIntegrity(t, s)
	after := answers(t, path)
	for _, name := range []string{"snapshot 2", "bundle 4", "history of job 1003 of other/default", "analysis 1", "drives"} {
		if before[name].err != nil || after[name].err != nil || before[name].sum != after[name].sum {
			t.Errorf("%s: %v, %v", name, before[name].err, after[name].err)
		}
	}
	c := newFakeCluster(1, 90, 4)
	if done := mustImport(t, s, c.bundle(), c.snapshot()); done.ID != 9 {
		t.Errorf("the next snapshot is %d", done.ID)
	}
}

// TestADamagedPushIsNotChanged: its orders would count as whole afterwards.
func TestADamagedPushIsNotChanged(t *testing.T) {
	path, ctx := attackedStore(t), context.Background()
	change(t, path, `UPDATE push_order SET was = '77' WHERE push_id = 3`)
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.EndPush(ctx, 3, newPush().Begun, "done"); !errors.Is(err, ErrDamaged) {
		t.Errorf("got %v", err)
	}
}

// TestAStoreOfBeforeTheSealsIsSealed undoes the migration that brings the seals.
func TestAStoreOfBeforeTheSealsIsSealed(t *testing.T) {
	path := attackedStore(t)
	want := answers(t, path)
	change(t, path, `DROP TABLE sharing`, `DROP TABLE seal`, `DROP TABLE seal_root`, `ALTER TABLE job DROP COLUMN seal`,
		`ALTER TABLE drive_claim DROP COLUMN whose`, `ALTER TABLE drive_start DROP COLUMN whose`,
		`DELETE FROM migration WHERE version >= 6`, `PRAGMA user_version = 5`)
	if diff := cmp.Diff(want, answers(t, path), cmp.AllowUnexported(answer{})); diff != "" {
		t.Error(diff)
	}
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if found, err := s.Check(context.Background()); err != nil || len(found) > 0 {
		t.Errorf("found %v, %v", found, err)
	}
}

// TestAListThatLostItsObjectsIsNotEmpty: an import finds the list by its hash, and the new snapshot refers to it as well.
func TestAListThatLostItsObjectsIsNotEmpty(t *testing.T) {
	path, ctx := newStoreFile(t), context.Background()
	change(t, path, `DELETE FROM list_object WHERE list_id = (SELECT list_id FROM snapshot_list WHERE noun = 'submit_host' OR noun = 'user' LIMIT 1)`)
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c := newFakeCluster(1, 30, 4)
	c.step(time.Minute, 2)
	done := mustImport(t, s, c.bundle(), c.snapshot())
	if _, err := s.Snapshot(ctx, done.ID); !errors.Is(err, ErrDamaged) {
		t.Errorf("got %v", err)
	}
}
