package trial

import (
	"context"
	"fmt"
	"time"

	"qprism/adapters/sqlite"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
)

// A period is the stored snapshots of a cluster between two moments.
type period struct {
	cluster  string
	infos    []sqlite.Info
	from, to time.Time
}

// choosePeriod finds the snapshots of a period. How long ago counts from its end.
func choosePeriod(ctx context.Context, store *sqlite.Store, cluster, since, until string) (p period, err error) {
	if p.cluster, err = subject.ClusterOf(ctx, store, cluster); err != nil {
		return p, err
	}
	last, err := store.Latest(ctx, p.cluster)
	if err != nil {
		return p, err
	}
	if p.from, p.to, err = cli.Period(since, until, last.TakenAt); err != nil {
		return p, err
	}
	if p.infos, err = subject.StoredOf(ctx, store, p.cluster, p.from, p.to); err == nil && len(p.infos) == 0 {
		err = fmt.Errorf("the store has no snapshot of %s from that time; \"qprism db list\" lists the snapshots",
			show.Printable(p.cluster))
	}
	return p, err
}
