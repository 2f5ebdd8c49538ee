package importer

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"qprism/importer/listing"
)

// A Renamed is a bundle in which some files have new names.
type Renamed struct {
	bundle  fs.FS
	names   map[string]string // the bundle's names, by new name
	hidden  map[string]bool   // the bundle's names that are no longer valid
	folders map[string]bool   // folders that only new names have
	tables  map[string]*listing.Table
	left    map[string][]listing.Line
}

// Rename gives files new names: names has the old names by the new ones. tables are tables for people; their
// files are read in the form for programs. left are lines that belong to no listing.
func Rename(bundle fs.FS, names map[string]string, tables map[string]*listing.Table,
	left map[string][]listing.Line) *Renamed {
	r := &Renamed{bundle: bundle, names: names, hidden: map[string]bool{}, folders: map[string]bool{},
		tables: tables, left: left}
	for name, own := range names {
		if _, again := names[own]; !again {
			r.hidden[own] = true
		}
		if folder := path.Dir(name); folder != "." {
			r.folders[folder] = true
		}
	}
	return r
}

// Own returns the file's name in the original bundle.
func (r *Renamed) Own(name string) string {
	if own, is := r.names[name]; is {
		return own
	}
	return name
}

// DisplayName returns the name by which the user knows a file. (A single file gets a name by its content.)
func (r *Renamed) DisplayName(name string) string {
	name = r.Own(name)
	if single, is := r.bundle.(interface{ Own(string) string }); is {
		return single.Own(name)
	}
	return name
}

// Left returns the lines that belong to no listing, by the names of the files in the original bundle.
func (r *Renamed) Left() map[string][]listing.Line { return r.left }

// IsTable reports whether a file is a table for people.
func (r *Renamed) IsTable(name string) bool { return r.tables[name] != nil }

func (r *Renamed) missing(op, name string) error {
	return &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
}

// Open opens a file or a folder by its new name.
func (r *Renamed) Open(name string) (fs.File, error) {
	if r.hidden[name] {
		return nil, r.missing("open", name)
	}
	f, err := r.bundle.Open(r.Own(name))
	if err != nil || r.tables[name] == nil {
		return f, err
	}
	defer f.Close()
	return openTable(f, name, r.tables[name])
}

// largestTable limits a table for people, because it is in memory while it is read.
const largestTable = 256 << 20

// openTable opens a table for people in its form for programs.
func openTable(f fs.File, name string, table *listing.Table) (fs.File, error) {
	text, err := io.ReadAll(io.LimitReader(f, largestTable+1))
	if err == nil && len(text) > largestTable {
		err = fmt.Errorf("a table for people of more than %d MiB", largestTable>>20)
	}
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: name, Err: err}
	}
	text = table.Put(text)
	return &openFile{&node{name: path.Base(name), size: int64(len(text))}, io.NopCloser(bytes.NewReader(text))}, nil
}

// Stat describes a file or folder.
func (r *Renamed) Stat(name string) (fs.FileInfo, error) {
	if r.hidden[name] {
		return nil, r.missing("stat", name)
	}
	info, err := fs.Stat(r.bundle, r.Own(name))
	switch {
	case err == nil:
		return renamedInfo{info, path.Base(name)}, nil
	case r.folders[name]:
		return newFolder(name), nil
	}
	return nil, err
}

// ReadDir lists a folder by the new names of its files.
func (r *Renamed) ReadDir(name string) ([]fs.DirEntry, error) {
	own, err := fs.ReadDir(r.bundle, name)
	if err != nil && !r.folders[name] {
		return nil, err
	}
	list := slices.DeleteFunc(own, func(e fs.DirEntry) bool {
		full := path.Join(name, e.Name())
		_, renamed := r.names[full]
		return r.hidden[full] || renamed
	})
	have := map[string]bool{}
	for _, e := range list {
		have[e.Name()] = true
	}
	for full := range r.names {
		if path.Dir(full) == name {
			if info, err := r.Stat(full); err == nil {
				list = append(list, fs.FileInfoToDirEntry(info))
			}
		}
	}
	for folder := range r.folders {
		if path.Dir(folder) == name && !have[path.Base(folder)] {
			list = append(list, fs.FileInfoToDirEntry(newFolder(folder)))
		}
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, nil
}

// A renamedInfo describes a file under another name.
type renamedInfo struct {
	fs.FileInfo
	name string
}

func (i renamedInfo) Name() string { return i.name }

func newFolder(name string) fs.FileInfo {
	return &node{name: path.Base(name), dir: true, changed: time.Time{}}
}
