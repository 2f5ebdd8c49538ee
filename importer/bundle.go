package importer

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
)

// Open opens a bundle: a folder, an archive (.tar, .tar.gz, .tar.zst), or a single file as a bundle of its own.
// A single file may be compressed. Open looks at the content, not at the name.
//
// A path may continue inside an archive: "recording.tar.gz/run3/after". Open skips a single folder around the
// bundle. If there are several bundles, the error lists them. The closer closes all open files.
//
// Small files of an archive stay in memory. Each time a large file is opened, it is unpacked. When unpacking
// has cost as much as the whole archive, all large files are copied to a temporary file (spool).
func Open(path string) (fs.FS, io.Closer, error) {
	outer, inner, err := splitPath(path)
	if err != nil {
		return nil, nil, err
	}
	files, err := openFiles(outer)
	if err != nil {
		return nil, nil, err
	}
	bundle, err := locate(files, outer, inner)
	if err != nil {
		return nil, nil, errors.Join(err, files.Close())
	}
	return bundle, files, nil
}

// files are the files at a path. The caller must close them.
type files interface {
	fs.FS
	io.Closer
}

func openFiles(outer string) (files, error) {
	info, err := os.Stat(outer)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return openFolder(outer)
	case info.Mode().IsRegular():
		return openArchive(outer, bounds)
	}
	return nil, fmt.Errorf("%s: neither a folder nor a file", outer)
}

// splitPath splits a path into a part on disk and a part inside an archive.
func splitPath(whole string) (outer, inner string, err error) {
	outer = filepath.Clean(whole)
	for {
		info, err := os.Stat(outer)
		if err == nil && (inner == "" || info.Mode().IsRegular()) {
			return outer, inner, nil
		}
		parent, last := filepath.Split(outer)
		parent = filepath.Clean(parent)
		missing := errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
		switch {
		case err == nil || missing && parent == outer:
			return "", "", fmt.Errorf("%w; without a cluster: qprism examples",
				&fs.PathError{Op: "open", Path: whole, Err: fs.ErrNotExist})
		case !missing:
			return "", "", err
		}
		outer, inner = parent, path.Join(escapeName(last), inner)
	}
}

// locate finds the bundle at a path among files.
func locate(all fs.FS, outer, inner string) (fs.FS, error) {
	place, err := enter(all, outer, inner)
	if err != nil {
		return nil, err
	}
	place = descend(all, place)
	if isBundle(all, place) {
		return fs.Sub(all, place)
	}
	switch found := bundlesIn(all, place); len(found) {
	case 0:
		if list, err := fs.ReadDir(all, place); err == nil && len(list) == 0 {
			return nil, fmt.Errorf("%s holds no file at all", path.Join(outer, inner))
		}
		return fs.Sub(all, place) // the reader of the bundle will say which file is missing
	case 1:
		return fs.Sub(all, found[0])
	default:
		return nil, severalBundles(outer, found)
	}
}

// enter returns the folder that the inner part of a path names. The inner part may begin at the top or inside
// the single top folder.
func enter(all fs.FS, outer, inner string) (string, error) {
	if inner == "" {
		return ".", nil
	}
	for _, place := range []string{inner, path.Join(descend(all, "."), inner)} {
		if info, err := fs.Stat(all, place); err == nil && info.IsDir() {
			return place, nil
		}
	}
	return "", fmt.Errorf("%s: no folder %s inside", outer, shorten(inner))
}

// marks are files that show that a folder is a bundle: of Grid Engine, of PBS, of Torque, or a pbs_snapshot.
var marks = append([]string{"MANIFEST", "qstat.xml"}, pbsMarks...)

func isBundle(all fs.FS, place string) bool {
	for _, mark := range marks {
		if info, err := fs.Stat(all, path.Join(place, mark)); err == nil && !info.IsDir() {
			return true
		}
	}
	return false
}

const (
	deepest    = 16     // depth of nested folders
	mostLooked = 100000 // files to look at in a search for bundles
	mostListed = 10     // bundles to list in an error
)

// descend enters a folder as long as the folder has only one subfolder and nothing else.
func descend(all fs.FS, place string) string {
	for range deepest {
		entries, err := fs.ReadDir(all, place)
		if err != nil || len(entries) != 1 || !entries[0].IsDir() {
			break
		}
		place = path.Join(place, entries[0].Name())
	}
	return place
}

// bundlesIn lists the folders below a path that are bundles. It stops after one more than an error can list.
func bundlesIn(all fs.FS, place string) (found []string) {
	looked := 0
	// Skip a folder that cannot be read. This is only a search; the bundle is opened later.
	_ = fs.WalkDir(all, place, func(name string, entry fs.DirEntry, err error) error {
		looked++
		switch {
		case err != nil:
			return fs.SkipDir
		case looked > mostLooked || len(found) > mostListed:
			return fs.SkipAll
		case !entry.IsDir():
			return nil
		case isBundle(all, name):
			found = append(found, name)
			return fs.SkipDir
		case strings.Count(name, "/") >= deepest:
			return fs.SkipDir
		}
		return nil
	})
	return found
}

// severalBundles returns the error for a path with more than one bundle.
func severalBundles(outer string, found []string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s holds several bundles; name one of them:", outer)
	for _, place := range found[:min(len(found), mostListed)] {
		fmt.Fprintf(&b, "\n  %s", printable(filepath.Join(outer, filepath.FromSlash(RawName(place)))))
	}
	if len(found) > mostListed {
		b.WriteString("\n  …")
	}
	return errors.New(b.String())
}

// printable returns a path that is safe for a terminal. It is quoted if it has more than plain text.
func printable(path string) string {
	if q := fmt.Sprintf("%q", path); q != `"`+path+`"` {
		return q
	}
	return path
}

// Within finds the bundle at a path among opened files, as Open does inside an archive. Errors call these files
// by name.
func Within(all fs.FS, name, place string) (fs.FS, error) { return locate(all, name, place) }
