package sqlite

import (
	"context"
	"errors"
	"testing"
	"time"

	"qprism/engine/model"
)

// TestForgettingAClusterLeavesTheOther: with everything that is about it, and all room is given back.
func TestForgettingAClusterLeavesTheOther(t *testing.T) {
	s, ctx := openTemp(t), context.Background()
	empty := rowCounts(t, s)
	clusters := map[string]*fakeCluster{"vm/default": newFakeCluster(1, 200, 10), "other": newFakeCluster(2, 200, 10)}
	for range 3 {
		for name, c := range clusters {
			snap := c.snapshot()
			snap.Cluster = name
			mustImport(t, s, c.bundle(), snap)
			c.step(time.Minute, 10)
		}
	}
	first, err := s.BeginPush(ctx, newPush())
	if err != nil {
		t.Fatal(err)
	}
	var open *openError
	if _, err := s.Forget(ctx, "vm/default"); !errors.As(err, &open) || open.Pushes != 1 {
		t.Errorf("with an open push: %v", err)
	}
	at := time.Date(2026, 11, 21, 13, 0, 0, 0, time.UTC)
	undo := newPush()
	undo.Undoes, undo.Kind = first, "undo"
	second, err := s.BeginPush(ctx, undo)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []int64{first, second} {
		if err := s.EndPush(ctx, id, at, ""); err != nil {
			t.Fatal(err)
		}
	}
	drive, err := s.BeginDrive(ctx, &model.Drive{Cluster: "vm/default", Begun: at})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Forget(ctx, "vm/default"); !errors.As(err, &open) || open.Drives != 1 {
		t.Errorf("while it is driven: %v", err)
	}
	if err := s.EndDrive(ctx, drive, at, ""); err != nil {
		t.Fatal(err)
	}
	m, err := s.Forget(ctx, "vm/default")
	if err != nil || len(m.Snapshots) != 3 || m.Pushes != 2 || m.Drives != 1 {
		t.Errorf("%+v, %v", m, err)
	}
	infos, err := s.Snapshots(ctx)
	if err != nil || len(infos) != 3 || infos[0].Cluster != "other" {
		t.Errorf("left: %v, %v", infos, err)
	}
	for _, i := range infos {
		if _, err := s.Snapshot(ctx, i.ID); err != nil {
			t.Error(err)
		}
	}
	checkIntegrity(t, s)
	if _, err := s.Forget(ctx, "vm/default"); !errors.Is(err, ErrNoSnapshot) {
		t.Errorf("once more: %v", err)
	}
	if _, err := s.Forget(ctx, "other"); err != nil {
		t.Error(err)
	}
	if _, err := s.db.Exec(`DELETE FROM total`); err != nil { // numbers are never given again
		t.Error(err)
	}
	if rest := rowCounts(t, s); rest != empty {
		t.Errorf("rows left:\n%s\nwant\n%s", rest, empty)
	}
}
