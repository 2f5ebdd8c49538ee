package sqlite

import (
	"context"
	"errors"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"qprism/engine/model"
)

func newPush() *model.Push {
	at := time.Date(2026, 11, 21, 12, 0, 0, 123000, time.UTC)
	return &model.Push{Cluster: "vm/default", By: "root@vm:7", Kind: "qalter -p", SnapshotAt: at,
		Begun:  at.Add(time.Second),
		Wanted: []string{"3", "1", "2"},
		Orders: []model.Order{
			{Job: "3", Attribute: "priority", From: "0", To: "1", Why: "before 1", State: model.OrderPlanned},
			{Job: "2", Attribute: "priority", From: "0", To: "-1", Why: "\xff'; DROP TABLE push",
				With: "3", Call: 1, State: model.OrderPlanned},
		}}
}

func openStore(t *testing.T) *Store {
	t.Helper()
	s, err := Open(filepath.Join(t.TempDir(), "store.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestAPushComesBackAsItWasStored(t *testing.T) {
	s, ctx, p := openStore(t), context.Background(), newPush()
	id, err := s.BeginPush(ctx, p)
	if err != nil {
		t.Fatal(err)
	}
	p.ID = id
	check := func() {
		t.Helper()
		for _, load := range []func() (*model.Push, error){func() (*model.Push, error) { return s.Push(ctx, id) },
			func() (*model.Push, error) { return s.LastPush(ctx, "vm/default") }} {
			if got, err := load(); err != nil || !reflect.DeepEqual(got, p) {
				t.Errorf("got %+v, %v\nwant %+v", got, err, p)
			}
		}
	}
	check()
	p.Orders[1].State, p.Orders[1].Words = model.OrderRefused, "denied: job \"2\" does not exist"
	if err := s.RecordOrders(ctx, id, map[int]model.Order{1: p.Orders[1]}); err != nil {
		t.Fatal(err)
	}
	check()
	p.Ended, p.Outcome = p.Begun.Add(time.Minute), "1 confirmed"
	if err := s.EndPush(ctx, id, p.Ended, p.Outcome); err != nil {
		t.Fatal(err)
	}
	check()
	undo := &model.Push{Cluster: "vm/default", Undoes: id, Begun: p.Begun, SnapshotAt: p.Begun}
	if _, err := s.BeginPush(ctx, undo); err != nil {
		t.Fatal(err)
	}
	if last, err := s.LastPush(ctx, "vm/default"); err != nil || last.Undoes != id || !last.Open() {
		t.Errorf("the last push is %+v, %v", last, err)
	}
	if list, err := s.Pushes(ctx, ""); err != nil || len(list) != 2 || list[0].Outcome != "1 confirmed" {
		t.Errorf("the pushes are %+v, %v", list, err)
	}
}

func TestWhatIsNotThereIsNotChanged(t *testing.T) {
	s, ctx := openStore(t), context.Background()
	_, none := s.LastPush(ctx, "vm/default")
	_, one := s.Push(ctx, 1)
	id, err := s.BeginPush(ctx, newPush())
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{none, one, s.EndPush(ctx, id+1, time.Now(), ""),
		s.RecordOrders(ctx, id, map[int]model.Order{0: {State: model.OrderSent}, 9: {State: model.OrderSent}})} {
		if !errors.Is(err, model.ErrNoPush) {
			t.Errorf("got %v, want %v", err, model.ErrNoPush)
		}
	}
	if p, err := s.Push(ctx, id); err != nil || p.Orders[0].State != model.OrderPlanned {
		t.Errorf("half of the orders were recorded: %+v, %v", p, err)
	}
}
