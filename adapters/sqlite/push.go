package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"qprism/engine/model"
)

// BeginPush stores a new push with its orders and returns its number.
func (s *Store) BeginPush(ctx context.Context, p *model.Push) (id int64, err error) {
	err = s.inTransaction(ctx, toWrite, func(c *sql.Conn) error {
		r, err := c.ExecContext(ctx,
			`INSERT INTO push (cluster, identity, holder, kind, undoes, snapshot_at, begun_at, wanted, outcome) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			escape(p.Cluster), escape(p.Identity.Text()), escape(p.By), p.Kind, sql.NullInt64{Int64: p.Undoes, Valid: p.Undoes != 0},
			p.SnapshotAt.UnixMicro(), p.Begun.UnixMicro(),
			escape(strings.Join(p.Wanted, "\n")), escape(p.Outcome))
		if err != nil {
			return err
		}
		if id, err = r.LastInsertId(); err != nil {
			return err
		}
		if err := insertOrders(ctx, c, id, p.Orders); err != nil {
			return err
		}
		return setSeal(ctx, c, sealOfPush, id)
	})
	return id, err
}

func insertOrders(ctx context.Context, c *sql.Conn, push int64, orders []model.Order) error {
	insert, err := c.PrepareContext(ctx,
		`INSERT INTO push_order (push_id, seq, job, attribute, was, becomes, partner, why, call, state, words, whose, with_whose)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
	if err != nil {
		return err
	}
	defer insert.Close()
	for i, o := range orders {
		if _, err := insert.ExecContext(ctx, push, i, escape(o.Job), escape(o.Attribute), escape(o.From), escape(o.To), escape(o.With),
			escape(o.Why), o.Call, string(o.State), escape(o.Words),
			escape(o.Whose), escape(o.WithWhose)); err != nil {
			return err
		}
	}
	return nil
}

// RecordOrders stores the states of some orders of a push, by their index, all or none.
func (s *Store) RecordOrders(ctx context.Context, push int64, orders map[int]model.Order) error {
	return s.changeSealed(ctx, sealOfPush, push, func(c *sql.Conn) error {
		update, err := c.PrepareContext(ctx, `UPDATE push_order SET state = ?, words = ? WHERE push_id = ? AND seq = ?`)
		if err != nil {
			return err
		}
		defer update.Close()
		for _, i := range slices.Sorted(maps.Keys(orders)) {
			r, err := update.ExecContext(ctx, string(orders[i].State), escape(orders[i].Words), push, i)
			if err != nil {
				return err
			}
			if n, err := r.RowsAffected(); err != nil || n != 1 {
				return fmt.Errorf("push %d, order %d: %w", push, i, errors.Join(err, model.ErrNoPush))
			}
		}
		return nil
	})
}

// EndPush stores when and how a push ended.
func (s *Store) EndPush(ctx context.Context, push int64, at time.Time, outcome string) error {
	return s.changeSealed(ctx, sealOfPush, push, func(c *sql.Conn) error {
		r, err := c.ExecContext(ctx, `UPDATE push SET ended_at = ?, outcome = ? WHERE id = ?`, at.UnixMicro(), escape(outcome), push)
		if err != nil {
			return err
		}
		if n, err := r.RowsAffected(); err != nil || n != 1 {
			return fmt.Errorf("push %d: %w", push, errors.Join(err, model.ErrNoPush))
		}
		return nil
	})
}

// Push loads a push; model.ErrNoPush if there is none of that number.
func (s *Store) Push(ctx context.Context, id int64) (*model.Push, error) {
	return s.loadPush(ctx, `id = ?`, id)
}

// LastPush loads the newest push of a cluster; model.ErrNoPush if there is none.
func (s *Store) LastPush(ctx context.Context, cluster string) (*model.Push, error) {
	return s.loadPush(ctx, `id = (SELECT max(id) FROM push NOT INDEXED WHERE cluster = ?)`, escape(cluster))
}

// selectPush are the columns that scanPush reads.
const selectPush = `SELECT id, cluster, identity, holder, kind, coalesce(undoes, 0), snapshot_at, begun_at, ended_at, wanted, outcome FROM push `

func (s *Store) loadPush(ctx context.Context, where string, arg any) (*model.Push, error) {
	p := &model.Push{}
	err := s.inTransaction(ctx, toRead, func(c *sql.Conn) error {
		if err := verifyRows(ctx, c, sealOfPush); err != nil {
			return err
		}
		if err := scanPush(c.QueryRowContext(ctx, selectPush+`NOT INDEXED WHERE `+where, arg), p); err != nil {
			return err
		}
		if err := verify(ctx, c, sealOfPush, p.ID); err != nil {
			return fmt.Errorf("push %d: %w", p.ID, err)
		}
		return loadOrders(ctx, c, p)
	})
	if errors.Is(err, sql.ErrNoRows) {
		err = model.ErrNoPush
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

func scanPush(row *sql.Row, p *model.Push) error {
	var snapshotAt, begun int64
	var ended sql.NullInt64
	var wanted, identity string
	if err := row.Scan(&p.ID, &p.Cluster, &identity, &p.By, &p.Kind, &p.Undoes, &snapshotAt, &begun, &ended, &wanted, &p.Outcome); err != nil {
		return err
	}
	p.Cluster, p.By, p.Outcome = unescape(p.Cluster), unescape(p.By), unescape(p.Outcome)
	p.SnapshotAt, p.Begun = time.UnixMicro(snapshotAt).UTC(), time.UnixMicro(begun).UTC()
	if ended.Valid {
		p.Ended = time.UnixMicro(ended.Int64).UTC()
	}
	if wanted != "" {
		p.Wanted = strings.Split(unescape(wanted), "\n")
	}
	var err error
	p.Identity, err = parseIdentity(identity)
	return err
}

func loadOrders(ctx context.Context, c *sql.Conn, p *model.Push) error {
	rows, err := c.QueryContext(ctx,
		`SELECT job, attribute, was, becomes, partner, why, call, state, words, whose, with_whose FROM push_order WHERE push_id = ? ORDER BY seq`,
		p.ID)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var o model.Order
		var state string
		if err := rows.Scan(&o.Job, &o.Attribute, &o.From, &o.To, &o.With, &o.Why, &o.Call, &state, &o.Words, &o.Whose,
			&o.WithWhose); err != nil {
			return err
		}
		for _, text := range []*string{&o.Job, &o.Attribute, &o.From, &o.To, &o.With, &o.Why, &o.Words, &o.Whose, &o.WithWhose} {
			*text = unescape(*text)
		}
		o.State = model.OrderState(state)
		p.Orders = append(p.Orders, o)
	}
	return rows.Err()
}

// Pushes lists all pushes of a cluster without their orders, the oldest first; of all clusters where it is empty.
func (s *Store) Pushes(ctx context.Context, cluster string) ([]model.Push, error) {
	var list []model.Push
	err := s.inTransaction(ctx, toRead, func(c *sql.Conn) error {
		if err := verifyRows(ctx, c, sealOfPush); err != nil {
			return err
		}
		ids, err := readIDs(ctx, c, `SELECT id FROM push NOT INDEXED WHERE ? = '' OR cluster = ? ORDER BY id`, escape(cluster), escape(cluster))
		if err != nil {
			return err
		}
		for _, id := range ids {
			var p model.Push
			if err := scanPush(c.QueryRowContext(ctx, selectPush+`WHERE id = ?`, id), &p); err != nil {
				return err
			}
			list = append(list, p)
		}
		return nil
	})
	return list, err
}
