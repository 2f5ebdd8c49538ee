package importer

import (
	"fmt"
	"io/fs"
	"os"
)

// A folder is a bundle's files on disk. Nothing outside can be reached, not even through a symbolic link.
type folder struct{ root *os.Root }

func openFolder(path string) (*folder, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return &folder{root}, nil
}

func (f *folder) Close() error { return f.root.Close() }

// Open opens a file or folder. Devices, pipes and sockets are refused before they can block.
func (f *folder) Open(name string) (fs.File, error) {
	raw := RawName(name)
	if !fs.ValidPath(name) || escapeName(raw) != name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	info, err := f.root.Stat(raw)
	if err != nil {
		return nil, named(err, name)
	}
	if !info.IsDir() && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: name,
			Err: fmt.Errorf("neither a file nor a folder: %v", info.Mode().Type())}
	}
	file, err := f.root.Open(raw)
	if err != nil {
		return nil, named(err, name)
	}
	return &folderFile{file, name}, nil
}

// named puts the name that the caller used into an error of the file system.
func named(err error, name string) error {
	if e, ok := err.(*fs.PathError); ok {
		return &fs.PathError{Op: e.Op, Path: name, Err: e.Err}
	}
	return err
}

// A folderFile is an open file or folder whose names are escaped.
type folderFile struct {
	*os.File
	name string
}

func (f *folderFile) Stat() (fs.FileInfo, error) {
	info, err := f.File.Stat()
	if err != nil {
		return nil, err
	}
	return escapedInfo{info}, nil
}

func (f *folderFile) ReadDir(n int) ([]fs.DirEntry, error) {
	entries, err := f.File.ReadDir(n)
	for i, e := range entries {
		entries[i] = escapedEntry{e}
	}
	return entries, err
}

type escapedEntry struct{ fs.DirEntry }

func (e escapedEntry) Name() string { return escapeName(e.DirEntry.Name()) }

func (e escapedEntry) Info() (fs.FileInfo, error) {
	info, err := e.DirEntry.Info()
	if err != nil {
		return nil, err
	}
	return escapedInfo{info}, nil
}

type escapedInfo struct{ fs.FileInfo }

func (i escapedInfo) Name() string { return escapeName(i.FileInfo.Name()) }
