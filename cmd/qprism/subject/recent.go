package subject

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"qprism/adapters/sqlite"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/engine/model"
	"qprism/importer/collect"
)

// defaultMaxAge is how old a stored snapshot may be that is looked at in place of a cluster: many who ask
// why burden the master once.
const defaultMaxAge = 5 * time.Minute

// AddMaxAge adds the flag for the greatest age of a stored snapshot that may replace a capture of --from.
func AddMaxAge(c *cobra.Command, sel *Selection) {
	sel.MaxAge = defaultMaxAge
	cli.SpanVar(c.Flags(), &sel.MaxAge, "max-age",
		"with --from: use a stored snapshot of that cluster if it is at most this old, and do not ask "+
			"the master; 0 always asks")
}

// recentSnapshot returns the number of the latest stored snapshot of the cluster of --from, if it is recent
// enough. Otherwise it returns 0. Files on the host identify the cluster, so the master has no load.
func recentSnapshot(ctx context.Context, d *cli.Deps, sel *Selection) (int64, error) {
	if sel.MaxAge <= 0 || StoreExists(d) != nil {
		return 0, nil
	}
	infos, err := recentInfos(ctx, d, sel.MaxAge)
	if err != nil || len(infos) == 0 {
		return 0, err
	}
	site, err := sel.Live.identified(ctx)
	if err != nil {
		return 0, err
	}
	latest := sqlite.Info{}
	for _, i := range infos {
		if likeness, _ := i.Identity.Compare(site.Identity); likeness == model.Same && i.TakenAt.After(latest.TakenAt) {
			latest = i
		}
	}
	if latest.ID != 0 {
		fmt.Fprintf(d.Warn(), "qprism: using the stored snapshot %d, %s old; --max-age 0 asks the master\n", latest.ID,
			show.SpanText(time.Since(latest.TakenAt)))
	}
	return latest.ID, nil
}

// recentInfos are the stored snapshots that are recent enough.
func recentInfos(ctx context.Context, d *cli.Deps, within time.Duration) ([]sqlite.Info, error) {
	store, err := OpenStore(d)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	return Infos(ctx, store, func(i *sqlite.Info) bool {
		age := time.Since(i.TakenAt)
		return age >= 0 && age <= within
	})
}

// identified identifies the cluster.
func (o CaptureOptions) identified(ctx context.Context) (*collect.Site, error) {
	ctx, cancel := context.WithTimeout(ctx, captureTime)
	defer cancel()
	cluster, err := o.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer cluster.Close()
	return collect.Identify(ctx, cluster)
}
