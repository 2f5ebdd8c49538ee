package sqlite

import (
	"cmp"
	"fmt"
	"os"
	"reflect"
	"slices"
	"sync"

	"qprism/engine/model"
)

// A catalog keeps the records of all snapshots. The total of the store shows whether the catalog is complete.
// So a process reads the records of old snapshots only once.
type catalog struct {
	lock     sync.Mutex
	known    total
	infos    []storedInfo // by cluster and time
	imported imported
	pushed   pushed
	texts    texts // nil until all records were read without an error
}

// catalogs has the catalogs of the stores that this process has opened, by path. Each has the signature of its
// files at that time.
var catalogs = struct {
	sync.Mutex
	of map[string]signed
}{of: map[string]signed{}}

type signed struct {
	signature string
	catalog   *catalog
}

// catalogOf returns the catalog of a store. A process may open a store for each question. It reads the records
// again only after somebody has changed a file.
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

// all lists all snapshots, by cluster and time. It fails if a record that it reads is damaged, or if one is lost. Callers share
// the list. The transaction must see one state of the store.
func (c *catalog) all(t *tx) []storedInfo {
	c.lock.Lock()
	defer c.lock.Unlock()
	return slices.Clip(c.update(t))
}

// clusters lists the clusters of all snapshots, in the order of their first snapshots.
func (c *catalog) clusters(t *tx) []knownCluster {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.update(t)
	return slices.Clone(c.imported.list)
}

// pushes lists the clusters of all pushes, in the order of their first pushes. A push never changes its cluster and its
// identity, so the catalog reads only new pushes.
func (c *catalog) pushes(t *tx) []knownCluster {
	c.lock.Lock()
	defer c.lock.Unlock()
	stored := t.totalOf(kindPush)
	if t.err != nil || stored.rows == c.pushed.rows && stored.last == c.pushed.last {
		return slices.Clone(c.pushed.list)
	}
	added, now := t.rawRecordsAfter(kindPush, c.pushed.last)
	older := stored.last < c.pushed.last // than what another transaction saw
	if c.pushed.last == 0 || older || now.rows+c.pushed.rows != stored.rows {
		// first time, or some were deleted
		added, c.pushed = t.allRecords(kindPush), pushed{}
	}
	for _, r := range added {
		if p := decode[model.Push](t, kindPush, r); p != nil {
			c.pushed.add(p)
		}
	}
	if c.pushed.rows, c.pushed.last = stored.rows, stored.last; t.err != nil {
		c.pushed = pushed{} // after an error, read everything again
	}
	return slices.Clone(c.pushed.list)
}

// pushed are the clusters of pushes, each with each of its identities.
type pushed struct {
	rows, last int64 // of the pushes that were read
	list       []knownCluster
}

func (c *pushed) add(p *model.Push) {
	k := changed(p.Cluster, p.Identity)
	k.identity.Sequence = 0 // it grows from push to push, and names no cluster
	if !slices.Contains(c.list, k) {
		c.list = append(c.list, k)
	}
}

// update reads the records of snapshots that are new in the store, and lists all snapshots.
func (c *catalog) update(t *tx) []storedInfo {
	stored := t.totalOf(kindSnapshot)
	switch {
	case t.err != nil:
		return nil
	case c.texts != nil && stored == c.known:
		return c.infos
	}
	infos, fits := c.infos, false
	if c.texts != nil {
		var now total
		infos, now = c.read(t, infos, c.known.last)
		fits = now.rows+c.known.rows == stored.rows && now.sum^c.known.sum == stored.sum
	}
	if !fits { // first time, or some were deleted
		c.texts, c.imported = texts{}, imported{}
		var now total
		infos, now = c.read(t, nil, 0)
		t.checkTotal(kindSnapshot, now)
	}
	if t.err != nil {
		c.texts = nil // after an error, read everything again
		return nil
	}
	c.infos, c.known = infos, stored
	return infos
}

// read adds the records with greater ids to a list. It keeps the list that callers have: new snapshots are usually the last of
// the list. If they are not, it makes another list.
func (c *catalog) read(t *tx, infos []storedInfo, after int64) ([]storedInfo, total) {
	before := len(infos)
	sum := t.eachRecord(kindSnapshot, after, func(r rawRecord) error {
		row := &snapshotRow{}
		if err := readFlat(r.body, reflect.ValueOf(row).Elem(), c.texts); err != nil {
			return inSnapshot(r.id, err)
		}
		info := row.info(r.id)
		c.imported.add(info)
		infos = append(infos, info)
		return nil
	})
	if !slices.IsSortedFunc(infos[max(before-1, 0):], byClusterAndTime) {
		infos = slices.SortedFunc(slices.Values(infos), byClusterAndTime)
	}
	return infos, sum
}

func byClusterAndTime(a, b storedInfo) int {
	return cmp.Or(cmp.Compare(a.Cluster, b.Cluster), a.TakenAt.Compare(b.TakenAt), cmp.Compare(a.ID, b.ID))
}

// of lists the snapshots of a cluster by time. Callers share the list.
func (c *catalog) of(t *tx, cluster string) []storedInfo {
	all := c.all(t)
	from, _ := slices.BinarySearchFunc(all, cluster, func(i storedInfo, name string) int { return cmp.Compare(i.Cluster, name) })
	to := from
	for to < len(all) && all[to].Cluster == cluster {
		to++
	}
	return all[from:to:to]
}
