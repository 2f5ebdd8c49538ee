package sqlite

import (
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

// encoderOptions chooses a window for data of at most most bytes, including its dictionary. Checksums are
// unnecessary because of the hashes.
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

// maxDecoded limits the bytes that a damaged frame can ask for. No block is as large.
const maxDecoded = 1 << 30

const dictionaryID = 1 // Zstandard's number of the dictionary; a frame has only one

// encode compresses bytes. dict is the dictionary, nil for none.
func (c *codec) encode(data, dict []byte) ([]byte, error) {
	if dict == nil {
		return c.enc.EncodeAll(data, nil), nil
	}
	options := encoderOptions(zstd.SpeedFastest, len(data)+len(dict)) // its tables are small, and made for each dictionary
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

// block reads a block, and checks that it is equal to the stored one.
func (t *tx) block(h hash) []byte {
	if t.err != nil {
		return nil
	}
	data, err := t.readBlock(h)
	t.fail(err)
	return data
}

func (t *tx) readBlock(h hash) ([]byte, error) {
	b, err := t.fetch(h)
	if err != nil {
		return nil, err
	}
	return t.codec.open(b)
}

// A sealedBlock is a block as it is stored, and its dictionary.
type sealedBlock struct {
	hash       hash
	data, dict []byte
}

// fetch reads a block, but does not decompress it.
func (t *tx) fetch(h hash) (b sealedBlock, err error) {
	b.hash = h
	var base int64
	row := t.db.QueryRowContext(t.ctx, `SELECT data, coalesce(base, 0) FROM block WHERE hash = ?`, []byte(h))
	err = row.Scan(&b.data, &base)
	if errors.Is(err, sql.ErrNoRows) {
		return b, fmt.Errorf("%w: block %x is lost", ErrDamaged, h)
	}
	if err == nil && base != 0 {
		b.dict, err = t.base(base)
	}
	if err != nil {
		return b, fmt.Errorf("block %x: %w", h, err)
	}
	return b, nil
}

// open decompresses a block, and checks that it is equal to the stored one.
func (c *codec) open(b sealedBlock) ([]byte, error) {
	data, err := c.decode(b.data, b.dict)
	if err != nil {
		return nil, fmt.Errorf("%w: block %x: %w", ErrDamaged, b.hash, err)
	}
	if hashOf(data) != b.hash {
		return nil, fmt.Errorf("%w: block %x is not what its hash says", ErrDamaged, b.hash)
	}
	return data, nil
}

// base reads a block that serves as a dictionary.
func (t *tx) base(id int64) ([]byte, error) {
	for _, d := range t.bases {
		if d.id == id {
			return d.data, nil
		}
	}
	var data []byte
	err := t.db.QueryRowContext(t.ctx, `SELECT data FROM block WHERE id = ?`, id).Scan(&data)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("%w: its dictionary is lost", ErrDamaged)
	}
	if err != nil {
		return nil, err
	}
	if data, err = t.codec.decode(data, nil); err != nil {
		return nil, fmt.Errorf("%w: its dictionary: %w", ErrDamaged, err)
	}
	copy(t.bases[1:], t.bases[:])
	t.bases[0] = dictionary{id, data}
	return data, nil
}

// A dictionary is a block with which other blocks are compressed.
type dictionary struct {
	id   int64
	data []byte
}

// mostOfBase is the greatest number of blocks that one base compresses. Each new block of a base adds up the sizes of the
// others: without a bound, the import of a snapshot into a store of a year takes several times as long.
const mostOfBase = 256

// dictionary reads the dictionary of blocks that are like another one. most is the average size of the base and
// of the blocks compressed with it. A result with more bytes than that is not worth it. Blocks become less and
// less like their base, until a new base is smaller. dict is nil if there is none, if it cannot be decompressed, or if
// mostOfBase blocks use it.
func (w *writer) dictionary(like hash) (dict *dictionary, most int) {
	dict = &dictionary{}
	var stored []byte
	if !w.one(`SELECT base.id, base.data FROM block b JOIN block base ON base.id = coalesce(b.base, b.id)
		WHERE b.hash = ?`, []byte(like))(&dict.id, &stored) {
		return nil, 0
	}
	var sum, count int
	w.one(`SELECT coalesce(sum(size), 0), count(*) FROM (SELECT length(data) AS size FROM block WHERE base = ? LIMIT ?)`, dict.id,
		mostOfBase)(&sum, &count)
	if count == mostOfBase {
		return nil, 0
	}
	var err error
	if dict.data, err = w.codec.decode(stored, nil); err != nil || len(dict.data) == 0 {
		return nil, 0 // then blocks are stored without a dictionary
	}
	return dict, (sum + len(stored)) / (count + 1)
}

// deltaFrom is the least size in bytes at which a dictionary is worth its time.
const deltaFrom = 200

// block stores bytes, unless the store has them. It compresses them with the dictionary of a similar block, if
// this saves space.
func (w *writer) block(data []byte, like hash) hash {
	h := hashOf(data)
	var id int64
	if w.one(`SELECT id FROM block WHERE hash = ?`, []byte(h))(&id) || w.err != nil {
		return h
	}
	stored, base := w.delta(data, like)
	if base == 0 {
		stored = w.encode(data, nil)
	}
	w.bytes += int64(len(stored))
	w.exec(`INSERT INTO block (hash, base, data) VALUES (?, nullif(?, 0), ?)`, []byte(h), base, stored)
	return h
}

// delta compresses bytes with the dictionary of a similar block. base is 0 if this saves no space.
func (w *writer) delta(data []byte, like hash) (delta []byte, base int64) {
	if like == "" || len(data) < deltaFrom {
		return nil, 0
	}
	dict, most := w.dictionary(like)
	if dict == nil {
		return nil, 0
	}
	if delta = w.encode(data, dict.data); len(delta) > most {
		return nil, 0
	}
	return delta, dict.id
}

func (w *writer) encode(data, dict []byte) []byte {
	stored, err := w.codec.encode(data, dict)
	w.fail(err)
	return stored
}
