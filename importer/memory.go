package importer

import (
	"io/fs"
	"time"
)

// InMemory is a bundle of files in memory, by their names as they would be on disk.
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
