package push

import (
	"context"
	"errors"
	"fmt"

	"qprism/adapters/sqlite"
	"qprism/cmd/qprism/show"
	"qprism/engine/model"
	"qprism/exporter"
)

// stored is the push that --undo or --resume is about: the one of --push; else, of the cluster that is
// reached, to be resumed the last one that is open, and to be undone the last one that did not take another
// back, nor was itself taken back.
func stored(ctx context.Context, p *exporter.Pusher, opts Options) (int64, error) {
	if opts.ID != 0 {
		return opts.ID, nil
	}
	list, err := p.Journal.(*sqlite.Store).Pushes(ctx, opts.Cluster)
	if err != nil {
		return 0, err
	}
	here, elsewhere, err := ofReached(ctx, p, list)
	if err != nil {
		return 0, err
	}
	id, err := lastOf(here, opts.Resume)
	if err != nil && elsewhere != "" {
		err = fmt.Errorf("%w of the cluster that is reached; %s", err, elsewhere)
	}
	return id, err
}

// ofReached are the pushes to the cluster that is reached, and why the last one of the others is none.
func ofReached(ctx context.Context, p *exporter.Pusher, list []model.Push) (
	here []model.Push, elsewhere string, err error) {
	if len(list) == 0 {
		return nil, "", nil
	}
	now, err := p.Identify(ctx)
	if err != nil {
		return nil, "", err
	}
	for _, push := range list {
		if likeness, why := exporter.Liken(push.Cluster, push.Identity, now); likeness == model.Same {
			here = append(here, push)
		} else {
			elsewhere = fmt.Sprintf("push %d is for %s: %s", push.ID, show.Printable(nameOfCluster(push.Cluster)),
				show.Printable(why))
		}
	}
	return here, elsewhere, nil
}

// lastOf is the last of the pushes, the oldest first, that can be resumed or taken back.
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
			return 0, fmt.Errorf("push %d, which takes push %d back, was not finished: qprism push "+
				"--resume --apply", p.ID, p.Undoes)
		}
		undone[p.Undoes] = true
	}
	if resume {
		return 0, errors.New("no push is unfinished")
	}
	return 0, errors.New("no push is left to be taken back")
}
