package subject

import (
	"context"
	"errors"
	"fmt"
	"slices"
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
	infos, err := store.Snapshots(ctx)
	if err != nil {
		return "", err
	}
	if len(infos) == 0 {
		return "", cli.ErrNoBundle
	}
	var of []sqlite.Info
	for _, choice := range []func(sqlite.Info) bool{
		func(i sqlite.Info) bool { return name != "" && i.Cluster == name },
		func(i sqlite.Info) bool { return name != "" && i.Source == CaptureOf(name) },
		func(i sqlite.Info) bool { return name == "" && !strings.HasPrefix(i.Cluster, ExampleMark) },
		func(sqlite.Info) bool { return name == "" },
	} {
		if of = selected(infos, choice); len(of) > 0 {
			return latestOf(of).Cluster, nil
		}
	}
	return "", fmt.Errorf("the store has no cluster %q; it has %s", name,
		show.Printable(strings.Join(clustersIn(infos), ", ")))
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

func selected(infos []sqlite.Info, choice func(sqlite.Info) bool) []sqlite.Info {
	return slices.DeleteFunc(slices.Clone(infos), func(i sqlite.Info) bool { return !choice(i) })
}

func latestOf(infos []sqlite.Info) sqlite.Info {
	return slices.MaxFunc(infos, func(a, b sqlite.Info) int { return a.TakenAt.Compare(b.TakenAt) })
}

// clustersIn names the clusters of snapshots, which are listed by cluster.
func clustersIn(infos []sqlite.Info) (names []string) {
	for _, i := range infos {
		names = append(names, i.Cluster)
	}
	return slices.Compact(names)
}

// StoredOf returns the stored snapshots of a cluster between two moments, by time. A zero moment is no limit.
func StoredOf(ctx context.Context, store *sqlite.Store, cluster string, since, until time.Time) ([]sqlite.Info, error) {
	infos, err := store.Snapshots(ctx)
	if err != nil {
		return nil, err
	}
	list := selected(infos, func(i sqlite.Info) bool {
		return i.Cluster == cluster && !i.TakenAt.Before(since) && (until.IsZero() || !i.TakenAt.After(until))
	})
	slices.SortStableFunc(list, func(a, b sqlite.Info) int { return a.TakenAt.Compare(b.TakenAt) })
	return list, nil
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
	list, err := store.Snapshots(ctx)
	for i := range list {
		if list[i].ID == id && i > 0 && list[i-1].Cluster == list[i].Cluster {
			before = list[i-1].ID
		}
	}
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
