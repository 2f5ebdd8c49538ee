package sqlite

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// The forms of a content.
const (
	plainForm = 0 // the bytes themselves
	linesForm = 1 // toLines of them
)

// ErrDamaged means that the store does not hold what was put into it.
var ErrDamaged = errors.New("the store is damaged")

// A hash is a SHA-256.
type hash = [sha256.Size]byte

// A content is bytes as they are stored: compressed, perhaps with another content's form as dictionary.
type content struct {
	hash hash
	size int // of the bytes
	form int
	base int64 // the content whose form is the dictionary, 0 for none
	data []byte
}

// A codec compresses and decompresses contents. It may be used concurrently.
type codec struct {
	enc *zstd.Encoder
	dec *zstd.Decoder
}

func newCodec() (*codec, error) {
	enc, err := zstd.NewWriter(nil, encoderOptions(maxBlock)...)
	if err != nil {
		return nil, err
	}
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(maxDecoded))
	return &codec{enc, dec}, err
}

// encoderOptions are for at most so many bytes, with those of the dictionary. The contents' hashes make sums
// unnecessary.
func encoderOptions(most int) []zstd.EOption {
	window := 64 << 10
	for window < most {
		window *= 2
	}
	return []zstd.EOption{zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithEncoderConcurrency(2),
		zstd.WithEncoderCRC(false), zstd.WithLowerEncoderMem(true), zstd.WithWindowSize(window)}
}

func (c *codec) close() {
	c.enc.Close()
	c.dec.Close()
}

// A dictionary is the form of a content that others are compressed with.
type dictionary struct {
	id   int64
	size int // in the store, in bytes
	form []byte
}

// maxDecoded bounds what a damaged frame can ask for, in bytes; no content is as large.
const maxDecoded = 1 << 30

const dictionaryID = 1 // Zstandard's number for the only one that a frame has

// encode compresses a form, with a dictionary unless that is nil.
func (c *codec) encode(form []byte, dict *dictionary) ([]byte, error) {
	if dict == nil {
		return c.enc.EncodeAll(form, nil), nil
	}
	options := append(encoderOptions(len(form)+len(dict.form)), zstd.WithEncoderDictRaw(dictionaryID, dict.form))
	enc, err := zstd.NewWriter(nil, options...)
	if err != nil {
		return nil, err
	}
	defer enc.Close()
	return enc.EncodeAll(form, nil), nil
}

// decode is the inverse of encode.
func (c *codec) decode(data []byte, dict *dictionary) ([]byte, error) {
	if dict == nil {
		return c.dec.DecodeAll(data, nil)
	}
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxDecoded),
		zstd.WithDecoderDictRaw(dictionaryID, dict.form))
	if err != nil {
		return nil, err
	}
	defer dec.Close()
	return dec.DecodeAll(data, nil)
}

// linesFrom is the least size of a text for which the lines form pays.
const linesFrom = 4 << 10

// A former chooses forms. Its buffers serve for one block after the other.
type former struct {
	lines, text []byte
}

// formOf chooses the form of a block of a raw file; the form is valid until the next call. A lines form is undone
// before it is trusted: the raw files are what everything else can be derived from again.
func (f *former) formOf(block []byte) (form int, bytesOf []byte) {
	if len(block) < linesFrom {
		return plainForm, block
	}
	var ok bool
	if f.lines, ok = toLines(f.lines[:0], block); !ok {
		return plainForm, block
	}
	var err error
	if f.text, err = fromLines(f.text[:0], f.lines, len(block)); err != nil || !bytes.Equal(f.text, block) {
		return plainForm, block
	}
	return linesForm, f.lines
}

// A storedContent is a row of content.
type storedContent struct {
	id, base   int64 // base is 0 for none
	sum        []byte
	size, form int
	data       []byte
}

const selectContent = `SELECT hash, size, form, coalesce(base_id, 0), data FROM content WHERE id = ?`

func findContent(ctx context.Context, db queryer, id int64) (storedContent, error) {
	c := storedContent{id: id}
	row := db.QueryRowContext(ctx, selectContent, id)
	if err := row.Scan(&c.sum, &c.size, &c.form, &c.base, &c.data); err != nil {
		return c, damagedContent(id, err)
	}
	return c, nil
}

// damagedContent explains why a content cannot be read. What refers to it was stored with it.
func damagedContent(id int64, err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("%w: content %d is lost", ErrDamaged, id)
	}
	return fmt.Errorf("content %d: %w", id, err)
}

// read reads a content's bytes and checks that they are what was stored.
func (c *codec) read(ctx context.Context, db queryer, id int64) ([]byte, error) {
	stored, err := findContent(ctx, db, id)
	if err != nil {
		return nil, err
	}
	if stored.base == 0 {
		return c.open(stored)
	}
	dict, err := c.dictionary(ctx, db, stored.base)
	if err != nil {
		return nil, err
	}
	form, err := c.decode(stored.data, dict)
	if err != nil {
		return nil, fmt.Errorf("%w: content %d: %w", ErrDamaged, id, err)
	}
	return stored.restore(form)
}

// dictionary reads a content as dictionary for others.
func (c *codec) dictionary(ctx context.Context, db queryer, id int64) (*dictionary, error) {
	base, err := findContent(ctx, db, id)
	if err != nil {
		return nil, err
	}
	form, err := c.decode(base.data, nil)
	if err != nil {
		return nil, fmt.Errorf("%w: content %d: %w", ErrDamaged, id, err)
	}
	return &dictionary{id, len(base.data), form}, nil
}

// open makes the bytes of a content without base.
func (c *codec) open(stored storedContent) ([]byte, error) {
	form, err := c.decode(stored.data, nil)
	if err != nil {
		return nil, fmt.Errorf("%w: content %d: %w", ErrDamaged, stored.id, err)
	}
	return stored.restore(form)
}

// restore makes the bytes of their form.
func (s storedContent) restore(form []byte) ([]byte, error) {
	data := form
	if s.form == linesForm {
		if s.size < 0 || s.size > maxDecoded {
			return nil, fmt.Errorf("%w: content %d has a size of %d bytes", ErrDamaged, s.id, s.size)
		}
		var err error
		if data, err = fromLines(make([]byte, 0, s.size), form, s.size); err != nil {
			return nil, fmt.Errorf("%w: content %d: %w", ErrDamaged, s.id, err)
		}
	}
	if sum := sha256.Sum256(data); !bytes.Equal(sum[:], s.sum) {
		return nil, fmt.Errorf("%w: content %d is not what its hash says", ErrDamaged, s.id)
	}
	return data, nil
}

// A queryer reads: a connection, a transaction or the whole pool.
type queryer interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}
