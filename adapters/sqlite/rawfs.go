package sqlite

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"reflect"
	"slices"
	"time"
)

// Raw is a snapshot's bundle, file by file as it was imported, so that a later release with a better parser can read it
// again. Empty folders are not kept. The files are read from the store when they are read; ctx ends that, too.
func (s *Store) Raw(ctx context.Context, id int64) (fs.FS, error) {
	b := &bundleFS{ctx: ctx, store: s, entries: map[string]*entry{}}
	err := s.inTransaction(ctx, toRead, func(conn *sql.Conn) error {
		info, err := s.info(ctx, conn, id)
		if err != nil {
			return err
		}
		b.time = info.TakenAt
		l := loader{ctx: ctx, db: conn, codec: s.codec, snapshot: id}
		if b.blocks, err = l.blocks(); err != nil {
			return err
		}
		files, err := l.files()
		if err != nil {
			return err
		}
		b.addAll(files)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("store %s: bundle of snapshot %d: %w", s.path, id, err)
	}
	return b, nil
}

// files reads the names and sizes of a bundle's files, in their order.
func (l loader) files() (files []rawFile, err error) {
	parts, err := l.parts(fileNoun)
	if err != nil {
		return nil, err
	}
	return files, joinParts(parts, reflect.ValueOf(&files).Elem())
}

// A storedBlock is a block of a bundle and its place.
type storedBlock struct {
	first int64 // byte
	id    int64
}

func (l loader) blocks() ([]storedBlock, error) {
	rows, err := l.db.QueryContext(l.ctx, `SELECT first, content_id FROM part WHERE snapshot_id = ? AND noun = ?
		ORDER BY first`, l.snapshot, rawNoun)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var blocks []storedBlock
	for rows.Next() {
		var b storedBlock
		if err := rows.Scan(&b.first, &b.id); err != nil {
			return nil, err
		}
		blocks = append(blocks, b)
	}
	return blocks, rows.Err()
}

// A bundleFS is a stored bundle.
type bundleFS struct {
	ctx     context.Context
	store   *Store
	time    time.Time
	blocks  []storedBlock
	entries map[string]*entry
}

// An entry is a file or folder of a stored bundle. It is its own fs.FileInfo and fs.DirEntry.
type entry struct {
	name     string
	size     int64
	time     time.Time
	first    int64    // where the bundle's run of bytes has the file
	folder   bool     //
	children []*entry // sorted by name
}

func (e *entry) Name() string               { return e.name }
func (e *entry) Size() int64                { return e.size }
func (e *entry) ModTime() time.Time         { return e.time }
func (e *entry) IsDir() bool                { return e.folder }
func (e *entry) Sys() any                   { return nil }
func (e *entry) Type() fs.FileMode          { return e.Mode().Type() }
func (e *entry) Info() (fs.FileInfo, error) { return e, nil }
func (e *entry) String() string             { return fs.FormatDirEntry(e) }

func (e *entry) Mode() fs.FileMode {
	if e.folder {
		return fs.ModeDir | 0o555
	}
	return 0o444
}

// addAll adds the files, which follow each other in the run of bytes, and their folders.
func (b *bundleFS) addAll(files []rawFile) {
	b.folder(".")
	first := int64(0)
	for _, f := range files {
		e := &entry{name: path.Base(f.Path), size: f.Size, time: b.time, first: first}
		first += f.Size
		b.entries[f.Path] = e
		parent := b.folder(path.Dir(f.Path))
		parent.children = append(parent.children, e)
	}
	for _, e := range b.entries {
		slices.SortFunc(e.children, func(a, b *entry) int { return cmp.Compare(a.name, b.name) })
	}
}

// folder returns a folder, which it makes along with those around it.
func (b *bundleFS) folder(name string) *entry {
	if e, ok := b.entries[name]; ok {
		return e
	}
	e := &entry{name: path.Base(name), time: b.time, folder: true}
	b.entries[name] = e
	if name != "." {
		parent := b.folder(path.Dir(name))
		parent.children = append(parent.children, e)
	}
	return e
}

// Open opens a file or folder.
func (b *bundleFS) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	e, ok := b.entries[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	if e.folder {
		return &openFolder{entry: e, path: name}, nil
	}
	return &openFile{bundle: b, entry: e, path: name}, nil
}

// An openFolder is a folder being listed.
type openFolder struct {
	*entry
	path string
	next int
}

func (f *openFolder) Stat() (fs.FileInfo, error) { return f.entry, nil }
func (f *openFolder) Close() error               { return nil }
func (f *openFolder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: f.path, Err: errors.New("is a folder")}
}

func (f *openFolder) ReadDir(n int) ([]fs.DirEntry, error) {
	left := f.children[f.next:]
	if n > 0 {
		if len(left) == 0 {
			return nil, io.EOF
		}
		left = left[:min(n, len(left))]
	}
	f.next += len(left)
	list := make([]fs.DirEntry, len(left))
	for i, e := range left {
		list[i] = e
	}
	return list, nil
}

// An openFile is a file being read.
type openFile struct {
	bundle *bundleFS
	entry  *entry
	path   string
	done   int64         // bytes that were read
	block  *bytes.Reader // what is left of the block that holds the next byte
}

func (f *openFile) Stat() (fs.FileInfo, error) { return f.entry, nil }
func (f *openFile) Close() error               { f.block = nil; return nil }

func (f *openFile) Read(p []byte) (int, error) {
	left := f.entry.size - f.done
	if left == 0 {
		return 0, io.EOF
	}
	if len(p) == 0 {
		return 0, nil
	}
	if f.block == nil || f.block.Len() == 0 {
		if err := f.load(); err != nil {
			return 0, &fs.PathError{Op: "read", Path: f.path, Err: err}
		}
	}
	n, err := f.block.Read(p[:min(int64(len(p)), left)])
	f.done += int64(n)
	return n, err
}

// load reads the block that holds the next byte.
func (f *openFile) load() error {
	b, place := f.bundle, f.entry.first+f.done
	i, found := slices.BinarySearchFunc(b.blocks, place, func(s storedBlock, at int64) int {
		return cmp.Compare(s.first, at)
	})
	if !found {
		i--
	}
	if i < 0 {
		return fmt.Errorf("%w: no block at byte %d", ErrDamaged, place)
	}
	data, err := b.store.codec.read(b.ctx, b.store.db, b.blocks[i].id)
	if err != nil {
		return explain(b.store.path, err)
	}
	skip := place - b.blocks[i].first
	if skip >= int64(len(data)) {
		return fmt.Errorf("%w: no block at byte %d", ErrDamaged, place)
	}
	f.block = bytes.NewReader(data[skip:])
	return nil
}
