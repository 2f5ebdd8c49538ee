package importer

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Limits of an archive, because it may come from a stranger.
type limits struct {
	files  int   // files and folders
	name   int   // bytes of a full name
	depth  int   // depth of nested folders
	total  int64 // unpacked bytes of all files
	free   int64 // unpacked bytes that any archive may have …
	ratio  int64 // … a larger one may have at most this many times its packed size
	small  int64 // bytes of a file that stays in memory
	memory int64 // bytes of all files that stay in memory
}

// bounds leave room for a million jobs: their qstat.xml and qstat-j.xml have 5 GB. Packed, they have a
// thirtieth of this.
var bounds = limits{
	files:  200_000,
	name:   4096,
	depth:  32,
	total:  16 << 30,
	free:   1 << 30,
	ratio:  200,
	small:  256 << 10,
	memory: 32 << 20,
}

// openArchive opens a file that has a whole bundle.
func openArchive(name string, lim limits) (files, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	t, _, err := readArchive(file, lim)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = fmt.Errorf("the file is cut short: %w", err)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", name, err), file.Close())
	}
	return t, nil
}

// An archive is a packed file on disk.
type archive struct {
	file   *os.File
	size   int64 // packed size
	most   int64 // greatest allowed unpacked size
	unpack func(io.Reader) (io.ReadCloser, error)

	mutex    sync.Mutex
	large    []extent     // files that are not in memory, in their order
	passed   int64        // bytes that were unpacked only to reach a later file
	unpacked atomic.Int64 // all unpacked bytes
	spool    *spool       // has the large files; nil until they are opened often
}

// readArchive finds out what an archive contains.
func readArchive(file *os.File, lim limits) (*tree, *archive, error) {
	a, err := newArchive(file, lim)
	if err != nil {
		return nil, nil, err
	}
	stream, err := a.stream()
	if err != nil {
		return nil, nil, err
	}
	defer stream.Close()
	head := make([]byte, headSize)
	n, err := io.ReadFull(stream, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && err != io.EOF {
		return nil, nil, err
	}
	head = head[:n]
	stream.back = head
	var t *tree
	switch {
	case isTar(head):
		t, err = readTar(stream, lim)
	case baseByContent(head) != "":
		t, err = readSingle(stream, baseByContent(head), filepath.Base(file.Name()))
	case Unread(head) != "":
		return nil, nil, errors.New(Unread(head))
	default:
		return nil, nil, errors.New("not a bundle: neither a tar archive nor what a command of Grid " +
			"Engine or PBS prints (docs/how-to/capture.md lists the files)")
	}
	if err != nil {
		return nil, nil, err
	}
	t.open, t.close = a.section, a.close
	a.large = t.large()
	t.sort()
	return t, a, nil
}

func newArchive(file *os.File, lim limits) (*archive, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	var magic [4]byte
	if _, err := file.ReadAt(magic[:], 0); err != nil && err != io.EOF {
		return nil, err
	}
	a := &archive{file: file, size: info.Size(), unpack: unpacker(magic)}
	a.most = min(lim.total, max(lim.free, lim.ratio*a.size))
	return a, nil
}

// unpacker chooses how to unpack a file, by its first bytes.
func unpacker(magic [4]byte) func(io.Reader) (io.ReadCloser, error) {
	switch {
	case bytes.HasPrefix(magic[:], []byte{0x1f, 0x8b}):
		return func(r io.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) }
	case magic == [4]byte{0x28, 0xb5, 0x2f, 0xfd}:
		return func(r io.Reader) (io.ReadCloser, error) {
			z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20))
			if err != nil {
				return nil, err
			}
			return z.IOReadCloser(), nil
		}
	}
	return nil
}

// stream returns the whole archive, unpacked, from its start.
func (a *archive) stream() (*stream, error) {
	packed := io.NewSectionReader(a.file, 0, a.size)
	if a.unpack == nil {
		return &stream{r: io.NopCloser(packed), most: a.most, unpacked: &a.unpacked}, nil
	}
	r, err := a.unpack(packed)
	if err != nil {
		return nil, err
	}
	return &stream{r: r, most: a.most, unpacked: &a.unpacked}, nil
}

