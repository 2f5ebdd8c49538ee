package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/mattn/go-sqlite3"
)

// A Store is an open store of snapshots. Goroutines and processes may use it at the same time: one imports,
// others read.
type Store struct {
	path    string
	db      *sql.DB
	codec   *codec
	catalog *catalog
	frozen  *frozen // nil unless the store is a file that nobody changes
	waiting func()
	said    sync.Once // calls waiting once
}

// An Option of a store.
type Option func(*Store)

// Waiting sets a function that the store calls once, if another process has locked the store for a second.
func Waiting(say func()) Option { return func(s *Store) { s.waiting = say } }

// errNotStore means that a file is not a store: no SQLite database, or a database of another program.
var errNotStore = errors.New("not a store of this program")

// ErrNoSnapshot means that the store does not hold that snapshot.
var ErrNoSnapshot = errors.New("no such snapshot")

// Open opens the store in a file. If the file does not exist, Open creates it for its owner only. For a store
// of another format the error is a *FormatError, for another file errNotStore, for a damaged store ErrDamaged.
func Open(path string, options ...Option) (*Store, error) {
	if err := makePrivate(path); err != nil {
		return nil, fmt.Errorf("store %s: %w", path, err)
	}
	s, err := connect(path, "", options)
	if err != nil {
		return nil, err
	}
	if err := s.create(context.Background()); err != nil {
		s.Close()
		return nil, fmt.Errorf("store %s: %w", path, explain(path, err))
	}
	return s, nil
}

// connect opens a file as a store in an SQLite mode. Each connection gets the further settings.
func connect(path, mode string, options []Option, pragmas ...string) (*Store, error) {
	codec, err := newCodec()
	if err != nil {
		return nil, err
	}
	connector, err := newConnector(path, mode, pragmas)
	if err != nil {
		codec.close()
		return nil, fmt.Errorf("store %s: %w", path, err)
	}
	s := &Store{path: path, db: sql.OpenDB(connector), codec: codec, catalog: catalogOf(path)}
	for _, o := range options {
		o(s)
	}
	s.db.SetMaxIdleConns(4)
	return s, nil
}

// Close closes the store.
func (s *Store) Close() error {
	s.codec.close()
	return s.db.Close()
}

// settings hold for every connection. A finished import is safe on the disk (synchronous).
var settings = []string{
	"PRAGMA busy_timeout = 1000", // milliseconds; see retry
	"PRAGMA foreign_keys = ON",
	"PRAGMA synchronous = FULL",
	"PRAGMA cache_size = -16000",
	"PRAGMA journal_size_limit = 67108864",
	"PRAGMA trusted_schema = OFF",
}

// A connector opens connections to one file.
type connector struct {
	driver *sqlite3.SQLiteDriver
	dsn    string
}

func newConnector(path, mode string, pragmas []string) (connector, error) {
	full, err := filepath.Abs(path)
	if err != nil {
		return connector{}, err
	}
	hook := func(c *sqlite3.SQLiteConn) error {
		for _, list := range [][]string{settings, pragmas} {
			for _, p := range list {
				if _, err := c.Exec(p, nil); err != nil {
					return err
				}
			}
		}
		return nil
	}
	dsn := url.URL{Scheme: "file", Path: full, RawQuery: mode}
	return connector{&sqlite3.SQLiteDriver{ConnectHook: hook}, dsn.String()}, nil
}

func (c connector) Connect(context.Context) (driver.Conn, error) { return c.driver.Open(c.dsn) }
func (c connector) Driver() driver.Driver                        { return c.driver }

// A damagedError says what to do with a damaged store.
type damagedError struct{ err error }

func (e *damagedError) Unwrap() error { return e.err }
func (e *damagedError) Error() string {
	return e.err.Error() + "; \"qprism db check\" lists all damage, and \"qprism db check --remove\" deletes what is damaged"
}

