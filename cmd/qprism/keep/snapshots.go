package keep

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
)

func newSnapshots(d *cli.Deps) *cobra.Command {
	return &cobra.Command{
		Use:     "snapshots",
		Short:   "List the stored snapshots",
		Long:    "snapshots lists what import has stored, oldest first.",
		Example: "  qprism snapshots\n  qprism snapshots --format json",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return runSnapshots(c.Context(), d, c.OutOrStdout())
		},
	}
}

// jsonSnapshot is a stored snapshot as JSON.
type jsonSnapshot struct {
	ID      int64   `json:"snapshot"`
	Cluster string  `json:"cluster"`
	Release string  `json:"release"`
	TakenAt *string `json:"taken_at"`
	Source  string  `json:"source"`
	Jobs    int     `json:"jobs"`
	Running int64   `json:"running"`
	Pending int64   `json:"pending"`
}

func runSnapshots(ctx context.Context, d *cli.Deps, w io.Writer) error {
	store, err := subject.OpenStore(d)
	if err != nil {
		return err
	}
	defer store.Close()
	list, err := store.Snapshots(ctx)
	if err != nil {
		return err
	}
	out := d.Output(w)
	if d.Format == "json" {
		rows := make([]jsonSnapshot, 0, len(list))
		for _, i := range list {
			rows = append(rows, jsonSnapshot{ID: i.ID, Cluster: i.Cluster, Release: i.Release.String(), TakenAt: show.Rfc3339(i.TakenAt), Source: i.Source,
				Jobs: i.Jobs, Running: i.Running, Pending: i.Pending})
		}
		return out.JSON(rows)
	}
	t := show.Sheet{Columns: show.Columns(">snapshot", "cluster", "release", "taken", ">jobs", ">running tasks", ">waiting tasks", "source")}
	for _, i := range list {
		t.Add(fmt.Sprint(i.ID), i.Cluster, i.Release.String(), out.Moment(i.TakenAt), fmt.Sprint(i.Jobs), fmt.Sprint(i.Running), fmt.Sprint(i.Pending), i.Source)
	}
	if err := out.Sheet(t); err != nil {
		return err
	}
	out.Say("")
	if n := len(list); n > 0 {
		out.Say("%s", d.Hints("").In(fmt.Sprintf("Next: qprism audit --snapshot %d recomputes the last one.", list[n-1].ID)))
	}
	return nil
}
