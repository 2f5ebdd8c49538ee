package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"runtime/debug"
	"time"
)

// The schema of version n is what the first n migrations make; PRAGMA user_version is n. A migration is never changed
// after a release, but followed by another.
//
//go:embed schema/*.sql
var schema embed.FS

// applicationID marks the file as a store ("qprs").
const applicationID = 0x71707273

// A NewerError means that a newer release of the program wrote the store.
type NewerError struct {
	Version   int    // of the store's schema
	Supported int    // the newest schema that this release knows
	Release   string // that wrote the store; empty where it does not say
}

func (e *NewerError) Error() string {
	by := "a newer release of this program"
	if e.Release != "" {
		by = "release " + e.Release
	}
	return fmt.Sprintf("written by %s: its schema is version %d, and this release reads up to version %d; "+
		"use that release or a newer one, or another store", by, e.Version, e.Supported)
}

// An OlderError means that an older release wrote the store, and that this user cannot bring it up to date.
type OlderError struct{ Version, Newest int }

func (e *OlderError) Error() string {
	if e.Version == 0 {
		return "the file is empty; an import makes a store of it"
	}
	return fmt.Sprintf("written by an older release: its schema is version %d, and this release reads version %d; "+
		"the first command of somebody who may write to it brings it up to date", e.Version, e.Newest)
}

// Format is the version of the schema that this release writes.
func Format() int {
	list, _ := migrations() // of files that are part of the program
	return len(list)
}

// migrations are the files of the schema, in their order.
func migrations() ([]string, error) { return fs.Glob(schema, "schema/*.sql") }

// migrate brings the store to the newest schema, one transaction a version.
func (s *Store) migrate(ctx context.Context) error {
	migrations, err := migrations()
	if err != nil {
		return err
	}
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	version, err := s.checkVersion(ctx, conn, len(migrations))
	if err != nil || version == len(migrations) {
		return err
	}
	if version == 0 {
		if err := s.prepareFile(ctx, conn); err != nil {
			return err
		}
	}
	for range migrations[version:] {
		if err := s.migrateOnce(ctx, conn, migrations); err != nil {
			return err
		}
	}
	return nil
}

// checkVersion reads the version of a store's schema, 0 for an empty file, and refuses what is no store of a known
// version.
func (s *Store) checkVersion(ctx context.Context, conn *sql.Conn, newest int) (version int, err error) {
	var application, tables int
	err = s.retry(ctx, func() error {
		return conn.QueryRowContext(ctx, `SELECT (SELECT user_version FROM pragma_user_version),
			(SELECT application_id FROM pragma_application_id), (SELECT count(*) FROM sqlite_schema)`).
			Scan(&version, &application, &tables)
	})
	switch {
	case err != nil:
		return 0, err
	case application != applicationID && (application != 0 || version != 0 || tables > 0):
		return 0, fmt.Errorf("%w: an SQLite database of another program", ErrNotStore)
	case version > newest:
		newer := &NewerError{Version: version, Supported: newest}
		row := conn.QueryRowContext(ctx, `SELECT release FROM migration ORDER BY version DESC LIMIT 1`)
		if err := row.Scan(&newer.Release); err != nil {
			newer.Release = "" // the table is another one by then
		}
		return 0, newer
	}
	return version, nil
}

// prepareFile sets what holds for the whole file and must be set before its first table: readers do not wait for a
// writer (WAL), and deleted snapshots can give their space back.
func (s *Store) prepareFile(ctx context.Context, conn *sql.Conn) error {
	for _, pragma := range []string{"PRAGMA page_size = 8192", "PRAGMA auto_vacuum = INCREMENTAL",
		"PRAGMA journal_mode = WAL"} {
		if err := s.retry(ctx, func() error { return run(ctx, conn, pragma) }); err != nil {
			return err
		}
	}
	return nil
}

// migrateOnce applies the next migration, unless another process just did.
func (s *Store) migrateOnce(ctx context.Context, conn *sql.Conn, migrations []string) (err error) {
	if err := s.retry(ctx, func() error { return run(ctx, conn, toWrite) }); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			run(context.WithoutCancel(ctx), conn, "ROLLBACK")
		}
	}()
	version, err := s.checkVersion(ctx, conn, len(migrations))
	if err != nil {
		return err
	}
	if version < len(migrations) {
		if err := migrateSealed(ctx, conn, func() error { return apply(ctx, conn, migrations[version], version+1) }); err != nil {
			return fmt.Errorf("%s: %w", migrations[version], err)
		}
	}
	return run(ctx, conn, "COMMIT")
}

func apply(ctx context.Context, conn *sql.Conn, name string, version int) error {
	statements, err := schema.ReadFile(name)
	if err != nil {
		return err
	}
	if err := run(ctx, conn, string(statements)); err != nil {
		return err
	}
	if _, err := conn.ExecContext(ctx, `INSERT INTO migration (version, applied_at, release) VALUES (?, ?, ?)`,
		version, time.Now().UnixMicro(), thisRelease()); err != nil {
		return err
	}
	return run(ctx, conn, fmt.Sprintf("PRAGMA user_version = %d; PRAGMA application_id = %d", version, applicationID))
}

// thisRelease is the version that the program was built from.
func thisRelease() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "unknown"
}
