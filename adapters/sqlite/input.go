package sqlite

import (
	"encoding/binary"
)

// An input reads numbers and texts from the front of packed bytes. At the end of the bytes it becomes bad, and
// returns zeros.
type input struct {
	data []byte
	bad  bool
}

// done returns an error if bytes were missing or are left over.
func (in *input) done() error {
	if in.bad || len(in.data) > 0 {
		return errPack
	}
	return nil
}

func (in *input) take(n int) []byte {
	if n < 0 || n > len(in.data) {
		in.bad, in.data = true, nil
		return nil
	}
	b := in.data[:n:n]
	in.data = in.data[n:]
	return b
}

func (in *input) byte() byte {
	if b := in.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (in *input) uint64() uint64 {
	if b := in.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func (in *input) uvarint() uint64 {
	if len(in.data) > 0 && in.data[0] < 0x80 { // most numbers have only one byte
		b := in.data[0]
		in.data = in.data[1:]
		return uint64(b)
	}
	v, n := binary.Uvarint(in.data)
	in.skip(n)
	return v
}

func (in *input) varint() int64 {
	v := in.uvarint() // 0, -1, 1, -2 and so on are 0, 1, 2, 3, as in package binary
	return int64(v>>1) ^ -int64(v&1)
}

// skip skips the n bytes of a varint. n is 0 or negative if the bytes are not a varint.
func (in *input) skip(n int) {
	if n <= 0 {
		in.bad, in.data = true, nil
		return
	}
	in.data = in.data[n:]
}

// bytes reads a length, and then this number of bytes.
func (in *input) bytes() []byte {
	n := in.uvarint()
	if n > uint64(len(in.data)) {
		in.bad, in.data = true, nil
		return nil
	}
	return in.take(int(n))
}
