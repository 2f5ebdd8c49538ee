package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"qprism/engine/model"
)

// BeginDrive stores a new drive and returns its number. A cluster has one open drive at most.
func (s *Store) BeginDrive(ctx context.Context, d *model.Drive) (id int64, err error) {
	err = s.inTransaction(ctx, toWrite, func(c *sql.Conn) error {
		r, err := c.ExecContext(ctx,
			`INSERT INTO drive (cluster, identity, system, holder, owns, begun_at, outcome) VALUES (?, ?, ?, ?, ?, ?, '')`,
			escape(d.Cluster), escape(d.Identity.Text()), string(d.System), escape(d.By), escape(d.Owns), d.Begun.UnixMicro())
		if err == nil {
			id, err = r.LastInsertId()
		}
		if err != nil {
			return err
		}
		return setSeal(ctx, c, sealOfDrive, id)
	})
	return id, err
}

// OpenDrives loads the drives that have not ended, with what is not back, the oldest first; of all clusters where it is empty.
func (s *Store) OpenDrives(ctx context.Context, cluster string) (list []model.Drive, err error) {
	err = s.inTransaction(ctx, toRead, func(c *sql.Conn) error {
		if err := verifyRows(ctx, c, sealOfDrive); err != nil {
			return err
		}
		rows, err := c.QueryContext(ctx,
			`SELECT id, cluster, identity, system, holder, owns, begun_at FROM drive NOT INDEXED WHERE ended_at IS NULL AND (? = '' OR cluster = ?) ORDER BY id`,
			escape(cluster), escape(cluster))
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var d model.Drive
			var system, identity string
			var begun int64
			if err := rows.Scan(&d.ID, &d.Cluster, &identity, &system, &d.By, &d.Owns, &begun); err != nil {
				return err
			}
			d.Cluster, d.By, d.Owns, d.System, d.Begun = unescape(d.Cluster), unescape(d.By), unescape(d.Owns), model.System(system),
				time.UnixMicro(begun).UTC()
			if d.Identity, err = parseIdentity(identity); err != nil {
				return err
			}
			list = append(list, d)
		}
		if err := rows.Err(); err != nil {
			return err
		}
		for i := range list {
			if err := verify(ctx, c, sealOfDrive, list[i].ID); err != nil {
				return fmt.Errorf("drive %d: %w", list[i].ID, err)
			}
			if err := loadClaims(ctx, c, &list[i]); err != nil {
				return err
			}
		}
		return nil
	})
	return list, err
}

func loadClaims(ctx context.Context, c *sql.Conn, d *model.Drive) error {
	rows, err := c.QueryContext(ctx,
		`SELECT job, attribute, was, becomes, state, words, whose FROM drive_claim WHERE drive_id = ? ORDER BY job, attribute`, d.ID)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var k model.Claim
		var state string
		if err := rows.Scan(&k.Job, &k.Attribute, &k.Was, &k.Becomes, &state, &k.Words, &k.Whose); err != nil {
			return err
		}
		for _, text := range []*string{&k.Job, &k.Attribute, &k.Was, &k.Becomes, &k.Words, &k.Whose} {
			*text = unescape(*text)
		}
		k.State = model.OrderState(state)
		d.Claims = append(d.Claims, k)
	}
	return rows.Err()
}

// SaveDrive stores claims of a drive, those that it knows anew, all or none.
func (s *Store) SaveDrive(ctx context.Context, drive int64, claims []model.Claim) error {
	return s.changeSealed(ctx, sealOfDrive, drive, func(c *sql.Conn) error {
		for _, k := range claims {
			if _, err := c.ExecContext(ctx,
				`INSERT INTO drive_claim (drive_id, job, attribute, was, becomes, state, words, whose) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
				ON CONFLICT DO UPDATE SET was = excluded.was, becomes = excluded.becomes, state = excluded.state, words = excluded.words, whose = excluded.whose`,
				drive, escape(k.Job), escape(k.Attribute), escape(k.Was), escape(k.Becomes), string(k.State), escape(k.Words),
				escape(k.Whose)); err != nil {
				return err
			}
		}
		return nil
	})
}

// DropClaims forgets claims of a drive: what they took is back, or nothing is left of it.
func (s *Store) DropClaims(ctx context.Context, drive int64, claims []model.Claim) error {
	return s.changeSealed(ctx, sealOfDrive, drive, func(c *sql.Conn) error {
		for _, k := range claims {
			if _, err := c.ExecContext(ctx, `DELETE FROM drive_claim WHERE drive_id = ? AND job = ? AND attribute = ?`, drive, escape(k.Job),
				escape(k.Attribute)); err != nil {
				return err
			}
		}
		return nil
	})
}

// EndDrive stores when and how a drive ended.
func (s *Store) EndDrive(ctx context.Context, drive int64, at time.Time, outcome string) error {
	return s.changeSealed(ctx, sealOfDrive, drive, func(c *sql.Conn) error {
		r, err := c.ExecContext(ctx, `UPDATE drive SET ended_at = ?, outcome = ? WHERE id = ?`, at.UnixMicro(), escape(outcome), drive)
		if err != nil {
			return err
		}
		if n, err := r.RowsAffected(); err != nil || n != 1 {
			return fmt.Errorf("drive %d: %w", drive, errors.Join(err, model.ErrNoDrive))
		}
		return nil
	})
}
