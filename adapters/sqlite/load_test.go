package sqlite

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"qprism/engine/model"
	"qprism/importer"
	"qprism/importer/gridengine"
)

// TestSnapshotsAreReadSomeAtOnceAndCopied reads all at once, and reads a copy of some.
func TestSnapshotsAreReadSomeAtOnceAndCopied(t *testing.T) {
	s := openStore(t)
	ctx := context.Background()
	var ids []int64
	for _, step := range []string{"run1/before", "run1/after", "run2/before", "run2/after"} {
		files, closer, err := importer.Open("../../fixtures/gridengine/8.1.9-backfill-large-parallel.tar.gz/" + step)
		if err != nil {
			t.Fatal(err)
		}
		snapshot, err := gridengine.Read(files, gridengine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		done, err := s.Import(ctx, files, step, snapshot)
		if err != nil {
			t.Fatal(err)
		}
		closer.Close()
		ids = append(ids, done.ID)
	}
	infos, err := s.Snapshots(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, atOnce := range []int{1, 3, 9} {
		n := 0
		err := s.Each(ctx, infos, atOnce, func(i Info, got *model.Snapshot) error {
			want, err := s.Snapshot(ctx, infos[n].ID)
			sameSnapshot(t, "read beside others", got, want)
			n++
			return err
		})
		if err != nil || n != len(ids) {
			t.Errorf("%d at once: %d, %v", atOnce, n, err)
		}
		enough := errors.New("enough")
		if err := s.Each(ctx, infos, atOnce, func(Info, *model.Snapshot) error { return enough }); err != enough {
			t.Errorf("%d at once: %v, where the first was enough", atOnce, err)
		}
		over, stop := context.WithCancel(ctx)
		stop()
		if err := s.Each(over, infos, atOnce, func(Info, *model.Snapshot) error { return nil }); err == nil {
			t.Errorf("%d at once: all is read that nobody wants any more", atOnce)
		}
	}
	path := filepath.Join(t.TempDir(), "it's a part.db")
	if err := s.CopyPart(ctx, path, ids[1:3]); err != nil {
		t.Fatal(err)
	}
	part, err := OpenToRead(path)
	if err != nil {
		t.Fatal(err)
	}
	defer part.Close()
	if infos, err := part.Snapshots(ctx); err != nil || len(infos) != 2 || infos[0].ID != ids[1] {
		t.Errorf("%v, %v", infos, err)
	}
	if damage, err := part.Check(ctx); err != nil || len(damage) > 0 {
		t.Errorf("a part is no whole store: %v, %v", damage, err)
	}
	if err := s.CopyPart(ctx, path, ids[:1]); err == nil {
		t.Error("a part is copied over another one")
	}
	want, _ := s.Snapshot(ctx, ids[2])
	if got, err := part.Snapshot(ctx, ids[2]); err != nil {
		t.Error(err)
	} else {
		sameSnapshot(t, "of a part", got, want)
	}
}