// explain describes an SQLite error about a file that cannot be read or written.
func explain(path string, err error) error {
	var told *damagedError
	if errors.Is(err, ErrDamaged) && !errors.As(err, &told) {
		return &damagedError{err}
	}
	if info, missing := os.Stat(path); missing == nil && info.IsDir() {
		return fmt.Errorf("%w: it is a folder, and a store is one file", errNotStore)
	}
	var e sqlite3.Error
	if !errors.As(err, &e) {
		return err
	}
	switch e.Code {
	case sqlite3.ErrNotADB:
		return fmt.Errorf("%w: the file is no SQLite database", errNotStore)
	case sqlite3.ErrCorrupt:
		return &damagedError{fmt.Errorf("%w: %w", ErrDamaged, err)}
	case sqlite3.ErrCantOpen, sqlite3.ErrReadonly:
		dir := filepath.Dir(path)
		if _, missing := os.Stat(dir); errors.Is(missing, fs.ErrNotExist) {
			return fmt.Errorf("folder %s does not exist: %w", dir, fs.ErrNotExist)
		}
		return fmt.Errorf("%w: the file and its folder must be writable", err)
	}
	return err
}

const (
	toWrite = "BEGIN IMMEDIATE"
	toRead  = "BEGIN"
)

// A tx is a transaction. It sees one state of the store all the time. Its first error undoes its changes. After
// an error it reads and writes nothing, and its methods return zero values.
type tx struct {
	*Store
	ctx   context.Context
	db    queryer
	err   error
	bases [16]dictionary // the last ones; the next block often has one of them
}

// A queryer runs statements. It is a connection, or the whole pool.
type queryer interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// fail notes an error, if it is the first.
func (t *tx) fail(err error) { t.err = cmp.Or(t.err, err) }

// exec runs a statement.
func (t *tx) exec(statement string, args ...any) {
	if t.err == nil {
		_, t.err = t.db.ExecContext(t.ctx, statement, args...)
	}
}

// one finds a row. It returns a function that reads the columns, and that is false if there is no row.
func (t *tx) one(query string, args ...any) (columns func(into ...any) bool) {
	return func(into ...any) bool {
		if t.err != nil {
			return false
		}
		err := t.db.QueryRowContext(t.ctx, query, args...).Scan(into...)
		if !errors.Is(err, sql.ErrNoRows) {
			t.fail(err)
		}
		return err == nil
	}
}

// each finds rows. do gets a function that reads the columns.
func (t *tx) each(do func(columns func(into ...any)), query string, args ...any) {
	if t.err != nil {
		return
	}
	rows, err := t.db.QueryContext(t.ctx, query, args...)
	if err != nil {
		t.fail(err)
		return
	}
	defer rows.Close()
	for t.err == nil && rows.Next() {
		do(func(into ...any) { t.fail(rows.Scan(into...)) })
	}
	t.fail(rows.Err())
}

// transaction runs steps in one transaction.
func (s *Store) transaction(ctx context.Context, begin string, steps func(*tx)) error {
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := s.retry(ctx, func() error { return run(ctx, conn, begin) }); err != nil {
		return explain(s.path, err)
	}
	t := &tx{Store: s, ctx: ctx, db: conn}
	steps(t)
	t.fail(ctx.Err())
	if changed := s.frozen.check(); changed != nil {
		t.err = changed // replaces any other error
	}
	end := "COMMIT"
	if t.err != nil {
		end = "ROLLBACK"
	}
	ended := run(context.WithoutCancel(ctx), conn, end)
	if ended != nil {
		discard(conn)
	}
	t.fail(ended)
	return explain(s.path, t.err)
}

// named adds the store and the action to an error. An empty action is left out.
func (s *Store) named(err error, what string, args ...any) error {
	if err == nil || what == "" {
		return err
	}
	return fmt.Errorf("store %s: %s: %w", s.path, fmt.Sprintf(what, args...), err)
}

func run(ctx context.Context, conn *sql.Conn, statement string) error {
	_, err := conn.ExecContext(ctx, statement)
	return err
}

// longestWait is how long qprism waits for a store that another process has locked.
const longestWait = 30 * time.Second

// retry repeats an action while another process has locked the store. SQLite waits too (busy_timeout), but this
// wait cannot be interrupted.
func (s *Store) retry(ctx context.Context, do func() error) error {
	for start := time.Now(); ; {
		err := do()
		var e sqlite3.Error
		switch {
		case !errors.As(err, &e) || e.Code != sqlite3.ErrBusy:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case time.Since(start) > longestWait:
			return fmt.Errorf("another process has been writing for %v: %w", longestWait, err)
		case s.waiting != nil:
			s.said.Do(s.waiting)
		}
	}
}

// discard closes a connection that may still have an open transaction.
func discard(conn *sql.Conn) {
	conn.Raw(func(any) error { return driver.ErrBadConn })
}
