package sqlite

import (
	"context"
	"database/sql"
	"io/fs"
	"reflect"
)

// A rawStream reads and compresses a bundle beside the transaction that stores it, with a connection of its own.
type rawStream struct {
	cancel context.CancelFunc
	blocks chan rawBlock // closed at the end, after which bundle and err are set
	bundle rawBundle
	err    error
}

// readAhead bounds the compressed blocks in memory.
const readAhead = 8

// startRaw starts reading. The caller holds the lock of the store's only writer, so that what the stream finds in the
// store stays.
func (s *Store) startRaw(ctx context.Context, bundle fs.FS, cluster string) *rawStream {
	ctx, cancel := context.WithCancel(ctx)
	r := &rawStream{cancel: cancel, blocks: make(chan rawBlock, readAhead)}
	emit := func(b rawBlock) error {
		select {
		case r.blocks <- b:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	go func() {
		defer close(r.blocks)
		r.err = s.inTransaction(ctx, toRead, func(conn *sql.Conn) (err error) {
			r.bundle, err = readRaw(ctx, conn, s.codec, bundle, cluster, emit)
			return err
		})
	}()
	return r
}

// stop ends the stream and waits until it has ended.
func (r *rawStream) stop() {
	r.cancel()
	for range r.blocks {
	}
}

// blocks stores the blocks that are ready, or all to the end of the bundle.
func (w *writer) blocks(toEnd bool) error {
	for {
		var b rawBlock
		var more bool
		if toEnd {
			b, more = <-w.raw.blocks
		} else {
			select {
			case b, more = <-w.raw.blocks:
			default:
				return nil
			}
		}
		if !more {
			return w.raw.err
		}
		if err := w.block(b); err != nil {
			return err
		}
	}
}

// block stores one block as a part. Two blocks of one bundle may be the same.
func (w *writer) block(b rawBlock) (err error) {
	id := b.known
	if id == 0 {
		if id, err = w.find(`SELECT id FROM content WHERE hash = ?`, b.hash[:]); err != nil {
			return err
		}
	}
	if id == 0 {
		if id, err = w.newContent(b.content, b.mark); err != nil {
			return err
		}
	}
	w.parts = append(w.parts, partRef{rawNoun, w.offset, id})
	w.offset += int64(b.size)
	return nil
}

const (
	rawNoun  = "raw"
	fileNoun = "raw_file"
)

// fileNames stores the names and sizes of the bundle's files, in parts like everything else.
func (w *writer) fileNames(files []rawFile) error {
	slice := reflect.ValueOf(files)
	for start := 0; start < len(files); start += partLength {
		end := min(start+partLength, len(files))
		if err := w.part(fileNoun, int64(start), slice.Slice(start, end), nil); err != nil {
			return err
		}
	}
	return nil
}
