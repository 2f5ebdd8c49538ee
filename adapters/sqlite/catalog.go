package sqlite

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"reflect"
	"slices"
	"sync"
)

// A catalog keeps what was read of all snapshots. The total of the store tells whether that is still all of it, so that a
// process reads the records of old snapshots once.
type catalog struct {
	lock  sync.Mutex
	known total
	infos []storedInfo
	texts texts
}

// catalogs are those of the stores that this process has opened, by path, each with the signature of its files then.
var catalogs = struct {
	sync.Mutex
	of map[string]signed
}{of: map[string]signed{}}

type signed struct {
	signature string
	catalog   *catalog
}

// catalogOf is the catalog of a store. A process that opens a store for each question reads the records once, until
// somebody changes a file.
func catalogOf(path string) *catalog {
	signature := ""
	for _, file := range []string{path, path + "-wal"} {
		if info, err := os.Stat(file); err == nil {
			signature += fmt.Sprintln(info.Size(), info.ModTime().UnixNano())
		}
	}
	catalogs.Lock()
	defer catalogs.Unlock()
	known := catalogs.of[path]
	if known.catalog == nil || known.signature != signature {
		known = signed{signature, &catalog{}}
		catalogs.of[path] = known
	}
	return known.catalog
}

// all lists all snapshots, by cluster and time. Each is as it was stored, and none is lost. The list is shared.
func (c *catalog) all(ctx context.Context, db queryer) ([]storedInfo, error) {
	c.lock.Lock()
	defer c.lock.Unlock()
	stored, err := totalOf(ctx, db, kindSnapshot)
	if err != nil || c.texts != nil && stored == c.known {
		return c.infos, err
	}
	added, now, err := rawRecordsAfter(ctx, db, kindSnapshot, c.known.last)
	if err != nil {
		return nil, err
	}
	now.rows, now.sum, now.last = now.rows+c.known.rows, now.sum^c.known.sum, max(now.last, c.known.last)
	infos := slices.Clone(c.infos)
	if c.texts == nil || now.rows != stored.rows || now.sum != stored.sum { // the first time, or some were deleted
		if added, err = allRecords(ctx, db, kindSnapshot); err != nil {
			return nil, err
		}
		infos, c.texts = nil, texts{}
	}
	if infos, err = c.read(infos, added); err != nil {
		return nil, err
	}
	c.infos, c.known = infos, stored
	return infos, nil
}

// read adds records to a list.
func (c *catalog) read(infos []storedInfo, added []rawRecord) ([]storedInfo, error) {
	infos = slices.Grow(infos, len(added))
	for _, r := range added {
		if err := r.check(kindSnapshot); err != nil {
			return nil, err
		}
		var row snapshotRow
		if err := readFlat(r.body, reflect.ValueOf(&row).Elem(), c.texts); err != nil {
			return nil, inSnapshot(r.id, err)
		}
		infos = append(infos, row.info(r.id))
	}
	slices.SortFunc(infos, func(a, b storedInfo) int {
		return cmp.Or(cmp.Compare(a.Cluster, b.Cluster), a.TakenAt.Compare(b.TakenAt), cmp.Compare(a.ID, b.ID))
	})
	return infos, nil
}

// of lists the snapshots of a cluster by time; ErrNoSnapshot where there are none. The list is shared.
func (c *catalog) of(ctx context.Context, db queryer, cluster string) ([]storedInfo, error) {
	all, err := c.all(ctx, db)
	if err != nil {
		return nil, err
	}
	from, _ := slices.BinarySearchFunc(all, cluster, func(i storedInfo, name string) int { return cmp.Compare(i.Cluster, name) })
	to := from
	for to < len(all) && all[to].Cluster == cluster {
		to++
	}
	if from == to {
		return nil, ErrNoSnapshot
	}
	return all[from:to:to], nil
}
