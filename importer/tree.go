package importer

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"time"
)

// A tree is the file system of an archive. It is read once and does not change.
type tree struct {
	nodes map[string]*node // by full name; "." is the top
	open  func(offset, size int64) (io.ReadCloser, error)
	close func() error

	single string // name of its only file on disk; empty for an archive
}

// Own returns the name by which the user knows a file.
func (t *tree) Own(name string) string { return cmp.Or(t.single, name) }

// A node is a file or folder of a tree.
type node struct {
	name     string
	dir      bool
	changed  time.Time
	children []*node // of a folder; sorted by name when the tree is complete
	size     int64
	data     []byte // the content of a small file
	offset   int64  // start of the content of any other file in the unpacked archive
}

func newTree() *tree {
	return &tree{nodes: map[string]*node{".": {name: ".", dir: true}}}
}

// add adds a file or folder to the tree, with its parent folders.
func (t *tree) add(name string, n *node) error {
	n.name = path.Base(name)
	if have := t.nodes[name]; have != nil {
		if have.dir && n.dir {
			have.changed = n.changed
			return nil
		}
		return fmt.Errorf("%s occurs twice", shorten(name))
	}
	parent, err := t.folder(path.Dir(name))
	if err != nil {
		return err
	}
	t.nodes[name] = n
	parent.children = append(parent.children, n)
	return nil
}

// folder returns the folder with a name. If it does not exist, folder makes it.
func (t *tree) folder(name string) (*node, error) {
	if t.nodes[name] == nil {
		if err := t.add(name, &node{dir: true}); err != nil {
			return nil, err
		}
	}
	if n := t.nodes[name]; n.dir {
		return n, nil
	}
	return nil, fmt.Errorf("%s is a file and a folder", shorten(name))
}

// sort sorts the children of every folder, after all were added.
func (t *tree) sort() {
	for _, n := range t.nodes {
		slices.SortFunc(n.children, func(a, b *node) int { return cmp.Compare(a.name, b.name) })
	}
}

// large lists the files whose content is not in memory, in the order of the archive.
func (t *tree) large() (list []extent) {
	for _, n := range t.nodes {
		if !n.dir && int64(len(n.data)) != n.size {
			list = append(list, extent{n.offset, n.size})
		}
	}
	slices.SortFunc(list, func(a, b extent) int { return cmp.Compare(a.offset, b.offset) })
	return list
}

// Open opens a file or folder.
func (t *tree) Open(name string) (fs.File, error) {
	n := t.nodes[name]
	if n == nil || !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	switch {
	case n.dir:
		return &openDir{node: n}, nil
	case int64(len(n.data)) == n.size:
		return &openFile{n, io.NopCloser(bytes.NewReader(n.data))}, nil
	}
	r, err := t.open(n.offset, n.size)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return &openFile{n, r}, nil
}

// Close closes the tree. Files that are still open can no longer be read.
func (t *tree) Close() error { return t.close() }

// A node is its own fs.FileInfo.

func (n *node) Name() string       { return n.name }
func (n *node) Size() int64        { return n.size }
func (n *node) ModTime() time.Time { return n.changed }
func (n *node) IsDir() bool        { return n.dir }
func (n *node) Sys() any           { return nil }

func (n *node) Mode() fs.FileMode {
	if n.dir {
		return fs.ModeDir | 0o555
	}
	return 0o444
}

// An openFile is a file of a tree while it is read.
type openFile struct {
	node *node
	io.ReadCloser
}

func (f *openFile) Stat() (fs.FileInfo, error) { return f.node, nil }

// An openDir is a folder of a tree while it is listed.
type openDir struct {
	node   *node
	listed int
}

func (d *openDir) Stat() (fs.FileInfo, error) { return d.node, nil }
func (d *openDir) Close() error               { return nil }

func (d *openDir) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.node.name, Err: fmt.Errorf("a folder")}
}

func (d *openDir) ReadDir(n int) ([]fs.DirEntry, error) {
	rest := d.node.children[d.listed:]
	if n > 0 {
		if len(rest) == 0 {
			return nil, io.EOF
		}
		rest = rest[:min(n, len(rest))]
	}
	d.listed += len(rest)
	entries := make([]fs.DirEntry, len(rest))
	for i, child := range rest {
		entries[i] = fs.FileInfoToDirEntry(child)
	}
	return entries, nil
}

// InMemory makes a bundle of files in memory, by their names on disk.
func InMemory(files map[string][]byte) (fs.FS, error) {
	t := newTree()
	for name, data := range files {
		if err := t.add(escapeName(name), &node{size: int64(len(data)), data: data, changed: time.Unix(0, 0)}); err != nil {
			return nil, err
		}
	}
	t.sort()
	return t, nil
}
