package sqlite

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	gohash "hash"
	"hash/fnv"
	"io"
	"io/fs"
	"path"
	"slices"
)

// A bundle is stored as one run of bytes: its files one after the other, cut into blocks. A large file begins a block,
// and so do the small files of a folder together: a thousand host configurations are one block, not a thousand rows.
// Blocks that the store has are not stored again; a new block is compressed with the block at its place in the
// cluster's previous bundle as dictionary.

// Sizes in bytes.
const (
	smallFile = 64 << 10
	deltaFrom = 4 << 10 // the least block for which a dictionary pays
)

// A rawFile is a file of a bundle.
type rawFile struct {
	Path string
	Size int64
}

// A rawBlock is the next block of a bundle, ready to be stored.
type rawBlock struct {
	content
	mark  int64
	known int64 // the id of the content where the store has it
}

// A rawBundle is what was read of a bundle once all blocks are.
type rawBundle struct {
	files  []rawFile
	bundle hash // of all names and contents
}

// A rawReader reads a bundle, and compares it with what the store has.
type rawReader struct {
	ctx     context.Context
	db      queryer
	codec   *codec
	files   []rawFile
	sum     gohash.Hash
	split   *splitter
	former  former
	earlier []earlierBlock // of the cluster's last snapshot
	at      int            // the place in earlier that corresponds to the next block
	emit    func(rawBlock) error
}

// An earlierBlock is a block of the bundle before.
type earlierBlock struct {
	id, base, mark int64
}

// readRaw reads all regular files of a bundle, block by block.
func readRaw(ctx context.Context, db queryer, codec *codec, bundle fs.FS, cluster string,
	emit func(rawBlock) error) (rawBundle, error) {
	r := &rawReader{ctx: ctx, db: db, codec: codec, sum: sha256.New(), split: newSplitter(), emit: emit}
	runs, err := listFiles(bundle)
	if err != nil {
		return rawBundle{}, err
	}
	if len(runs) == 0 {
		return rawBundle{}, errors.New("the bundle holds no file")
	}
	if err := r.findEarlier(cluster); err != nil {
		return rawBundle{}, err
	}
	for _, run := range runs {
		if err := r.readRun(bundle, run); err != nil {
			return rawBundle{}, err
		}
	}
	return rawBundle{r.files, hash(r.sum.Sum(nil))}, nil
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

// findEarlier finds the blocks of the cluster's last snapshot.
func (r *rawReader) findEarlier(cluster string) error {
	rows, err := r.db.QueryContext(r.ctx, `SELECT c.id, coalesce(c.base_id, 0), c.mark
		FROM part p JOIN content c ON c.id = p.content_id
		WHERE p.noun = 'raw' AND p.snapshot_id = (
			SELECT max(s.id) FROM snapshot s JOIN cluster k ON k.id = s.cluster_id WHERE k.name = ?)
		ORDER BY p.first`, escape(cluster))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var b earlierBlock
		if err := rows.Scan(&b.id, &b.base, &b.mark); err != nil {
			return err
		}
		r.earlier = append(r.earlier, b)
	}
	return rows.Err()
}

// readRun reads files one after the other into blocks of their own.
func (r *rawReader) readRun(bundle fs.FS, names []string) error {
	in := &runReader{reader: r, bundle: bundle, names: names}
	defer in.close()
	r.split.reset(in)
	for first := true; ; first = false {
		data, after, err := r.split.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		mark := int64(after)
		if first {
			mark = runMark(names)
		}
		if err := r.block(data, mark); err != nil {
			return err
		}
	}
}

// runMark is the mark of a run's first block: it depends on the folder, or the file that is alone.
func runMark(names []string) int64 {
	h := fnv.New64a()
	io.WriteString(h, path.Dir(names[0])+"/")
	if len(names) == 1 {
		io.WriteString(h, names[0])
	}
	return int64(h.Sum64())
}

