package sqlite

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Readers says who may read a store apart from its owner. A store has whole bundles, so by default only the
// owner may read it.
type Readers string

const (
	OnlyOwner    Readers = ""
	GroupReaders Readers = "group" // the members of the file's group
	AllReaders   Readers = "all"
)

// modes returns the permissions of a store's files and of its folder. New files in a folder of the group belong
// to the group, too.
func (r Readers) modes() (file, folder fs.FileMode) {
	switch r {
	case GroupReaders:
		return 0o640, 0o750 | fs.ModeSetgid
	case AllReaders:
		return 0o644, 0o755
	}
	return 0o600, 0o700
}

// makePrivate makes an empty file for a store that does not exist. SQLite gives the same permissions to the
// files beside it.
func makePrivate(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil //nolint:nilerr // the file exists, or else SQLite reports the cause
	}
	return f.Close()
}

// Share lets other users read the store, and its folder if given. group is a group id; -1 keeps the group of
// the file.
func (s *Store) Share(ctx context.Context, readers Readers, group int, folder string) error {
	err := s.transaction(ctx, toWrite, func(t *tx) {
		if readers == OnlyOwner {
			t.exec(`DELETE FROM about WHERE key = 'readers'`)
			return
		}
		t.exec(`INSERT INTO about (key, value) VALUES ('readers', ?)
			ON CONFLICT DO UPDATE SET value = excluded.value`, string(readers))
	})
	if err != nil {
		return fmt.Errorf("store %s: %w", s.path, err)
	}
	file, dir := readers.modes()
	for _, path := range append(s.files(), folder) {
		mode := file
		if path == folder {
			mode = dir
		}
		if err := give(path, mode, group); err != nil {
			return fmt.Errorf("store %s: %w", s.path, err)
		}
	}
	return nil
}

// give sets the group and permissions of a file, if it exists.
func give(path string, mode fs.FileMode, group int) error {
	if path == "" || !isThere(path) {
		return nil
	}
	if group >= 0 {
		if err := os.Chown(path, -1, group); err != nil {
			return err
		}
	}
	return os.Chmod(path, mode)
}

// files lists the names of the store's files, also of files that do not exist.
func (s *Store) files() []string { return []string{s.path, s.path + "-wal", s.path + "-shm"} }

// Readers returns the readers that Share has set.
func (s *Store) Readers(ctx context.Context) (r Readers, err error) {
	err = s.transaction(ctx, toRead, func(t *tx) { t.one(`SELECT value FROM about WHERE key = 'readers'`)(&r) })
	return r, err
}

// Secure takes the right to read the store's files, and its folder if given, from everyone whom Share did not
// allow. Earlier releases made these files readable for all. Secure returns the files that it changed. Only the
// owner can change a file, so files of others stay readable.
func (s *Store) Secure(ctx context.Context, folder string) (closed []string, err error) {
	readers, err := s.Readers(ctx)
	if err != nil {
		return nil, fmt.Errorf("store %s: %w", s.path, err)
	}
	file, dir := readers.modes()
	for _, path := range append(s.files(), folder) {
		most := file
		if path == folder {
			most = dir
		}
		info, err := os.Stat(path)
		if err != nil || path == "" || !own(info) || info.Mode().Perm()&^most.Perm() == 0 {
			continue
		}
		if err := os.Chmod(path, info.Mode()&fs.ModeSetgid|info.Mode().Perm()&most.Perm()); err != nil {
			return closed, fmt.Errorf("store %s: %w", s.path, err)
		}
		closed = append(closed, filepath.Base(path))
	}
	return closed, nil
}

// own reports whether this user owns a file.
func own(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
