package serve

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"qprism/cmd/cadence"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
)

// taskNames are the tasks that a configuration knows.
var taskNames = []string{"capture", "audit", "diff", "push", "drive", "prune"}

// NewRun is the old name of serve --once, still used in crontabs.
func NewRun(d *cli.Deps) *cobra.Command {
	c, opts := cli.Command(d, "run TASK [--cluster NAME]",
		func(ctx context.Context, d *cli.Deps, opts Options, args []string, _ io.Writer) error {
			return Once(ctx, d, opts, args[0], d.Warn())
		})
	c.Hidden, c.Args = true, cobra.ExactArgs(1)
	c.Annotations = map[string]string{cli.Careful: "yes"}
	addConfig(c, &opts.Config)
	c.Flags().StringVar(&opts.Cluster, "cluster", "", "the cluster's `name` in the configuration")
	c.Flags().Bool("once", false, "run now, once (the default)")
	_ = c.Flags().MarkHidden("once") // crontabs have it
	return c
}

func Once(ctx context.Context, d *cli.Deps, opts Options, task string, logTo io.Writer) error {
	if !slices.Contains(taskNames, task) {
		return fmt.Errorf("there is no task %q; use %s", task, show.JoinOr(taskNames))
	}
	config, err := LoadConfig(opts.Config)
	if err != nil {
		return err
	}
	s := &server{Deps: d, file: opts.Config, log: NewLog(logTo, config.Log), once: true}
	g, err := s.choose(config, opts.Cluster, task)
	if err != nil {
		return err
	}
	if err := cadence.Once(ctx, g, task, s.log, config.StopWithin); err != nil {
		return fmt.Errorf("%s of %s: %w", task, g.Name, err)
	}
	return nil
}

// choose finds the group that a task is of.
func (s *server) choose(config *cadence.Config, cluster, task string) (*cadence.Group, error) {
	groups := s.groups(config)
	if task == "prune" {
		if p := config.Store.Prune; p != nil && p.Schedule == nil { // serve does not do it, cron may
			groups = append(groups, storeGroup(DepsFor(s.Deps, config), p))
		}
		cluster = cadence.StoreGroup
	}
	if cluster == "" && len(config.Clusters) == 1 {
		cluster = config.Clusters[0].Name
	}
	var names []string
	for i := range groups {
		g := &groups[i]
		if g.Name != cluster {
			if g.Name != cadence.StoreGroup {
				names = append(names, g.Name)
			}
			continue
		}
		if !slices.ContainsFunc(g.Tasks, func(t cadence.Task) bool { return t.Name == task }) {
			return nil, fmt.Errorf("%s: cluster %s has no %s; add a line such as %s: \"@daily\"",
				config.File, cluster, task, task)
		}
		return g, nil
	}
	switch {
	case task == "prune":
		return nil, fmt.Errorf(
			"%s: the store does not say how long snapshots are kept; add store: with keep: 30d", config.File)
	case cluster == "":
		return nil, fmt.Errorf("which cluster? --cluster %s", strings.Join(names, " or "))
	}
	return nil, fmt.Errorf("%s has no cluster %q; it has %s", config.File, cluster, strings.Join(names, ", "))
}
