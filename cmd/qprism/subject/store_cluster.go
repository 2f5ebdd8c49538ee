package subject

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"qprism/adapters/sqlite"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
)

// ClusterOf returns the cluster of the store that a command works on. The name may be the name of the master
// and its cell, or the name in serve's configuration. Without a name, it is the cluster with the latest
// snapshot. It is an example only if the store has nothing else.
func ClusterOf(ctx context.Context, store *sqlite.Store, name string) (string, error) {
	var clusters []string
	var latest [4]*sqlite.Info // of each choice
	err := store.EachInfo(ctx, func(i *sqlite.Info) {
		if len(clusters) == 0 || clusters[len(clusters)-1] != i.Cluster {
			clusters = append(clusters, i.Cluster)
		}
		for n, chosen := range []bool{
			name != "" && i.Cluster == name,
			name != "" && i.Source == CaptureOf(name),
			name == "" && !strings.HasPrefix(i.Cluster, ExampleMark),
			name == "",
		} {
			if chosen && (latest[n] == nil || i.TakenAt.After(latest[n].TakenAt)) {
				latest[n] = i
			}
		}
	})
	switch best := cmp.Or(latest[0], latest[1], latest[2], latest[3]); {
	case err != nil:
		return "", err
	case len(clusters) == 0:
		return "", cli.ErrNoBundle
	case best != nil:
		return best.Cluster, nil
	}
	return "", fmt.Errorf("the store has no cluster %q; it has %s", name, show.Printable(strings.Join(clusters, ", ")))
}

// OpenCluster opens the store, and finds the cluster with this name.
func OpenCluster(ctx context.Context, d *cli.Deps, name string) (*sqlite.Store, string, error) {
	store, err := OpenStore(d)
	if err != nil {
		return nil, "", err
	}
	cluster, err := ClusterOf(ctx, store, name)
	if err != nil {
		return nil, "", errors.Join(err, store.Close())
	}
	return store, cluster, nil
}

// CaptureOf returns the source that serve stores with its snapshots. name is the cluster's name in the
// configuration of serve.
func CaptureOf(name string) string { return "capture of " + name }

// Infos lists the stored snapshots that take chooses, by cluster and time.
func Infos(ctx context.Context, store *sqlite.Store, take func(*sqlite.Info) bool) (list []sqlite.Info, err error) {
	err = store.EachInfo(ctx, func(i *sqlite.Info) {
		if take(i) {
			list = append(list, *i)
		}
	})
	return list, err
}

// StoredOf returns the stored snapshots of a cluster between two moments, by time. A zero moment is no limit.
func StoredOf(ctx context.Context, store *sqlite.Store, cluster string, since, until time.Time) ([]sqlite.Info, error) {
	return Infos(ctx, store, func(i *sqlite.Info) bool {
		return i.Cluster == cluster && !i.TakenAt.Before(since) && (until.IsZero() || !i.TakenAt.After(until))
	})
}

// latestStored is the number of the snapshot of a cluster that was taken last.
func latestStored(ctx context.Context, store *sqlite.Store, cluster string) (int64, error) {
	cluster, err := ClusterOf(ctx, store, cluster)
	if err != nil {
		return 0, err
	}
	info, err := store.Latest(ctx, cluster)
	return info.ID, err
}

// StoredBefore returns the id of the stored snapshot before the selected one, of the same cluster. It is 0 if
// there is none, or if the selected snapshot is not stored.
func (sel *Selection) StoredBefore(ctx context.Context, d *cli.Deps, args []string) (before int64, err error) {
	if len(args) > 0 || sel.Live.From != "" {
		return 0, nil
	}
	store, err := OpenStore(d)
	if err != nil {
		return 0, err
	}
	defer store.Close()
	id, err := sel.Stored(ctx, store)
	if err != nil {
		return 0, err
	}
	last := &sqlite.Info{}
	err = store.EachInfo(ctx, func(i *sqlite.Info) {
		if i.ID == id && last.Cluster == i.Cluster {
			before = last.ID
		}
		last = i
	})
	return before, err
}

// StoreName returns the store's name for the cluster with this name. If the store does not know the cluster,
// the name stays the same.
func StoreName(ctx context.Context, d *cli.Deps, name string) string {
	if name == "" || StoreExists(d) != nil {
		return name
	}
	store, err := OpenStore(d)
	if err != nil {
		return name // who uses the store next says why
	}
	defer store.Close()
	if known, err := ClusterOf(ctx, store, name); err == nil {
		return known
	}
	return name
}
