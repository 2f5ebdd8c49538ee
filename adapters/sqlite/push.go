package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"time"

	"qprism/engine/model"
)

// An ordersRow is the record of a push's orders, which change while it is sent.
type ordersRow struct{ Orders []model.Order }

// BeginPush stores a new push with its orders and returns its number.
func (s *Store) BeginPush(ctx context.Context, p *model.Push) (id int64, err error) {
	err = s.inTransaction(ctx, toWrite, func(conn *sql.Conn) error {
		if id, err = nextID(ctx, conn, kindPush); err != nil {
			return err
		}
		push := *p
		push.ID, push.Orders = id, nil
		push.SnapshotAt, push.Begun = push.SnapshotAt.Truncate(time.Microsecond), push.Begun.Truncate(time.Microsecond)
		if err := setRecord(ctx, conn, kindPush, id, &push); err != nil {
			return err
		}
		return setRecord(ctx, conn, kindOrders, id, &ordersRow{p.Orders})
	})
	return id, err
}

// RecordOrders stores the states of some orders of a push, by their index, all or none.
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

// Push loads a push; model.ErrNoPush if there is none of that number.
func (s *Store) Push(ctx context.Context, id int64) (p *model.Push, err error) {
	err = s.inTransaction(ctx, toRead, func(conn *sql.Conn) error {
		p, err = loadPush(ctx, conn, id)
		return err
	})
	return p, err
}

// LastPush loads the newest push of a cluster; model.ErrNoPush if there is none.
func (s *Store) LastPush(ctx context.Context, cluster string) (p *model.Push, err error) {
	err = s.inTransaction(ctx, toRead, func(conn *sql.Conn) error {
		pushes, err := pushesOf(ctx, conn, cluster)
		if err != nil {
			return err
		}
		if len(pushes) == 0 {
			return model.ErrNoPush
		}
		p, err = loadPush(ctx, conn, pushes[len(pushes)-1].ID)
		return err
	})
	return p, err
}

// loadPush loads a push with its orders.
func loadPush(ctx context.Context, db queryer, id int64) (*model.Push, error) {
	p, err := findRecord[model.Push](ctx, db, kindPush, id)
	if err == nil && p == nil {
		err = model.ErrNoPush
	}
	if err != nil {
		return nil, err
	}
	orders, err := findRecord[ordersRow](ctx, db, kindOrders, id)
	if err == nil && orders == nil {
		err = fmt.Errorf("push %d: %w: its orders are lost", id, ErrDamaged)
	}
	if err != nil {
		return nil, err
	}
	p.Orders = orders.Orders
	return p, nil
}

// Pushes lists the pushes of a cluster without their orders, the oldest first; of all clusters if the name is
// empty.
func (s *Store) Pushes(ctx context.Context, cluster string) (list []model.Push, err error) {
	err = s.inTransaction(ctx, toRead, func(conn *sql.Conn) error {
		list, err = pushesOf(ctx, conn, cluster)
		return err
	})
	return list, err
}

// pushesOf is Pushes within a transaction.
func pushesOf(ctx context.Context, db queryer, cluster string) (list []model.Push, err error) {
	all, err := records[model.Push](ctx, db, kindPush)
	for _, r := range all {
		if cluster == "" || r.value.Cluster == cluster {
			list = append(list, *r.value)
		}
	}
	return list, err
}
