package sqlite

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"qprism/engine/model"
)

// An ordersRow is the record of a push's orders. It changes while the push is sent.
type ordersRow struct{ Orders []model.Order }

// BeginPush stores a new push with its orders and returns its number.
func (s *Store) BeginPush(ctx context.Context, p *model.Push) (id int64, err error) {
	err = s.transaction(ctx, toWrite, func(t *tx) {
		id = t.nextID(kindPush)
		push := *p
		push.ID, push.Orders = id, nil
		push.SnapshotAt, push.Begun = push.SnapshotAt.Truncate(time.Microsecond), push.Begun.Truncate(time.Microsecond)
		setRecord(t, kindPush, id, &push)
		setRecord(t, kindOrders, id, &ordersRow{p.Orders})
	})
	return id, err
}

// RecordOrders stores the states of some orders of a push, by their index. It stores all of them or none.
func (s *Store) RecordOrders(ctx context.Context, push int64, orders map[int]model.Order) error {
	return changeRecord(ctx, s, kindOrders, push, model.ErrNoPush, func(row *ordersRow) error {
		for _, i := range slices.Sorted(maps.Keys(orders)) {
			if i < 0 || i >= len(row.Orders) {
				return fmt.Errorf("push %d, order %d: %w", push, i, model.ErrNoPush)
			}
			row.Orders[i].State, row.Orders[i].Words = orders[i].State, orders[i].Words
		}
		return nil
	})
}

// EndPush stores when and how a push ended.
func (s *Store) EndPush(ctx context.Context, push int64, at time.Time, outcome string) error {
	return changeRecord(ctx, s, kindPush, push, model.ErrNoPush, func(p *model.Push) error {
		p.Ended, p.Outcome = at.Truncate(time.Microsecond), outcome
		return nil
	})
}

// Push loads a push by its number. The error is model.ErrNoPush if there is none.
func (s *Store) Push(ctx context.Context, id int64) (p *model.Push, err error) {
	err = s.transaction(ctx, toRead, func(t *tx) { p = t.push(id) })
	return p, err
}

// LastPush loads the newest push of a cluster. The error is model.ErrNoPush if there is none.
func (s *Store) LastPush(ctx context.Context, cluster string) (p *model.Push, err error) {
	err = s.transaction(ctx, toRead, func(t *tx) {
		if id := t.lastPush(cluster); id > 0 {
			p = t.push(id)
		} else {
			t.fail(model.ErrNoPush)
		}
	})
	return p, err
}

// lastPush is the number of the newest push of a cluster, 0 for none. It reads all pushes, to notice if one is lost, but decodes
// no older ones: a store of a year can have a hundred thousand.
func (t *tx) lastPush(cluster string) int64 {
	for _, r := range slices.Backward(t.allRecords(kindPush)) {
		p := decode[model.Push](t, kindPush, r)
		if p == nil {
			break
		}
		if p.Cluster == cluster {
			return r.id
		}
	}
	return 0
}

// push loads a push with its orders.
func (t *tx) push(id int64) *model.Push {
	p := findRecord[model.Push](t, kindPush, id)
	if p == nil {
		t.fail(model.ErrNoPush)
		return nil
	}
	orders := findRecord[ordersRow](t, kindOrders, id)
	if orders == nil {
		t.fail(fmt.Errorf("push %d: %w: its orders are lost", id, ErrDamaged))
		return nil
	}
	p.Orders = orders.Orders
	return p
}

// Pushes lists the pushes of a cluster without their orders, the oldest first. If the name is empty, it lists
// the pushes of all clusters.
func (s *Store) Pushes(ctx context.Context, cluster string) (list []model.Push, err error) {
	err = s.transaction(ctx, toRead, func(t *tx) { list = t.pushesOf(cluster) })
	return list, err
}

// pushesOf is Pushes within a transaction.
func (t *tx) pushesOf(cluster string) (list []model.Push) {
	for _, r := range records[model.Push](t, kindPush) {
		if cluster == "" || r.value.Cluster == cluster {
			list = append(list, *r.value)
		}
	}
	return list
}
