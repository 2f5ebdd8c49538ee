package sqlite

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// ErrDamaged means that the store's content differs from what was stored.
var ErrDamaged = errors.New("the store is damaged")

// A hash identifies a block: the first half of the SHA-256 of its bytes.
type hash string

func hashOf(data []byte) hash {
	sum := sha256.Sum256(data)
	return hash(sum[:16])
}

// A codec compresses and decompresses blocks. It may be used concurrently.
type codec struct {
	enc *zstd.Encoder
	dec *zstd.Decoder
}

func newCodec() (*codec, error) {
	enc, err := zstd.NewWriter(nil, encoderOptions(zstd.SpeedDefault, blockSize)...)
	if err != nil {
		return nil, err
	}
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(maxDecoded))
	return &codec{enc, dec}, err
}

// encoderOptions choose a window for data of at most most bytes, including its dictionary. Hashes make
// checksums unnecessary.
func encoderOptions(level zstd.EncoderLevel, most int) []zstd.EOption {
	window := 64 << 10
	for window < most {
		window *= 2
	}
	return []zstd.EOption{zstd.WithEncoderLevel(level), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false),
		zstd.WithLowerEncoderMem(true), zstd.WithWindowSize(window)}
}

func (c *codec) close() {
	c.enc.Close()
	c.dec.Close()
}

// maxDecoded bounds what a damaged frame can ask for, in bytes. No block is as large.
const maxDecoded = 1 << 30

const dictionaryID = 1 // Zstandard's number for the only one that a frame has

// largeBlock is the least size in bytes for which a better compression pays.
const largeBlock = 256 << 10

// encode compresses bytes, with others as dictionary unless these are nil.
func (c *codec) encode(data, dict []byte) ([]byte, error) {
	if dict == nil {
		return c.enc.EncodeAll(data, nil), nil
	}
	level := zstd.SpeedFastest // whose tables are small, too
	if len(data) > largeBlock {
		level = zstd.SpeedBetterCompression
	}
	options := encoderOptions(level, len(data)+len(dict))
	enc, err := zstd.NewWriter(nil, append(options, zstd.WithEncoderDictRaw(dictionaryID, dict))...)
	if err != nil {
		return nil, err
	}
	defer enc.Close()
	return enc.EncodeAll(data, nil), nil
}

// decode is the inverse of encode.
func (c *codec) decode(data, dict []byte) ([]byte, error) {
	if dict == nil {
		return c.dec.DecodeAll(data, nil)
	}
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxDecoded),
		zstd.WithDecoderDictRaw(dictionaryID, dict))
	if err != nil {
		return nil, err
	}
	defer dec.Close()
	return dec.DecodeAll(data, nil)
}

// A queryer reads: a connection, a transaction or the whole pool.
type queryer interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// A loader reads blocks within a transaction.
type loader struct {
	ctx   context.Context
	db    queryer
	codec *codec
	last  *dictionary // the one that was read last: often the next block has it, too
}

func newLoader(ctx context.Context, db queryer, codec *codec) loader {
	return loader{ctx, db, codec, &dictionary{}}
}

// block reads a block, and checks that it is what was stored.
func (l loader) block(h hash) ([]byte, error) {
	var data, dict []byte
	var base int64
	row := l.db.QueryRowContext(l.ctx, `SELECT data, coalesce(base, 0) FROM block WHERE hash = ?`, []byte(h))
	err := row.Scan(&data, &base)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("%w: block %x is lost", ErrDamaged, h)
	}
	if err == nil && base != 0 {
		dict, err = l.base(base)
	}
	if err != nil {
		return nil, fmt.Errorf("block %x: %w", h, err)
	}
	if data, err = l.codec.decode(data, dict); err != nil {
		return nil, fmt.Errorf("%w: block %x: %w", ErrDamaged, h, err)
	}
	if hashOf(data) != h {
		return nil, fmt.Errorf("%w: block %x is not what its hash says", ErrDamaged, h)
	}
	return data, nil
}

// base reads a block that is a dictionary.
func (l loader) base(id int64) ([]byte, error) {
	if l.last.id == id {
		return l.last.data, nil
	}
	var data []byte
	err := l.db.QueryRowContext(l.ctx, `SELECT data FROM block WHERE id = ?`, id).Scan(&data)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("%w: its dictionary is lost", ErrDamaged)
	}
	if err != nil {
		return nil, err
	}
	if data, err = l.codec.decode(data, nil); err != nil {
		return nil, fmt.Errorf("%w: its dictionary: %w", ErrDamaged, err)
	}
	l.last.id, l.last.data = id, data
	return data, nil
}

// A dictionary is a block that others are compressed with.
type dictionary struct {
	id   int64
	data []byte
}

// dictionary reads the dictionary of blocks that are like another one, and the most bytes for which it is still worth
// it: what the base and the blocks compressed with it take on average. Blocks drift away from their base until a new
// base is cheaper. It returns nil where there is none, or a damaged one.
func (w *writer) dictionary(like hash) (dict *dictionary, most int, err error) {
	find, err1 := w.statement(`SELECT base.id, base.data FROM block b JOIN block base ON base.id = coalesce(b.base, b.id)
		WHERE b.hash = ?`)
	add, err2 := w.statement(`SELECT coalesce(sum(length(data)), 0), count(*) FROM block WHERE base = ?`)
	if err := errors.Join(err1, err2); err != nil {
		return nil, 0, err
	}
	dict = &dictionary{}
	var stored []byte
	if err := find.QueryRow([]byte(like)).Scan(&dict.id, &stored); errors.Is(err, sql.ErrNoRows) {
		return nil, 0, nil
	} else if err != nil {
		return nil, 0, err
	}
	if dict.data, err = w.codec.decode(stored, nil); err != nil || len(dict.data) == 0 {
		return nil, 0, nil //nolint:nilerr // blocks are stored whole instead
	}
	var sum, count int
	err = add.QueryRow(dict.id).Scan(&sum, &count)
	return dict, (sum + len(stored)) / (count + 1), err
}

// deltaFrom is the least size in bytes for which a dictionary pays.
const deltaFrom = 200

// block stores bytes, unless they are stored. It compresses them with a block that is like them, while that pays.
func (w *writer) block(data []byte, like hash) (hash, error) {
	h := hashOf(data)
	if id, err := w.find(`SELECT id FROM block WHERE hash = ?`, []byte(h)); err != nil || id != 0 {
		return h, err
	}
	stored, base, err := w.delta(data, like)
	if err == nil && base == 0 {
		stored, err = w.codec.encode(data, nil)
	}
	if err != nil {
		return h, err
	}
	w.bytes += int64(len(stored))
	return h, w.insert(`INSERT INTO block (hash, base, data) VALUES (?, nullif(?, 0), ?)`, []byte(h), base, stored)
}

// delta compresses bytes with the dictionary of a block that is like them; base is 0 where that does not pay.
func (w *writer) delta(data []byte, like hash) (delta []byte, base int64, err error) {
	if like == "" || len(data) < deltaFrom {
		return nil, 0, nil
	}
	dict, most, err := w.dictionary(like)
	if err != nil || dict == nil {
		return nil, 0, err
	}
	delta, err = w.codec.encode(data, dict.data)
	if len(delta) > most {
		return nil, 0, err
	}
	return delta, dict.id, err
}
