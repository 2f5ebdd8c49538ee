package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/mattn/go-sqlite3"
)

// OpenToRead opens an existing store and does not write to it. The caller needs only the right to read the
// file. If the file is empty and writable, it becomes a store.
func OpenToRead(path string, options ...Option) (*Store, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("store %s: %w", path, err)
	}
	s, err := connectToRead(path, options)
	if err != nil {
		return nil, err
	}
	err = s.readable()
	if gone := errors.Is(err, errGone); gone {
		s.Close()
		if s, err = connectToRead(path, options); err != nil {
			return nil, err
		}
		err = s.readable()
	}
	if err == nil {
		return s, nil
	}
	s.Close()
	var other *FormatError
	if errors.As(err, &other) && other.Format == 0 && writable(path) {
		return Open(path, options...)
	}
	return nil, fmt.Errorf("store %s: %w", path, err)
}

// connectToRead connects to a store as its file's permissions allow.
//
// Readers of a write-ahead log write into a file beside it (-shm) which part of the log they read. If these two
// files do not exist, SQLite makes them. If a user without the right to write to the store made them, its owner
// could no longer write. So only users who may write connect like writers, and query_only then forbids them to
// write. Other users read an existing log, and do not write into the -shm file. If there is no log, nobody uses
// the store, and SQLite reads the file as one that does not change.
func connectToRead(path string, options []Option) (*Store, error) {
	const nothing = "PRAGMA query_only = ON"
	switch {
	case writable(path):
		return connect(path, "", options, nothing)
	case isThere(path + "-wal"):
		return connect(path, "mode=ro", options, nothing)
	}
	frozen, err := freeze(path)
	if err != nil {
		return nil, fmt.Errorf("store %s: %w", path, err)
	}
	s, err := connect(path, "mode=ro&immutable=1", options, nothing)
	if err == nil {
		s.frozen = frozen
	}
	return s, err
}

// errGone means that the log ended between the check for it and its use.
var errGone = errors.New("the store's log is gone")

// readable returns an error unless the store has the format of this release.
func (s *Store) readable() error {
	ctx := context.Background()
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return explain(s.path, err)
	}
	defer conn.Close()
	empty, err := s.checkFormat(ctx, conn)
	var e sqlite3.Error
	switch {
	case empty:
		return &FormatError{}
	case errors.As(err, &e) && (e.Code == sqlite3.ErrReadonly || e.Code == sqlite3.ErrCantOpen):
		if s.frozen == nil && !isThere(s.path+"-wal") {
			return errGone
		}
		if _, denied := freeze(s.path); denied != nil {
			return denied
		}
	}
	return explain(s.path, err)
}

// writable reports whether this user may write to a file.
func writable(path string) bool {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return false
	}
	return f.Close() == nil
}

func isThere(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// A frozen is the state of a file when it was opened as a file that nobody changes.
type frozen struct {
	path string
	size int64
	at   time.Time
}

// freeze notes the state of a file that this user may only read.
func freeze(path string) (*frozen, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return &frozen{path, info.Size(), info.ModTime()}, nil
}

// errChanged means that the data may come from two states of the store.
var errChanged = errors.New("somebody wrote to it while it was read; try again")

// check returns an error if the file has changed since.
func (f *frozen) check() error {
	if f == nil {
		return nil
	}
	now, err := freeze(f.path)
	if err == nil && *now != *f {
		err = errChanged
	}
	return err
}
