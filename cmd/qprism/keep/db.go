package keep

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/past"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/cmd/when"
)

func newDB(d *cli.Deps) *cobra.Command {
	c := &cobra.Command{Use: "db", Args: cobra.NoArgs}
	c.AddCommand(newList(d), newPrune(d), newForget(d), newAnalyse(d), newSWF(d), newCheck(d),
		newShare(d), newAnonymizeStored(d))
	return c
}

type PruneOptions struct {
	Keep string
	now  string
	try  bool
}

func newPrune(d *cli.Deps) *cobra.Command {
	c, opts := cli.Command(d, "prune --keep DURATION", RunPrune)
	c.Args = cobra.NoArgs
	c.Flags().StringVar(&opts.Keep, "keep", "", "how `long` to keep snapshots, such as 30d, 2w or 36h (required)")
	c.Flags().StringVar(&opts.now, "now", "", "count back from this `moment` instead of now: "+cli.MomentForms)
	c.Flags().BoolVar(&opts.try, "dry-run", false, "only show what would be deleted")
	_ = c.MarkFlagRequired("keep")
	return c
}

// JSONPruned is the result of prune.
type JSONPruned struct {
	Before  time.Time `json:"before"`
	Deleted []int64   `json:"deleted"`
	Left    int       `json:"left"`
	Bytes   int64     `json:"bytes"`
	Was     int64     `json:"bytes_before"`
	DryRun  bool      `json:"dry_run"`
}

func RunPrune(ctx context.Context, d *cli.Deps, opts PruneOptions, _ []string, w io.Writer) error {
	keep, err := when.Span(opts.Keep)
	if err != nil {
		return cli.InFlag("keep", err)
	}
	now, err := cli.MomentOf("now", cmp.Or(opts.now, "now"))
	if err != nil {
		return err
	}
	store, err := subject.OpenToWrite(d)
	if err != nil {
		return err
	}
	defer store.Close()
	r := JSONPruned{Before: now.Add(-keep).UTC(), Was: store.Size(), DryRun: opts.try, Deleted: []int64{}}
	old, err := store.Prune(ctx, now.Add(-keep), opts.try)
	if err != nil {
		return err
	}
	for _, i := range old {
		r.Deleted = append(r.Deleted, i.ID)
	}
	left, err := store.Snapshots(ctx)
	if err != nil {
		return err
	}
	r.Left, r.Bytes = len(left), store.Size()
	return r.print(d.Output(w))
}

func (r *JSONPruned) print(out show.Output) error {
	if out.Format == "json" {
		return out.JSON(r)
	}
	verb := "deleted"
	if r.DryRun {
		verb = "would delete"
	}
	fmt.Fprintf(out.W, "%s %s taken before %s; %d left; the store has %s, before %s\n", verb,
		show.Plural(len(r.Deleted), "snapshot"),
		r.Before.Format(time.RFC3339Nano), r.Left, BytesText(r.Bytes), BytesText(r.Was))
	return nil
}

// BytesText formats a size for people.
func BytesText(n int64) string {
	size := float64(n)
	for _, unit := range []string{"bytes", "kB", "MB"} {
		if size < 1000 {
			return fmt.Sprintf("%.4g %s", size, unit)
		}
		size /= 1000
	}
	return fmt.Sprintf("%.4g GB", size)
}

func newAnalyse(d *cli.Deps) *cobra.Command {
	c, _ := cli.Command(d, "analyse", runAnalyse)
	c.Args = cobra.NoArgs
	return c
}

func runAnalyse(ctx context.Context, d *cli.Deps, _ struct{}, _ []string, w io.Writer) error {
	store, err := subject.OpenToWrite(d)
	if err != nil {
		return err
	}
	defer store.Close()
	missing, err := store.Unanalyzed(ctx, past.Analysis)
	if err != nil {
		return err
	}
	for _, i := range missing {
		s, err := store.Snapshot(ctx, i.ID)
		if err != nil {
			return err
		}
		if err := store.SetAnalysis(ctx, i.ID, past.Analyze(s)); err != nil {
			return err
		}
	}
	fmt.Fprintf(w, "%s analysed\n", show.Plural(len(missing), "snapshot"))
	return nil
}
