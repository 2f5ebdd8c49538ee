package push

import (
	"context"
	"errors"
	"fmt"

	"qprism/adapters/sqlite"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/model"
	"qprism/exporter"
)

// stored returns the push for --undo or --resume: the one of --push, or else one of this cluster. --resume uses
// the last open push. --undo uses the last push that undid no other and was not undone.
func stored(ctx context.Context, p *exporter.Pusher, opts Options) (int64, error) {
	if opts.ID != 0 {
		return opts.ID, nil
	}
	here, elsewhere, err := ofReached(ctx, p, opts.Cluster)
	if err != nil {
		return 0, err
	}
	id, err := lastOf(here, opts.Resume)
	return id, orElsewhere(err, elsewhere)
}

// ofReached are the stored pushes to this cluster, the oldest first. elsewhere says why the last of the others
// is not for it.
func ofReached(ctx context.Context, p *exporter.Pusher, cluster string) (here []model.Push,
	elsewhere string, err error) {
	list, err := p.Journal.(*sqlite.Store).Pushes(ctx, cluster)
	if err != nil || len(list) == 0 {
		return nil, "", err
	}
	now, err := p.Identify(ctx)
	if err != nil {
		return nil, "", err
	}
	for _, push := range list {
		if likeness, why := exporter.CompareClusters(push.Cluster, push.Identity, now); likeness == model.Same {
			here = append(here, push)
		} else {
			elsewhere = fmt.Sprintf("push %d is for %s: %s", push.ID, show.Printable(subject.Named(push.Cluster)),
				show.Printable(why))
		}
	}
	return here, elsewhere, nil
}

var errNothingLeft = errors.New("there is no push to take back")

// orElsewhere adds to an error that other clusters have pushes.
func orElsewhere(err error, elsewhere string) error {
	if err == nil || elsewhere == "" {
		return err
	}
	return fmt.Errorf("%w on this cluster; %s", err, elsewhere)
}

// lastOf is the last push that can be resumed or taken back.
func lastOf(list []model.Push, resume bool) (int64, error) {
	undone := map[int64]bool{}
	for i := len(list) - 1; i >= 0; i-- {
		p := &list[i]
		switch {
		case resume && p.Open():
			return p.ID, nil
		case resume, undone[p.ID]:
		case p.Undoes == 0:
			return p.ID, nil
		case p.Open():
			return 0, fmt.Errorf("push %d, which takes back push %d, was not finished: qprism push "+
				"--resume --apply", p.ID, p.Undoes)
		}
		undone[p.Undoes] = true
	}
	if resume {
		return 0, errors.New("no push is unfinished")
	}
	return 0, errNothingLeft
}
