package subject

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"qprism/adapters/sqlite"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
	"qprism/importer/cluster"
)

// SnapshotAt returns the last stored snapshot of a cluster that was captured at a moment or before.
func SnapshotAt(ctx context.Context, d *cli.Deps, name string, at time.Time) (int64, error) {
	store, cluster, err := OpenCluster(ctx, d, name)
	if err != nil {
		return 0, err
	}
	defer store.Close()
	info, err := store.At(ctx, cluster, at)
	if early, is := errors.AsType[*sqlite.EarlyError](err); is {
		return 0, fmt.Errorf("no stored snapshot of %s was taken at %s or earlier; \"qprism db list\" lists "+
			"the snapshots: %w", cluster, at.Format(time.RFC3339), early)
	}
	return info.ID, err
}

// KeyMeant returns the scheduler option that a misspelled word probably means.
func KeyMeant(s *model.Snapshot, key string) string {
	keys := cluster.PolicyKeys(s)
	if slices.Contains(keys, key) {
		return ""
	}
	if name := cmp.Or(cluster.PolicyKeyCalled(s, key), show.Nearest(key, keys)); name != "" {
		return "; did you mean " + name + "?"
	}
	return ""
}

func LoadBundle(path string, keepGoing bool) (*model.Snapshot, error) {
	bundle, closer, err := BundleAt(path)
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	return ReadBundle(bundle, keepGoing)
}

// Planning has the flags of commands that plan runs.
type Planning struct {
	Selection
	policy string
}

// AddPlanning adds the flags that choose a snapshot and a policy.
func AddPlanning(c *cobra.Command, p *Planning) {
	AddSelection(c, &p.Selection)
	c.Flags().Lookup("now").Usage = "the `moment` of the run, " + cli.MomentForms + " (default: when the bundle was taken)"
	c.Flags().StringVar(&p.policy, "policy", "",
		"use the scheduler configuration in this `file`: output of qconf -ssconf, or a sched_config of PBS")
}

// PlanSubject loads a snapshot for a plan, with the policy of --policy. It fails if the snapshot lacks an input
// of a plan.
func PlanSubject(ctx context.Context, d *cli.Deps, opts *Planning, args []string) (*Subject, error) {
	s, err := WithPolicy(ctx, d, opts, args)
	if err != nil {
		return nil, err
	}
	return s, opts.Planned(s)
}

// WithPolicy is PlanSubject for commands that also accept a snapshot without all inputs of a plan.
func WithPolicy(ctx context.Context, d *cli.Deps, opts *Planning, args []string) (*Subject, error) {
	s, err := loaded(ctx, d, &opts.Selection, args)
	if err != nil {
		return nil, err
	}
	if opts.policy != "" {
		if err := s.Batch.ReplacePolicy(opts.policy, d.Warn()); err != nil {
			return nil, err
		}
	}
	warnOfAssumptions(d, s)
	return s, nil
}

// Planned returns an error if the snapshot, with the policy of --policy, lacks an input of a plan.
func (p *Planning) Planned(s *Subject) error { return s.Batch.Lacks(p.policy != "") }

// Moment returns the moment of the run: --now, or else the time of the bundle.
func (s *Subject) Moment() (lastrun.Moment, error) {
	switch {
	case !s.Look.At.IsZero():
		return lastrun.Moment{At: s.Look.At, Source: "--now"}, nil
	case !s.TakenAt.IsZero():
		return lastrun.Moment{At: s.TakenAt, Source: "the bundle's own time"}, nil
	}
	return lastrun.Moment{}, errors.New("the bundle does not say when it was taken; give the time of the run with --now")
}

// LoadOther reads the bundle to compare with, or a stored snapshot by number, unless it is held already.
func LoadOther(ctx context.Context, d *cli.Deps, name string, keepGoing bool) (*model.Snapshot, error) {
	id, noNumber := strconv.ParseInt(name, 10, 64)
	_, noFile := os.Stat(name)
	sel, args := Selection{}, []string{name}
	stored := noNumber == nil && noFile != nil
	if stored {
		sel.Snapshot, args = id, nil
	}
	if held := d.Held[sel.named(args)]; held != nil {
		return held.Apart(), nil
	}
	if stored {
		return LoadStored(ctx, d, id)
	}
	return LoadBundle(name, keepGoing)
}