// block hands on a block: where the store has it, or compressed.
func (r *rawReader) block(data []byte, mark int64) error {
	b := rawBlock{content: content{hash: sha256.Sum256(data), size: len(data)}, mark: mark}
	err := r.db.QueryRowContext(r.ctx, `SELECT id FROM content WHERE hash = ?`, b.hash[:]).Scan(&b.known)
	if errors.Is(err, sql.ErrNoRows) {
		err = r.compress(&b, data)
	} else if err == nil {
		r.sync(mark)
	}
	if err != nil {
		return err
	}
	return r.emit(b)
}

// compress compresses a block, with the block at its place in the bundle before as dictionary while that pays.
func (r *rawReader) compress(b *rawBlock, data []byte) (err error) {
	var form []byte
	b.form, form = r.former.formOf(data)
	place := r.sync(b.mark)
	if place != nil && len(data) >= deltaFrom {
		dict, most, err := r.dictionary(*place)
		if err != nil {
			return err
		}
		if b.data, err = r.codec.encode(form, dict); err != nil {
			return err
		}
		if len(b.data) <= most {
			b.base = dict.id
			return nil
		}
	}
	b.data, err = r.codec.encode(form, nil)
	return err
}

// sync finds the place of a block in the bundle before: after the same bytes, or next to where the block before was.
func (r *rawReader) sync(mark int64) *earlierBlock {
	if i := slices.IndexFunc(r.earlier, func(e earlierBlock) bool { return e.mark == mark }); i >= 0 {
		r.at = i
	}
	if r.at >= len(r.earlier) {
		return nil
	}
	r.at++
	return &r.earlier[r.at-1]
}

// dictionary reads the dictionary that serves for a place, and the most bytes for which it is still worth it: what the
// base and the contents compressed with it take on average. Contents drift away from their base until a new base
// would be cheaper; from there on the average would only grow.
func (r *rawReader) dictionary(place earlierBlock) (dict *dictionary, most int, err error) {
	id := cmp.Or(place.base, place.id)
	var sum, count int
	if err := r.db.QueryRowContext(r.ctx, `SELECT coalesce(sum(length(data)), 0), count(*) FROM content WHERE base_id = ?`,
		id).Scan(&sum, &count); err != nil {
		return nil, 0, err
	}
	if dict, err = r.codec.dictionary(r.ctx, r.db, id); err != nil {
		return nil, 0, err
	}
	return dict, (sum + dict.size) / (count + 1), nil
}

// A runReader reads the files of a run one after the other, and notes their sizes and sum.
type runReader struct {
	reader *rawReader
	bundle fs.FS
	names  []string // not yet begun
	file   fs.File  // being read
}

func (r *runReader) Read(p []byte) (int, error) {
	if err := r.reader.ctx.Err(); err != nil {
		return 0, err
	}
	if r.file == nil {
		if err := r.open(); err != nil {
			return 0, err
		}
	}
	n, err := r.file.Read(p)
	r.reader.sum.Write(p[:n])
	file := &r.reader.files[len(r.reader.files)-1]
	file.Size += int64(n)
	switch {
	case errors.Is(err, io.EOF):
		r.reader.sum.Write(binary.LittleEndian.AppendUint64(nil, uint64(file.Size)))
		err = r.close()
	case err != nil:
		err = fmt.Errorf("%s: %w", file.Path, err)
	}
	return n, err
}

// open begins the next file.
func (r *runReader) open() (err error) {
	if len(r.names) == 0 {
		return io.EOF
	}
	name := r.names[0]
	if r.file, err = r.bundle.Open(name); err != nil {
		r.file = nil
		return err
	}
	r.names = r.names[1:]
	r.reader.files = append(r.reader.files, rawFile{Path: name})
	r.reader.sum.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(name))))
	io.WriteString(r.reader.sum, name)
	return nil
}

func (r *runReader) close() error {
	if r.file == nil {
		return nil
	}
	err := r.file.Close()
	r.file = nil
	return err
}
