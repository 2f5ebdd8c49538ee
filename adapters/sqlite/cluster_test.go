package sqlite

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/fstest"
	"time"

	"qprism/engine/model"
)

// TestEachClusterHasANameOfItsOwn: bundles of two clusters that are called the same, of none, and of one
// that says nothing.
func TestEachClusterHasANameOfItsOwn(t *testing.T) {
	s := openTemp(t)
	n := 0
	imported := func(called string, system model.System, i model.Identity) (string, error) {
		n++
		i.System = system
		done, err := s.Import(context.Background(), fstest.MapFS{"MANIFEST": {Data: fmt.Append(nil, n)}}, "a test",
			&model.Snapshot{Cluster: called, System: system, Identity: i, TakenAt: time.Unix(int64(n), 0)})
		return done.Cluster, err
	}
	a := model.Identity{Host: "vm", Root: "/opt/a", Config: "1 2", Sequence: 50}
	b := model.Identity{Host: "vm", Root: "/opt/b", Config: "1 2"}
	old := model.Identity{}
	earlier := a
	earlier.Sequence = 7
	for i, c := range []struct {
		called string
		system model.System
		model.Identity
		want string
	}{
		{"vm/default", "", old, "vm/default"},
		{"vm/default", "", a, "vm/default"}, // the first one that says who it is goes on with what is there
		{"vm/default", "", b, "vm/default#2"},
		{"vm/default", "", earlier, "vm/default"},
		{"vm/default", model.Torque, old, "vm/default#3"},
		{"", "", old, "unnamed"},
		{"", "", old, "unnamed#2"},
		{"", model.Torque, old, "unnamed#3"},
		{"", "", a, "unnamed#4"},
		{"", "", a, "unnamed#4"},
		{"vm/default", "", model.Identity{Given: "vm/default#2"}, "vm/default#2"},
		{"vm/default", "", model.Identity{Given: "bonn"}, "bonn"},
	} {
		if got, err := imported(c.called, c.system, c.Identity); err != nil || got != c.want {
			t.Errorf("bundle %d is of %q, %v; want %q", i, got, err, c.want)
		}
	}
	var ambiguous *ambiguousError
	if _, err := imported("vm/default", "", old); !errors.As(err, &ambiguous) || len(ambiguous.Clusters) == 0 {
		t.Logf("%v", err)
	}
	var mixed *mixedError
	b.Given = "vm/default"
	if got, err := imported("vm/default", "", b); !errors.As(err, &mixed) {
		t.Errorf("a bundle of B was taken for %s: %v", got, err)
	}
	if n, err := s.NameOf(context.Background(), "vm/default",
		model.Identity{Host: "vm", Root: "/opt/c", Config: "1 2"}); err != nil ||
		n != "vm/default#4" {
		t.Errorf("a third one is %q, %v", n, err)
	}
	id, err := s.BeginPush(context.Background(), &model.Push{Cluster: "vm/default#4",
		Identity: model.Identity{Host: "vm", Root: "/opt/c", Config: "1 2"},
		Orders:   []model.Order{{Job: "7", Whose: "ann 17", With: "8", WithWhose: "bob 18", State: model.OrderPlanned}}})
	if err != nil {
		t.Fatal(err)
	}
	if p, err := s.Push(context.Background(), id); err != nil || p.Identity.Root != "/opt/c" ||
		p.Orders[0].Whose != "ann 17" ||
		p.Orders[0].WithWhose != "bob 18" {
		t.Errorf("%+v, %v", p, err)
	}
	if got, err := imported("vm/default", "", model.Identity{Host: "vm", Root: "/opt/c",
		Config: "1 2"}); err != nil || got != "vm/default#4" {
		t.Errorf("a cluster that was pushed to before it had a snapshot is %q, %v", got, err)
	}
}

// TestAClusterOfPushesIsKnownUntilTheyAreDeleted has clusters with pushes and without snapshots. The process reads each push once.
func TestAClusterOfPushesIsKnownUntilTheyAreDeleted(t *testing.T) {
	s, ctx := openTemp(t), t.Context()
	begin := func(name, host string) int64 {
		p := newPush()
		p.Cluster, p.Identity = name, identityAt(host)
		id, err := s.BeginPush(ctx, p)
		if err == nil {
			err = s.EndPush(ctx, id, p.Begun, "done")
		}
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	named := func(host, want string) {
		t.Helper()
		if got, err := s.NameOf(ctx, "c", identityAt(host)); err != nil || got != want {
			t.Errorf("the cluster at %s is %q, %v; want %q", host, got, err, want)
		}
	}
	first := begin("c", "one")
	named("one", "c")
	named("two", "c#2")
	begin("c#2", "two")
	named("two", "c#2")
	named("three", "c#3")
	if last, err := s.LastPush(ctx, "c"); err != nil || last.Cluster != "c" {
		t.Errorf("the last push of c: %+v, %v", last, err)
	}
	err := s.transaction(ctx, toWrite, func(tx *tx) { tx.deleteAll(first, kindPush, kindOrders) })
	if err != nil {
		t.Fatal(err)
	}
	begin("other", "four") // as many pushes as before
	named("two", "c#2")
	named("one", "c")
	if _, err := s.LastPush(ctx, "c"); !errors.Is(err, model.ErrNoPush) {
		t.Errorf("a push that was deleted: %v", err)
	}
}

func identityAt(host string) model.Identity {
	return model.Identity{Host: host, Root: "/opt/" + host, Cell: "default", Made: "1" + host}
}
