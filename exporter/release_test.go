package exporter_test

import (
	"context"
	"maps"
	"slices"
	"testing"

	"qprism/engine/model"
)

// TestEverythingGoesBackToWhatWasBeforeTheFirstPush pushes three orders, one after the other, takes the second back in between, and lets
// somebody else change a job before the last push and another one after it. One release gives back all but what he changed.
func TestEverythingGoesBackToWhatWasBeforeTheFirstPush(t *testing.T) {
	m, j := newMaster(6), newJournal()
	for i, job := range m.jobs {
		job.p = i % 3
	}
	m.schedule()
	before := m.priorities()
	p := newPusher(m, j)
	var ids []int64
	send := func(wanted []string) *model.Push {
		t.Helper()
		r, err := p.Send(context.Background(), pushOf(t, m, wanted))
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, r.Push.ID)
		return r.Push
	}
	reversed := func() []string {
		list := m.order()
		slices.Reverse(list)
		return list
	}
	send(reversed())
	r, err := p.Undo(context.Background(), send(reversed()).ID)
	if err != nil {
		t.Fatal(err)
	}
	ids = append(ids, r.Push.ID)
	last := send(append(m.order()[2:], m.order()[:2]...))
	theirs := last.Orders[0].Job
	m.job(theirs).p = -7

	var pushes []model.Push
	for _, id := range ids {
		push, err := j.Push(context.Background(), id)
		if err != nil {
			t.Fatal(err)
		}
		pushes = append(pushes, *push)
	}
	sent := len(m.altered())
	back, err := p.InverseOfAll(context.Background(), pushes)
	if err != nil || len(back.Orders) == 0 {
		t.Fatalf("%+v, %v", back, err)
	}
	if len(m.altered()) != sent {
		t.Error("planning sent something")
	}
	if _, err := p.SendInverse(context.Background(), back); err != nil {
		t.Fatal(err)
	}
	want := maps.Clone(before)
	want[m.job(theirs).number] = -7
	if got := m.priorities(); !maps.Equal(got, want) {
		t.Errorf("got %v, want %v; %s is somebody else's", got, want, theirs)
	}
	again, err := p.InverseOfAll(context.Background(), append(pushes, *back))
	if err != nil || len(again.Orders) != 0 {
		t.Errorf("a second release sends %v, %v", again.Orders, err)
	}
}
