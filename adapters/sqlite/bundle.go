package sqlite

import (
	"archive/zip"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	gohash "hash"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
)

// A bundle is stored as a zip archive without compression, cut into blocks. A large file begins a block. So do
// the small files of one folder together: a thousand host configurations are one block, not a thousand. Blocks
// have a fixed size. So a file that grows shares its earlier blocks with the previous bundle. Every other block
// is compressed with the block that was at the same place.

// Sizes in bytes.
const (
	smallFile = 64 << 10
	blockSize = 2 << 20
)

// bundlePrefix begins the noun of each block of a bundle. The name of the file or folder follows.
const bundlePrefix = "bundle:"

// A bundleWriter writes an archive as blocks.
type bundleWriter struct {
	w     *writer
	noun  string
	index int64 // of the next block of the noun
	buf   []byte
	sum   gohash.Hash
}

// bundle stores all regular files of a bundle. It returns the hash of names and contents, and the size of the
// contents.
func (w *writer) bundle(bundle fs.FS) (h hash, size int64) {
	b := &bundleWriter{w: w, sum: sha256.New()}
	if err := b.files(bundle, &size); err != nil {
		w.err = fmt.Errorf("the bundle: %w", err)
	}
	return hash(b.sum.Sum(nil)[:16]), size
}

// files writes the files of a bundle, and adds up their sizes.
func (b *bundleWriter) files(bundle fs.FS, size *int64) error {
	runs, err := listFiles(bundle)
	if err != nil {
		return err
	}
	if len(runs) == 0 {
		return errors.New("the bundle holds no file")
	}
	archive := zip.NewWriter(b)
	for _, run := range runs {
		name := run[0]
		if len(run) > 1 {
			name = path.Dir(name) + "/"
		}
		if err := errors.Join(archive.Flush(), b.begin(name)); err != nil {
			return err
		}
		for _, file := range run {
			n, err := addFile(archive, bundle, file)
			if err != nil {
				return err
			}
			*size += n
		}
	}
	return errors.Join(archive.Flush(), b.begin(""), archive.Close(), b.flush())
}

// addFile adds one file to an archive.
func addFile(archive *zip.Writer, bundle fs.FS, name string) (int64, error) {
	to, err := archive.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
	if err != nil {
		return 0, err
	}
	from, err := bundle.Open(name)
	if err != nil {
		return 0, err
	}
	defer from.Close()
	n, err := io.Copy(to, from)
	if err != nil {
		return n, fmt.Errorf("%s: %w", name, err)
	}
	return n, nil
}

// listFiles lists the regular files of a bundle in runs: a large file, or the small files of one folder.
func listFiles(bundle fs.FS) (runs [][]string, err error) {
	type file struct {
		path, folder string
		large        bool
	}
	var files []file
	err = fs.WalkDir(bundle, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		if strings.Contains(name, `\`) {
			return fmt.Errorf("%q: a name with a backslash", name) // an archive would read a backslash as a slash
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		files = append(files, file{name, path.Dir(name), info.Size() > smallFile})
		return nil
	})
	slices.SortFunc(files, func(a, b file) int {
		return cmp.Or(cmp.Compare(a.folder, b.folder), cmp.Compare(boolNumber(a.large), boolNumber(b.large)),
			cmp.Compare(a.path, b.path))
	})
	for i, f := range files {
		if i > 0 && !f.large && files[i-1].folder == f.folder {
			last := len(runs) - 1
			runs[last] = append(runs[last], f.path)
		} else {
			runs = append(runs, []string{f.path})
		}
	}
	return runs, err
}

// begin begins a block.
func (b *bundleWriter) begin(name string) error {
	err := b.flush()
	b.noun, b.index = bundlePrefix+name, 0
	return err
}

// Write writes the archive.
func (b *bundleWriter) Write(p []byte) (int, error) {
	written := len(p)
	b.sum.Write(p)
	for len(p) > 0 {
		n := min(blockSize-len(b.buf), len(p))
		b.buf, p = append(b.buf, p[:n]...), p[n:]
		if len(b.buf) == blockSize {
			if err := b.flush(); err != nil {
				return 0, err
			}
		}
	}
	return written, nil
}

// flush ends a block.
func (b *bundleWriter) flush() error {
	if len(b.buf) == 0 {
		return nil
	}
	if err := b.w.ctx.Err(); err != nil {
		return err
	}
	h := b.w.block(b.buf, b.w.like(b.noun, b.index))
	b.w.parts = append(b.w.parts, part{b.noun, b.index, int64(len(b.buf)), h})
	b.index++
	b.buf = b.buf[:0]
	return b.w.err
}

// Raw returns the bundle of a snapshot, file by file as imported. A later release with a better parser can read
// it again. The bundle has no empty folders and no file times. Raw reads files from the store on demand, until
// ctx ends.
func (s *Store) Raw(ctx context.Context, id int64) (files fs.FS, err error) {
	err = s.transaction(ctx, toRead, func(t *tx) {
		b := newBundleReader(t, t.parts(t.info(id).parts))
		if t.err != nil {
			return
		}
		archive, err := zip.NewReader(b, b.size)
		if err != nil && !errors.Is(err, ErrDamaged) {
			err = fmt.Errorf("%w: %w", ErrDamaged, err)
		}
		if t.fail(err); err == nil {
			b.db, files = s.db, archive // switch to these
		}
	})
	return files, s.named(err, "bundle of snapshot %d", id)
}

// A bundleReader reads an archive from its blocks.
type bundleReader struct {
	*tx
	blocks []part // their keys are their places in bytes
	size   int64

	mu   sync.Mutex
	last hash // the last block read
	data []byte
}

func newBundleReader(t *tx, parts []part) *bundleReader {
	b := &bundleReader{tx: t}
	for _, p := range parts {
		if strings.HasPrefix(p.Noun, bundlePrefix) {
			b.blocks = append(b.blocks, part{Key: b.size, Size: p.Size, Hash: p.Hash})
			b.size += p.Size
		}
	}
	return b
}

// ReadAt reads bytes of the archive.
func (b *bundleReader) ReadAt(p []byte, at int64) (n int, err error) {
	for n < len(p) {
		if at >= b.size {
			return n, io.EOF
		}
		data, err := b.from(at)
		if err != nil {
			return n, explain(b.path, err)
		}
		copied := copy(p[n:], data)
		n, at = n+copied, at+int64(copied)
	}
	return n, nil
}

// from returns the block that has a byte, from this byte on.
func (b *bundleReader) from(at int64) ([]byte, error) {
	i, found := slices.BinarySearchFunc(b.blocks, at, func(p part, at int64) int { return cmp.Compare(p.Key, at) })
	if !found {
		i--
	}
	block := b.blocks[i]
	b.mu.Lock()
	defer b.mu.Unlock()
	if block.Hash != b.last {
		data, err := b.readBlock(block.Hash)
		if err != nil {
			return nil, err
		}
		b.last, b.data = block.Hash, data
	}
	skip := at - block.Key
	if skip >= int64(len(b.data)) {
		return nil, fmt.Errorf("%w: no block at byte %d", ErrDamaged, at)
	}
	return b.data[skip:], nil
}