// section returns a part of the unpacked archive: a large file. To find it, it unpacks all earlier parts. When
// this has cost as much as the whole archive, it unpacks once more, and puts all large files into a spool.
func (a *archive) section(offset, size int64) (io.ReadCloser, error) {
	if a.unpack == nil {
		return io.NopCloser(io.NewSectionReader(a.file, offset, size)), nil
	}
	a.mutex.Lock()
	defer a.mutex.Unlock()
	last := a.large[len(a.large)-1]
	if a.spool == nil && a.passed+offset > last.offset+last.size {
		if err := a.makeSpool(); err != nil {
			return nil, err
		}
	}
	if a.spool != nil {
		return a.spool.open(offset), nil
	}
	a.passed += offset
	return a.unpackTo(offset, size)
}

// unpackTo unpacks the archive from its start up to a part of it.
func (a *archive) unpackTo(offset, size int64) (io.ReadCloser, error) {
	s, err := a.stream()
	if err != nil {
		return nil, err
	}
	if _, err := io.CopyN(io.Discard, s, offset); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return struct {
		io.Reader
		io.Closer
	}{io.LimitReader(s, size), s}, nil
}

func (a *archive) makeSpool() error {
	s, err := a.stream()
	if err != nil {
		return err
	}
	a.spool, err = newSpool(s, a.large)
	return errors.Join(err, s.Close())
}

// close closes the archive and its spool.
func (a *archive) close() error {
	err := a.file.Close()
	if a.spool != nil {
		err = errors.Join(err, a.spool.file.Close())
	}
	return err
}

// A stream is an unpacked archive with its position. If it has too many bytes, it ends with an error.
type stream struct {
	r    io.ReadCloser
	back []byte // bytes to read again
	at   int64  // bytes read so far, without those to read again
	most int64

	unpacked *atomic.Int64 // counts the bytes of all streams
}

func (s *stream) Read(p []byte) (int, error) {
	if len(s.back) > 0 {
		n := copy(p, s.back)
		s.back = s.back[n:]
		return n, nil
	}
	n, err := s.r.Read(p)
	s.at += int64(n)
	s.unpacked.Add(int64(n))
	if s.at > s.most {
		return 0, fmt.Errorf("unpacks to more than %d bytes, too much for its size", s.most)
	}
	return n, err
}

func (s *stream) Close() error { return s.r.Close() }

// place is the position of the next byte that Read returns.
func (s *stream) place() int64 { return s.at - int64(len(s.back)) }

// readSingle makes a bundle of a single file. The file gets its usual name in bundles; people see its own name.
func readSingle(s *stream, name, own string) (*tree, error) {
	size, err := io.Copy(io.Discard, s)
	if err != nil {
		return nil, err
	}
	t := newTree()
	t.single = own
	return t, t.add(name, &node{size: size})
}

const blockSize = 512 // of a tar archive

// isTar reports whether a block is the header of a tar archive: whether its checksum is right.
func isTar(block []byte) bool {
	if len(block) < blockSize {
		return false
	}
	block = block[:blockSize]
	const from, to = 148, 156 // place of the checksum, which counts as blanks
	want, err := strconv.ParseInt(strings.Trim(string(block[from:to]), " \x00"), 8, 64)
	if err != nil {
		return false
	}
	sum := int64((to - from) * ' ')
	for i, c := range block {
		if i < from || i >= to {
			sum += int64(c)
		}
	}
	return sum == want
}

// readTar reads a whole archive. It keeps the names and places of the files, and the content of small ones.
func readTar(s *stream, lim limits) (*tree, error) {
	t := newTree()
	end := &tail{r: s}
	r := tar.NewReader(end)
	for {
		h, err := r.Next()
		if err == io.EOF {
			return t, end.check()
		}
		if err != nil {
			return nil, err
		}
		if h.Typeflag == tar.TypeXGlobalHeader {
			continue
		}
		if err := t.addEntry(h, r, s.place(), &lim); err != nil {
			return nil, err
		}
		if len(t.nodes) > lim.files {
			return nil, fmt.Errorf("more than %d files", lim.files)
		}
	}
}

