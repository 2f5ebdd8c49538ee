package sqlite

import (
	"context"
	"errors"
	"testing"
	"time"
)

// importEvery imports snapshots of a cluster, one every so often, and returns their ids.
func importEvery(t *testing.T, s *Store, cluster string, pass time.Duration, n int) (ids []int64, begin time.Time) {
	t.Helper()
	c := newFakeCluster(1, 60, 4)
	begin = c.now
	for range n {
		snap := c.snapshot()
		snap.Cluster = cluster
		ids = append(ids, mustImport(t, s, c.bundle(), snap).ID)
		c.step(pass, 3)
	}
	return ids, begin
}

func TestAMomentIsShownByTheSnapshotBeforeIt(t *testing.T) {
	s, ctx := openTemp(t), context.Background()
	ids, begin := importEvery(t, s, "a", time.Hour, 4)
	importEvery(t, s, "b", time.Minute, 2)
	for after, want := range map[time.Duration]int64{0: ids[0], time.Hour - 1: ids[0], time.Hour: ids[1],
		2*time.Hour + time.Minute: ids[2],
		1000 * time.Hour:          ids[3]} {
		got, err := s.At(ctx, "a", begin.Add(after))
		if err != nil || got.ID != want {
			t.Errorf("after %v: snapshot %d, %v; want %d", after, got.ID, err, want)
		}
	}
	var early *EarlyError
	if _, err := s.At(ctx, "a", begin.Add(-time.Second)); !errors.As(err, &early) || early.First.ID != ids[0] {
		t.Errorf("before the first: %v", err)
	}
	if _, err := s.At(ctx, "c", begin); !errors.Is(err, ErrNoSnapshot) {
		t.Errorf("of another cluster: %v", err)
	}
}

func TestPruningDeletesWhatIsOldButNeverAClustersLastSnapshot(t *testing.T) {
	s, ctx := openTemp(t), context.Background()
	a, begin := importEvery(t, s, "a", time.Hour, 4)
	b, _ := importEvery(t, s, "b", time.Minute, 2)
	for _, trial := range []bool{true, false} {
		old, err := s.Prune(ctx, begin.Add(90*time.Minute), trial)
		if err != nil {
			t.Fatal(err)
		}
		var got []int64
		for _, i := range old {
			got = append(got, i.ID)
		}
		if len(got) != 3 || got[0] != a[0] || got[1] != a[1] || got[2] != b[0] {
			t.Errorf("deletes %v of %v and %v", got, a, b)
		}
		left, err := s.Snapshots(ctx)
		if want := map[bool]int{true: 6, false: 3}[trial]; err != nil || len(left) != want {
			t.Errorf("%d snapshots are left, want %d (%v)", len(left), want, err)
		}
	}
	checkIntegrity(t, s)
}
