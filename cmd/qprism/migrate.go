package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"qprism/engine/migrate"
	"qprism/engine/model"
)

type migrateOptions struct {
	to        string
	into      string
	replace   bool
	keepGoing bool
}

func newMigrate(d *deps) *cobra.Command {
	var opts migrateOptions
	c := &cobra.Command{
		Use:   "migrate BUNDLE... -o DIR",
		Short: "Translate the policy of a cluster to another system, with the proof",
		Long: `migrate writes what an administrator of PBS would install to have the policy of a Grid
Engine cluster: queues, nodes, resources and limits as a qmgr script, resource_group,
sched_config and holidays, and the job_sort_formula. Every line of every file of the bundle
is accounted for: exact, approximate, lost, or without effect.

Of several bundles the newest is translated; all of them tell how well the formula keeps
the order of jobs.`,
		Example: `  qprism migrate cluster.tar.gz -o pbs
  qprism migrate history/*.tar.gz -o pbs --replace`,
		Annotations: map[string]string{formatsOf: "table json"},
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("give the bundles to translate, such as cluster.tar.gz; scripts/capture-ge.sh makes one")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			return runMigrate(c.Context(), d, opts, args, c.OutOrStdout())
		},
	}
	c.Flags().StringVar(&opts.to, "to", "pbs", "the `system` to translate to: "+strings.Join(migrationTargets(), ", "))
	c.Flags().StringVarP(&opts.into, "output", "o", "", "the `folder` to write; it must not exist, or be empty")
	c.Flags().BoolVar(&opts.replace, "replace", false, "replace the folder if it holds an earlier migration")
	c.Flags().BoolVar(&opts.keepGoing, "keep-going", false, "leave out records that cannot be read, and list them")
	return c
}

// A migration is one run of the command: what was read, and what became of it.
type migration struct {
	history     []*model.Snapshot // oldest first; the last one is translated
	translation *migrate.Translation
}

// A migratedFile is a file of the folder that a migration writes.
type migratedFile struct {
	name  string
	about string // what an administrator does with it, in a few words
	text  []byte
}

// migrationWriters make the files for each system that --to names.
var migrationWriters = map[string]func(*migration) ([]migratedFile, error){
	"pbs": toPBS,
}

func migrationTargets() []string { return slices.Sorted(maps.Keys(migrationWriters)) }

func runMigrate(_ context.Context, _ *deps, opts migrateOptions, _ []string, _ io.Writer) error {
	write, known := migrationWriters[opts.to]
	if !known {
		return fmt.Errorf("unknown --to %q; known: %s", opts.to, strings.Join(migrationTargets(), ", "))
	}
	_, err := write(&migration{translation: &migrate.Translation{}})
	return err
}

func toPBS(*migration) ([]migratedFile, error) { return nil, nil }
