package keep

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"qprism/adapters/sqlite"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/past"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
)

type ImportOptions struct {
	Cluster    string
	keepGoing  bool
	NoAnalysis bool
}

func newImport(d *cli.Deps) *cobra.Command {
	c, opts := cli.Command(d, "import BUNDLE...", runImport)
	cli.Prints(c, "table json")
	c.Args = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return errors.New("give the bundles to store, such as cluster.tar.gz; " +
				"scripts/capture-ge.sh makes one for Grid Engine, scripts/capture-pbs.sh for PBS")
		}
		return nil
	}
	c.Flags().StringVar(&opts.Cluster, "cluster", "",
		"store the bundles under this cluster `name`: for bundles that do not identify their cluster")
	c.Flags().BoolVar(&opts.keepGoing, "keep-going", false, "skip records that cannot be read, and list them")
	c.Flags().BoolVar(&opts.NoAnalysis, "no-analysis", false,
		"do not plan a run for each snapshot; \"qprism db analyse\" does it later")
	return c
}

func runImport(ctx context.Context, d *cli.Deps, opts ImportOptions, bundles []string, w io.Writer) error {
	store, err := subject.MakeStore(d)
	if err != nil {
		return err
	}
	defer store.Close()
	out := d.Output(w)
	t := show.NewSheet(">snapshot", "cluster", "release", "taken", ">jobs", "bundle", "note")
	if !out.Terminal {
		t.Columns = append(t.Columns, show.Columns(countNames...)...)
	}
	var read []*model.Snapshot
	for _, path := range bundles {
		stored, err := KeepBundle(ctx, store, opts, path, path)
		if err != nil {
			return err
		}
		warnOfRead(d.Warn(), path, stored.Snapshot)
		if d.Format == "json" {
			if err := out.JSON(stored.json(path)); err != nil {
				return err
			}
			continue
		}
		t.Rows = append(t.Rows, stored.row(path, out))
		read = append(read, stored.Snapshot)
	}
	if d.Format == "json" {
		return nil
	}
	out.Sheet(t)
	out.Say("")
	for i, s := range read {
		out.Say("From %s, qprism read %s.", show.Printable(bundles[i]), countText(s))
		for _, text := range queueTexts(s) {
			out.Say("  %s", text)
		}
	}
	out.Say("Next: %s", afterImport(d.Hints(""), read[len(read)-1], t.Rows[len(t.Rows)-1][0]))
	return nil
}

// afterImport returns a command that can answer about the snapshot, and what other commands lack.
func afterImport(h cli.Hints, s *model.Snapshot, id string) string {
	stored, list := []string{"--snapshot", id}, show.Step("list all snapshots", h.Command("db list"))
	batch := subject.NewSubject(s, "", lastrun.Options{}).Batch
	if batch.Guesses() == nil {
		return show.Step("recompute the run of snapshot "+id, h.Command("audit", stored...)) + "\nOr: " + list
	}
	if _, err := batch.Ranking("pri"); err == nil && len(s.Jobs) > 0 {
		return show.Step("list its jobs", h.Command("priorities", stored...)) + "\nOr: " + list +
			"\nAn audit and plans need more files (docs/how-to/capture.md)."
	}
	return fmt.Sprintf("%s\nNote: %v.", list, batch.Guesses())
}

// row describes a stored bundle.
func (k *KeptBundle) row(path string, out show.Output) []string {
	s := k.Snapshot
	note := ""
	switch {
	case k.Existed:
		note = "already stored"
	case len(s.LeftOut) > 0:
		note = show.Plural(len(s.LeftOut), "record") + " left out"
	default:
		note = withoutText(s.Missing)
	}
	if repairs := s.Repairs(); len(repairs) > 0 {
		note = show.Joined(", ", note, show.Plural(len(repairs), "place")+" repaired")
	}
	row := []string{fmt.Sprint(k.ID), s.Cluster, s.Release.String(), out.Moment(s.TakenAt),
		fmt.Sprint(len(s.Jobs)), path, note}
	if !out.Terminal {
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
	return show.Plural(len(files), "file") + " missing"
}

// A KeptBundle is a stored bundle and its snapshot.
type KeptBundle struct {
	sqlite.Imported
	Snapshot *model.Snapshot
}

// KeepBundle stores a bundle with its analysis. source tells people where the bundle came from.
func KeepBundle(ctx context.Context, store *sqlite.Store, opts ImportOptions, path, source string) (
	k KeptBundle, err error) {
	bundle, closer, err := subject.BundleAt(path)
	if err != nil {
		return k, err
	}
	defer closer.Close()
	if k.Snapshot, err = subject.ReadBundle(bundle, opts.keepGoing); err != nil {
		return k, err
	}
	if name := subject.ExampleOf(path); name != "" {
		k.Snapshot.Cluster = name // its master may have the name of a real one
	}
	k.Snapshot.Identity.Given = opts.Cluster
	if k.Imported, err = store.Import(ctx, bundle, source, k.Snapshot); err != nil {
		return k, fmt.Errorf("store %s: %w", path, err)
	}
	k.Snapshot.Cluster = k.Imported.Cluster
	if !k.Existed && !opts.NoAnalysis {
		err = store.SetAnalysis(ctx, k.ID, past.Analyze(k.Snapshot))
	}
	return k, err
}