// addEntry adds the file or folder that a tar header describes. Its content starts at offset.
func (t *tree) addEntry(h *tar.Header, content io.Reader, offset int64, lim *limits) error {
	name, err := entryName(h.Name, lim)
	if err != nil {
		return fmt.Errorf("%s: %w", shorten(h.Name), err)
	}
	n := &node{changed: h.ModTime}
	switch h.Typeflag {
	case tar.TypeDir:
		n.dir = true
		if name == "." {
			return nil
		}
		return t.add(name, n)
	case tar.TypeReg:
	default:
		return refused(h.Name, kind(h.Typeflag))
	}
	for key := range h.PAXRecords {
		if strings.HasPrefix(key, "GNU.sparse.") {
			return refused(h.Name, "a sparse file")
		}
	}
	n.size, n.offset = h.Size, offset
	if n.size <= lim.small && n.size <= lim.memory {
		lim.memory -= n.size
		n.data = make([]byte, n.size)
		if _, err := io.ReadFull(content, n.data); err != nil {
			return fmt.Errorf("%s: %w", shorten(h.Name), err)
		}
	}
	return t.add(name, n)
}

func refused(name, what string) error {
	return fmt.Errorf("%s: %s; a bundle holds only files and folders", shorten(name), what)
}

// kind names an entry of an archive that is neither a file nor a folder.
func kind(flag byte) string {
	switch flag {
	case tar.TypeLink:
		return "a hard link"
	case tar.TypeSymlink:
		return "a symbolic link"
	case tar.TypeChar, tar.TypeBlock:
		return "a device"
	case tar.TypeFifo:
		return "a pipe"
	case tar.TypeGNUSparse:
		return "a sparse file"
	}
	return fmt.Sprintf("an entry of type %q", flag)
}

// entryName returns the name in a tree for a raw name in an archive.
func entryName(raw string, lim *limits) (string, error) {
	switch {
	case len(raw) > lim.name:
		return "", errors.New("name too long")
	case strings.HasPrefix(raw, "/"):
		return "", errors.New("an absolute path leads out of the bundle")
	case strings.Contains(raw, "\x00"):
		return "", errors.New("a name cannot hold a zero byte")
	}
	var elements []string
	for e := range strings.SplitSeq(raw, "/") {
		switch e {
		case "", ".":
		case "..":
			return "", errors.New(`".." leads out of the bundle`)
		default:
			elements = append(elements, e)
		}
	}
	if len(elements) > lim.depth {
		return "", fmt.Errorf("more than %d folders inside each other", lim.depth)
	}
	if len(elements) == 0 {
		return ".", nil
	}
	return escapeName(strings.Join(elements, "/")), nil
}

// A tail keeps the last bytes read. It distinguishes a complete tar archive from one that was cut off between
// two files.
type tail struct {
	r    io.Reader
	last [blockSize]byte
}

func (t *tail) Read(p []byte) (int, error) {
	n, err := t.r.Read(p)
	if got := p[:n]; n >= blockSize {
		copy(t.last[:], got[n-blockSize:])
	} else {
		copy(t.last[:], t.last[n:])
		copy(t.last[blockSize-n:], got)
	}
	return n, err
}

// check reports whether the archive ended correctly: with zeros, and nothing after them.
func (t *tail) check() error {
	if t.last != [blockSize]byte{} {
		return fmt.Errorf("the archive is cut off: %w", io.ErrUnexpectedEOF)
	}
	_, err := io.Copy(onlyZeros{}, t.r)
	return err
}

// onlyZeros refuses any other byte.
type onlyZeros struct{}

func (onlyZeros) Write(p []byte) (int, error) {
	if len(bytes.Trim(p, "\x00")) > 0 {
		return 0, errors.New("more data after the end of the archive")
	}
	return len(p), nil
}
