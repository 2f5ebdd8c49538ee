package sqlite

import (
	"errors"
	"io"
)

// Blocks of raw files are cut where the bytes before the cut hash to something, not at fixed places: a version of a
// file with bytes put in or taken out still has most of its blocks in common with the version before. Sizes in bytes.
const (
	minBlock  = 512 << 10
	maxBlock  = 4 << 20
	cutBits   = 20 // a cut every 1 MiB on average, after the least size
	hashReach = 64 // a mark depends on so many bytes before the cut
)

// A splitter cuts a stream into blocks.
type splitter struct {
	in   io.Reader
	buf  []byte // at most maxBlock
	used int    // of buf: the block that next returned last
	eof  bool
	mark uint64 // hash of the bytes before what is unused, 0 at the start
	gear [256]uint64
}

func newSplitter() *splitter {
	s := &splitter{}
	for i := range s.gear {
		s.gear[i] = scramble(uint64(i))
	}
	return s
}

// reset begins with another stream.
func (s *splitter) reset(in io.Reader) {
	s.in, s.buf, s.used, s.eof, s.mark = in, s.buf[:0], 0, false, 0
}

// next returns the next block and the hash of the bytes before it, or io.EOF after the last. The block is valid until
// the next call.
func (s *splitter) next() (block []byte, mark uint64, err error) {
	s.buf = s.buf[:copy(s.buf, s.buf[s.used:])]
	s.used = 0
	if err := s.fill(); err != nil {
		return nil, 0, err
	}
	if len(s.buf) == 0 {
		return nil, 0, io.EOF
	}
	mark = s.mark
	s.used, s.mark = s.cut()
	return s.buf[:s.used], mark, nil
}

// fill reads until a block can be cut.
func (s *splitter) fill() error {
	for !s.eof && len(s.buf) < maxBlock {
		if len(s.buf) == cap(s.buf) {
			s.buf = append(make([]byte, 0, min(max(4*cap(s.buf), 64<<10), maxBlock)), s.buf...)
		}
		n, err := s.in.Read(s.buf[len(s.buf):cap(s.buf)])
		s.buf = s.buf[:len(s.buf)+n]
		if errors.Is(err, io.EOF) {
			s.eof = true
		} else if err != nil {
			return err
		}
	}
	return nil
}

// cut returns where to cut the buffer, and the hash of the bytes before.
func (s *splitter) cut() (n int, mark uint64) {
	if len(s.buf) <= minBlock {
		return len(s.buf), 0
	}
	var h uint64
	for _, c := range s.buf[minBlock-hashReach : minBlock] {
		h = h<<1 + s.gear[c]
	}
	for i, c := range s.buf[minBlock:] {
		if h = h<<1 + s.gear[c]; h>>(64-cutBits) == 0 {
			return minBlock + i + 1, h
		}
	}
	return len(s.buf), h
}

// scramble spreads the bits of a small number over 64 (splitmix64).
func scramble(x uint64) uint64 {
	x = (x + 1) * 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
