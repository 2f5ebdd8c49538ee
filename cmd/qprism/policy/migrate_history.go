package policy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/past"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/migrate"
	"qprism/engine/model"
	"qprism/importer/gridengine"
)

// pastOptions choose the snapshots for the migration and its proof.
type pastOptions struct {
	cluster      string
	since, until string
	most         int // stored snapshots
	keepGoing    bool
}

// mostHistory is how many stored snapshots a migration takes: each is compared under every candidate, with
// all that came before.
const mostHistory = 60

func addPast(c *cobra.Command, opts *pastOptions) {
	c.Flags().StringVar(&opts.cluster, "cluster", "",
		"the `cluster` whose stored history is used (default: the cluster of the latest snapshot)")
	c.Flags().StringVar(&opts.since, "since", "", "ignore stored snapshots before this `moment`: "+cli.MomentForms)
	c.Flags().StringVar(&opts.until, "until", "", "ignore stored snapshots after this `moment`: the "+
		"last one before it is translated")
	c.Flags().IntVar(&opts.most, "most", mostHistory,
		"use at most this `number` of stored snapshots, at even intervals")
	c.Flags().BoolVar(&opts.keepGoing, "keep-going", false, "skip records that cannot be read, and list them")
}

// chosen says whether stored snapshots are chosen by more than their numbers.
func (o *pastOptions) chosen() bool { return o.cluster+o.since+o.until != "" }

// A historyItem is a snapshot of a history. If later questions need them, it also has its files.
type historyItem struct {
	name     string
	snapshot *model.Snapshot
	open     func() (fs.FS, io.Closer, error)
}

// readMigration reads bundles, or stored snapshots, as the history of one cluster.
func readMigration(ctx context.Context, d *cli.Deps, opts pastOptions, args []string) (*migration, error) {
	m := &migration{again: "BUNDLE..."}
	if len(args) == 0 {
		numbers, all, err := storedHistory(ctx, d, &opts)
		if err != nil {
			return nil, err
		}
		args = numbers
		if len(numbers) < all {
			m.sampled = all
		}
		m.again = "--cluster " + cli.ShellWord(opts.cluster)
	} else if opts.chosen() {
		return nil, errors.New("give bundles, or --cluster, --since and --until, not both")
	}
	var all []historyItem
	for _, arg := range args {
		one, err := loadItem(ctx, d, arg, opts.keepGoing)
		if err != nil {
			return nil, err
		}
		if first := append(all, *one)[0].snapshot; one.snapshot.System != first.System ||
			one.snapshot.Cluster != first.Cluster {
			return nil, fmt.Errorf("%s is from %s, but %s is from %s: give bundles of one cluster", args[0],
				clusterName(first), arg, clusterName(one.snapshot))
		}
		all = append(all, *one)
	}
	slices.SortStableFunc(all, func(a, b historyItem) int {
		return cmp.Or(a.snapshot.TakenAt.Compare(b.snapshot.TakenAt), cmp.Compare(a.name, b.name))
	})
	for _, one := range all {
		m.names, m.history = append(m.names, one.name), append(m.history, one.snapshot)
	}
	if s := m.newest(); !migrate.Translates(s) {
		return nil, fmt.Errorf("these bundles are already from %s; qprism translates from Grid Engine", s.System.Name())
	}
	return m, m.readLines(&all[len(all)-1])
}

// readLines reads the lines of the snapshot that is translated.
func (m *migration) readLines(newest *historyItem) error {
	files, closer, err := newest.open()
	if err != nil {
		return err
	}
	defer closer.Close()
	m.lines, err = gridengine.Lines(files)
	return err
}

// clusterName names a system and its cluster.
func clusterName(s *model.Snapshot) string {
	return s.System.Name() + " " + cmp.Or(s.Cluster, "a cluster without a name")
}

// loadItem reads a bundle, or the stored snapshot of a number that names no file.
func loadItem(ctx context.Context, d *cli.Deps, arg string, keepGoing bool) (*historyItem, error) {
	one := &historyItem{name: arg, open: func() (fs.FS, io.Closer, error) { return past.BundleOf(ctx, d, arg) }}
	if id, err := strconv.ParseInt(arg, 10, 64); err == nil {
		if _, err := os.Stat(arg); err != nil {
			one.name = "snapshot " + arg
			one.snapshot, err = subject.LoadStored(ctx, d, id)
			return one, err
		}
	}
	files, closer, err := subject.BundleAt(arg)
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	if one.snapshot, err = subject.ReadBundle(files, keepGoing); err != nil {
		return nil, fmt.Errorf("%s: %w", arg, err)
	}
	return one, nil
}

// storedHistory returns the numbers of a cluster's stored snapshots in a period, evenly chosen, and how many
// there are. It notes the cluster in the options.
func storedHistory(ctx context.Context, d *cli.Deps, opts *pastOptions) (numbers []string, all int, err error) {
	if opts.most < 1 {
		return nil, 0, fmt.Errorf("--most %d: at least one snapshot is translated", opts.most)
	}
	cluster, list, err := past.Stored(ctx, d, opts.cluster, opts.since, opts.until)
	if err != nil {
		return nil, 0, err
	}
	opts.cluster = cluster
	if len(list) == 0 {
		return nil, 0, fmt.Errorf("the store has no snapshot of %s from that time; \"qprism db list\" lists the snapshots",
			show.Printable(opts.cluster))
	}
	for _, i := range thinned(list, opts.most) {
		numbers = append(numbers, strconv.FormatInt(i.ID, 10))
	}
	return numbers, len(list), nil
}

// thinned shortens a list to a number of elements, with equal gaps between them. It always keeps the last
// one.
func thinned[T any](list []T, most int) (some []T) {
	if len(list) <= most {
		return list
	}
	for i := 1; i <= most; i++ {
		some = append(some, list[i*len(list)/most-1])
	}
	return some
}
