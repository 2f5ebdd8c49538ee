package sqlite

import "context"

// A Memory is all data of a cluster in the store.
type Memory struct {
	Cluster        string
	Snapshots      []Info // by time
	Pushes, Drives int
}

// An openError means that a push to a cluster is not finished, or that a drive is open.
type openError struct{ Pushes, Drives int }

func (e *openError) Error() string {
	if e.Drives > 0 {
		return "a drive of it has not given everything back; \"qprism drive --release --apply\" does"
	}
	return "a push to it is not finished; \"qprism push --resume --apply\" finishes it, \"qprism push --undo --apply\" takes it back"
}

// MemoryOf lists what Forget would delete. The error is ErrNoSnapshot if the store has no snapshot of the
// cluster.
func (s *Store) MemoryOf(ctx context.Context, cluster string) (m Memory, err error) {
	err = s.transaction(ctx, toRead, func(t *tx) { m, _ = t.memoryOf(cluster) })
	return m, s.named(err, "cluster %q", cluster)
}

// memoryOf is MemoryOf within a transaction. It also counts open pushes and drives.
func (t *tx) memoryOf(cluster string) (m Memory, open openError) {
	pushes, drives := t.pushesOf(cluster), t.drivesOf(cluster)
	for i := range pushes {
		if pushes[i].Open() {
			open.Pushes++
		}
	}
	for _, d := range drives {
		if d.Ended.IsZero() {
			open.Drives++
		}
	}
	return Memory{cluster, plain(t.snapshotsOf(cluster)), len(pushes), len(drives)}, open
}

// Forget deletes all data of a cluster in one transaction, and frees the space. It refuses while a push or
// drive of the cluster is open.
func (s *Store) Forget(ctx context.Context, cluster string) (m Memory, err error) {
	err = s.transaction(ctx, toWrite, func(t *tx) {
		var open openError
		if m, open = t.memoryOf(cluster); open != (openError{}) {
			t.fail(&open)
		}
		t.forget(m)
	})
	if err == nil {
		err = s.shrink(ctx)
	}
	return m, s.named(err, "forget %q", cluster)
}

// forget deletes the data of a cluster.
func (t *tx) forget(m Memory) {
	for _, i := range m.Snapshots {
		t.deleteSnapshot(i.ID)
	}
	for _, p := range t.pushesOf(m.Cluster) {
		t.deleteAll(p.ID, kindPush, kindOrders)
	}
	for _, d := range t.drivesOf(m.Cluster) {
		t.deleteAll(d.ID, kindDrive)
	}
	t.sweep()
}

// deleteAll deletes the records of several kinds with one id.
func (t *tx) deleteAll(id int64, kinds ...string) {
	for _, kind := range kinds {
		t.deleteRecord(kind, id)
	}
}
