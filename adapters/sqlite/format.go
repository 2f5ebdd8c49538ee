package sqlite

import (
	"context"
	_ "embed"
	"fmt"
	"runtime/debug"
)

//go:embed schema.sql
var schema string

// Format is the number of this release's store format: PRAGMA user_version of the file. A change of schema.sql,
// or of the format in doc.go, needs a new number.
func Format() int { return 9 }

// applicationID marks the file as a store ("qprs").
const applicationID = 0x71707273

// A FormatError means that another release wrote the store in another format.
type FormatError struct {
	Format  int    // of the store; 0 for an empty file
	Release string // release that made the store; empty if unknown
}

func (e *FormatError) Error() string {
	if e.Format == 0 {
		return "the file is empty; an import makes a store of it"
	}
	by := "another release of this program"
	if e.Release != "" {
		by = "release " + e.Release
	}
	return fmt.Sprintf("written by %s: its format is %d, and this release reads format %d only; "+
		"use that release, or another store", by, e.Format, Format())
}

// create makes a store in an empty file.
func (s *Store) create(ctx context.Context) error {
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	empty, err := s.checkFormat(ctx, conn)
	if err != nil || !empty {
		return err
	}
	// These settings must come before the first table. Readers then do not wait for a writer, and deleted
	// snapshots free their space.
	for _, pragma := range []string{"PRAGMA page_size = 8192", "PRAGMA auto_vacuum = INCREMENTAL",
		"PRAGMA journal_mode = WAL"} {
		if err := s.retry(ctx, func() error { return run(ctx, conn, pragma) }); err != nil {
			return err
		}
	}
	return s.transaction(ctx, toWrite, func(t *tx) {
		empty, err := s.checkFormat(ctx, t.db)
		if t.fail(err); !empty { // another process has just created the store
			return
		}
		t.exec(schema)
		t.exec(`INSERT INTO about (key, value) VALUES ('release', ?)`, thisRelease())
		t.exec(fmt.Sprintf("PRAGMA user_version = %d; PRAGMA application_id = %d", Format(), applicationID))
	})
}

// checkFormat refuses a file that is not a store of this format. empty reports an empty file.
func (s *Store) checkFormat(ctx context.Context, conn queryer) (empty bool, err error) {
	var format, application, tables int
	err = s.retry(ctx, func() error {
		return conn.QueryRowContext(ctx, `SELECT (SELECT user_version FROM pragma_user_version),
			(SELECT application_id FROM pragma_application_id), (SELECT count(*) FROM sqlite_schema)`).
			Scan(&format, &application, &tables)
	})
	switch {
	case err != nil:
		return false, err
	case application == 0 && format == 0 && tables == 0:
		return true, nil
	case application != applicationID:
		return false, fmt.Errorf("%w: an SQLite database of another program", errNotStore)
	case format != Format():
		other := &FormatError{Format: format}
		row := conn.QueryRowContext(ctx, `SELECT value FROM about WHERE key = 'release'`)
		if err := row.Scan(&other.Release); err != nil {
			other.Release = "" // another format may have another table here
		}
		return false, other
	}
	return false, nil
}

// thisRelease returns the version of the running program.
func thisRelease() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "unknown"
}
