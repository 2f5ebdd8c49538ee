package importer

import (
	"errors"
	"io"
	"os"

	"github.com/klauspost/compress/s2"
)

// A spool keeps the large files of a packed archive in a file without a name that ends with the program. Each
// is lightly packed. Without a spool, the archive would be unpacked again and again.
type spool struct {
	file  *os.File
	parts map[int64]extent // by offset in the unpacked archive
}

// An extent is a part of a file.
type extent struct{ offset, size int64 }

// spoolBlock is the number of bytes that are compressed together. A reader allocates two blocks when it
// starts. The usual megabyte would need more memory than a file of 100 KB.
const spoolBlock = 64 << 10

// newSpool copies parts of an unpacked archive in one pass. The parts are in their order.
func newSpool(from io.Reader, parts []extent) (s *spool, err error) {
	file, err := os.CreateTemp("", "qprism-")
	if err != nil {
		return nil, err
	}
	s = &spool{file: file, parts: make(map[int64]extent, len(parts))}
	if err := errors.Join(os.Remove(file.Name()), s.fill(from, parts)); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return s, nil
}

func (s *spool) fill(from io.Reader, parts []extent) error {
	packer := s2.NewWriter(nil, s2.WriterConcurrency(1), s2.WriterBlockSize(spoolBlock))
	var at, end int64
	for _, p := range parts {
		if _, err := io.CopyN(io.Discard, from, p.offset-at); err != nil {
			return err
		}
		to := &counter{w: s.file}
		packer.Reset(to)
		if _, err := io.CopyN(packer, from, p.size); err != nil {
			return err
		}
		if err := packer.Close(); err != nil {
			return err
		}
		s.parts[p.offset] = extent{end, to.n}
		at, end = p.offset+p.size, end+to.n
	}
	return nil
}

// open opens the part that began at an offset of the archive.
func (s *spool) open(offset int64) io.ReadCloser {
	p := s.parts[offset]
	return io.NopCloser(s2.NewReader(io.NewSectionReader(s.file, p.offset, p.size), s2.ReaderMaxBlockSize(spoolBlock)))
}

// A counter counts the written bytes.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}
