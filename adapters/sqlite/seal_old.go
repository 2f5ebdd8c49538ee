package sqlite

import (
	"context"
	"database/sql"
	"fmt"
)

// idsOf lists the ids of what has seals of a kind.
func idsOf(ctx context.Context, db queryer, kind string) ([]int64, error) {
	query := `SELECT id FROM ` + kind + ` NOT INDEXED ORDER BY id`
	if kind == sealOfAnalysis {
		query = `SELECT snapshot_id FROM analysis NOT INDEXED ORDER BY snapshot_id`
	}
	return readIDs(ctx, db, query)
}

// readIDs are the ids that a query gives.
func readIDs(ctx context.Context, db queryer, query string, args ...any) (ids []int64, err error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// intact lists what agrees with its seal before a migration changes its rows. Where the store has no seals yet, that is all
// there is.
func intact(ctx context.Context, conn *sql.Conn) (map[string][]int64, error) {
	sealed, err := hasTable(ctx, conn, "seal")
	if err != nil {
		return nil, err
	}
	all := map[string][]int64{}
	for _, kind := range sealKinds {
		ids, err := existing(ctx, conn, kind)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			if !sealed || verify(ctx, conn, kind, id) == nil {
				all[kind] = append(all[kind], id)
			}
		}
	}
	return all, nil
}

// existing is idsOf, none where an old schema does not have the table yet.
func existing(ctx context.Context, conn *sql.Conn, kind string) ([]int64, error) {
	if there, err := hasTable(ctx, conn, kind); err != nil || !there {
		return nil, err
	}
	return idsOf(ctx, conn, kind)
}

func hasTable(ctx context.Context, conn *sql.Conn, name string) (bool, error) {
	var tables int
	err := conn.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?`, name).Scan(&tables)
	return tables > 0, err
}

// migrateSealed applies a migration. What was intact before it is sealed as it is then; what was not stays damaged.
func migrateSealed(ctx context.Context, conn *sql.Conn, apply func() error) error {
	before, err := hasTable(ctx, conn, "seal")
	if err != nil {
		return err
	}
	whole, err := intact(ctx, conn)
	if err != nil {
		return err
	}
	if err := apply(); err != nil {
		return err
	}
	after, err := hasTable(ctx, conn, "seal")
	if err != nil || !after {
		return err
	}
	if !before {
		if err := sealJobs(ctx, conn); err != nil {
			return err
		}
	}
	for _, kind := range sealKinds {
		for _, id := range whole[kind] {
			if err := setSeal(ctx, conn, kind, id); err != nil {
				return fmt.Errorf("%s %d: %w", kind, id, err)
			}
		}
	}
	return nil
}

// sealJobs seals the rows of jobs that have no seal, which a release before the seals wrote.
func sealJobs(ctx context.Context, conn *sql.Conn) error {
	update, err := conn.PrepareContext(ctx, `UPDATE job SET seal = ? WHERE id = ?`)
	if err != nil {
		return err
	}
	defer update.Close()
	for after := int64(0); ; {
		seals, last, err := unsealedJobs(ctx, conn, after)
		if err != nil || len(seals) == 0 {
			return err
		}
		for id, sum := range seals {
			if _, err := update.ExecContext(ctx, sum, id); err != nil {
				return err
			}
		}
		after = last
	}
}

// unsealedJobs computes the seals of some jobs that have none, with ids after a given one, and says which is the last.
func unsealedJobs(ctx context.Context, conn *sql.Conn, after int64) (seals map[int64]int64, last int64, err error) {
	rows, err := conn.QueryContext(ctx, `SELECT j.id, j.cluster_id, j.number, j.submitted, j.name, s.hash
		FROM job j JOIN spec s ON s.id = j.spec_id WHERE j.seal IS NULL AND j.id > ? ORDER BY j.id LIMIT 10000`, after)
	if err != nil {
		return nil, 0, err
	}
	defer rows.Close()
	seals = map[int64]int64{}
	for rows.Next() {
		var r jobRow
		var cluster int64
		var spec []byte
		if err := rows.Scan(&last, &cluster, &r.number, &r.submitted, &r.name, &spec); err != nil {
			return nil, 0, err
		}
		seals[last] = r.sealWith(last, cluster, spec)
	}
	return seals, last, rows.Err()
}
