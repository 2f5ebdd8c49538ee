package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"qprism/adapters/sqlite"
	"qprism/engine/model"
)

type importOptions struct {
	cluster    string
	keepGoing  bool
	noAnalysis bool
}

func newImport(d *deps) *cobra.Command {
	var opts importOptions
	c := &cobra.Command{
		Use:   "import BUNDLE...",
		Short: "Keep bundles as snapshots",
		Long: `import reads bundles and keeps them in the store: the model, and the raw files beside it.
A bundle is stored whole or not at all. What did not change since an earlier snapshot takes
no room again, and a bundle that is stored already is not stored twice. A run is planned over
each snapshot, and where jobs stand and why they wait is kept: history and timeline read it.

Two clusters can have the same name. The second one is NAME#2 in the store: bundles say what tells them apart (MANIFEST, identity). Where
they do not, --cluster says it.

What a file holds, its content says, not its name. import prints how much of everything it read,
and each part of a file that it did not use, with its line.`,
		Example: `  qprism import cluster.tar.gz
  qprism import recordings/run3/after --store history.db
  qprism import pbs-server-20261121.tar.gz`,
		Annotations: map[string]string{formatsOf: "table json"},
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("give the bundles to keep, such as cluster.tar.gz; scripts/capture-ge.sh makes one of Grid Engine, scripts/capture-pbs.sh of PBS")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			return runImport(c.Context(), d, opts, args, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	c.Flags().StringVar(&opts.cluster, "cluster", "", "the bundles are of the cluster that the store calls by this `name`: for those that do not say enough to be told from others")
	c.Flags().BoolVar(&opts.keepGoing, "keep-going", false, "leave out records that cannot be read, and list them")
	c.Flags().BoolVar(&opts.noAnalysis, "no-analysis", false, "do not plan a run over each snapshot; qprism db analyse does it later")
	return c
}

func runImport(ctx context.Context, d *deps, opts importOptions, bundles []string, w, warn io.Writer) error {
	store, err := d.makeStore()
	if err != nil {
		return err
	}
	defer store.Close()
	out := d.output(w)
	t := sheet{columns: columns(">snapshot", "cluster", "release", "taken", ">jobs", "bundle", "note")}
	if !out.terminal {
		t.columns = append(t.columns, columns(countNames...)...)
	}
	var read []string
	for _, path := range bundles {
		stored, err := keepBundle(ctx, store, opts, path, path)
		if err != nil {
			return err
		}
		warnOfRead(warn, path, stored.snapshot)
		if d.format == "json" {
			if err := out.json(stored.json(path)); err != nil {
				return err
			}
			continue
		}
		t.rows = append(t.rows, stored.row(path, out))
		read = append(read, countText(stored.snapshot))
	}
	if d.format == "json" {
		return nil
	}
	if err := out.sheet(t); err != nil {
		return err
	}
	out.say("")
	for i, text := range read {
		out.say("Read of %s: %s.", printable(bundles[i]), text)
	}
	out.say("%s", d.hints("").in("Next: qprism audit --snapshot "+t.rows[len(t.rows)-1][0]+", or qprism snapshots for the list."))
	return nil
}

// row describes a stored bundle.
func (k *keptBundle) row(path string, out output) []string {
	s := k.snapshot
	note := ""
	switch {
	case k.Existed:
		note = "already stored"
	case len(s.LeftOut) > 0:
		note = plural(len(s.LeftOut), "record") + " left out"
	default:
		note = withoutText(s.Missing)
	}
	if s.PBS != nil && len(s.PBS.Repairs) > 0 {
		note = joined(", ", note, plural(len(s.PBS.Repairs), "place")+" repaired")
	}
	row := []string{fmt.Sprint(k.ID), s.Cluster, s.Release.String(), out.moment(s.TakenAt), fmt.Sprint(len(s.Jobs)), path, note}
	if !out.terminal {
		row = append(row, countTexts(s)...)
	}
	return row
}

// withoutText names the files that a bundle lacks. Folders are left out: a cluster without calendars has none of them.
func withoutText(missing []string) string {
	const named = 3
	files := slices.DeleteFunc(slices.Clone(missing), func(name string) bool { return strings.HasSuffix(name, "/") })
	switch {
	case len(files) == 0:
		return ""
	case len(files) <= named:
		return "without " + strings.Join(files, ", ")
	}
	return plural(len(files), "file") + " missing"
}

// A keptBundle is a bundle that is stored, and the snapshot that it is.
type keptBundle struct {
	sqlite.Imported
	snapshot *model.Snapshot
}

// keepBundle stores a bundle with its analysis. The source says for people where it came from.
func keepBundle(ctx context.Context, store *sqlite.Store, opts importOptions, path, source string) (k keptBundle, err error) {
	bundle, closer, err := bundleAt(path)
	if err != nil {
		return k, err
	}
	defer closer.Close()
	if k.snapshot, err = readBundle(bundle, opts.keepGoing); err != nil {
		return k, err
	}
	if name := exampleOf(path); name != "" {
		k.snapshot.Cluster = name // its master may have the name of a real one
	}
	k.snapshot.Identity.Given = opts.cluster
	if k.Imported, err = store.Import(ctx, bundle, source, k.snapshot); err != nil {
		return k, fmt.Errorf("store %s: %w", path, err)
	}
	k.snapshot.Cluster = k.Imported.Cluster
	if !k.Existed && !opts.noAnalysis {
		err = store.SetAnalysis(ctx, k.ID, analyse(k.snapshot))
	}
	return k, err
}
