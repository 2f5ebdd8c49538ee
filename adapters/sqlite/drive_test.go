package sqlite

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"

	"qprism/engine/model"
)

func TestADriveComesBackAsItWasStoredUntilItEnds(t *testing.T) {
	s, ctx := openStore(t), context.Background()
	at := time.Date(2026, 11, 21, 12, 0, 0, 123000, time.UTC)
	d := &model.Drive{Cluster: "vm/default", System: model.GridEngine, By: "root@vm:7", Owns: "user=a", Begun: at}
	var err error
	if d.ID, err = s.BeginDrive(ctx, d); err != nil {
		t.Fatal(err)
	}
	if _, err := s.BeginDrive(ctx, d); err == nil {
		t.Error("a cluster is driven twice")
	}
	check := func() {
		t.Helper()
		for _, cluster := range []string{"", "vm/default"} {
			if got, err := s.OpenDrives(ctx, cluster); err != nil || len(got) != 1 || !reflect.DeepEqual(&got[0], d) {
				t.Errorf("got %+v, %v\nwant %+v", got, err, d)
			}
		}
	}
	check()
	d.Claims = []model.Claim{{Job: "3", Attribute: "hard", Was: "a=\xff,b='", Becomes: "hostname=n1",
		State: model.OrderSent,
		Whose: "ann 1795291200"},
		{Job: "3", Attribute: "hold", Becomes: "1-4", State: model.OrderConfirmed, Words: "modified hold"}}
	if err := s.SaveDrive(ctx, d.ID, d.Claims); err != nil {
		t.Fatal(err)
	}
	check()
	d.Claims[0].State = model.OrderRefused
	if err := s.SaveDrive(ctx, d.ID, d.Claims[:1]); err != nil {
		t.Fatal(err)
	}
	check()
	if err := s.DropClaims(ctx, d.ID, d.Claims[1:]); err != nil {
		t.Fatal(err)
	}
	d.Claims = d.Claims[:1]
	check()
	if err := errors.Join(s.EndDrive(ctx, d.ID, at, "given back")); err != nil {
		t.Fatal(err)
	}
	if open, err := s.OpenDrives(ctx, ""); err != nil || len(open) > 0 {
		t.Errorf("still open: %v, %v", open, err)
	}
	if err := s.EndDrive(ctx, 99, at, ""); !errors.Is(err, model.ErrNoDrive) {
		t.Errorf("got %v", err)
	}
	if _, err := s.BeginDrive(ctx, d); err != nil {
		t.Error(err)
	}
}
