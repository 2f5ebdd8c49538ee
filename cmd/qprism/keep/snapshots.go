package keep

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"qprism/adapters/sqlite"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/model"
)

// newSnapshots is db list by its old name.
func newSnapshots(d *cli.Deps) *cobra.Command {
	c := newList(d)
	c.Use, c.Hidden = "snapshots", true
	return c
}

func newList(d *cli.Deps) *cobra.Command {
	c, _ := cli.Command(d, "list", runSnapshots)
	c.Args = cobra.NoArgs
	return c
}

// jsonSnapshot is a stored snapshot as JSON.
type jsonSnapshot struct {
	ID      int64     `json:"snapshot"`
	Cluster string    `json:"cluster"`
	Called  string    `json:"called"` // as its bundle calls it
	Release string    `json:"release"`
	TakenAt time.Time `json:"taken_at"`
	Source  string    `json:"source"`
	Jobs    int       `json:"jobs"`
	Running int64     `json:"running"`
	Pending int64     `json:"pending"`

	Identity map[string]string `json:"identity"`
}

func runSnapshots(ctx context.Context, d *cli.Deps, _ struct{}, _ []string, w io.Writer) error {
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
			rows = append(rows, jsonSnapshot{ID: i.ID, Cluster: i.Cluster, Called: i.Called,
				Release: i.Release.String(), TakenAt: i.TakenAt, Source: i.Source,
				Jobs: i.Jobs, Running: i.Running, Pending: i.Pending, Identity: i.Identity.Facts()})
		}
		return out.JSON(rows)
	}
	t := show.NewSheet(">snapshot", "cluster", "release", "taken", ">jobs", ">running tasks",
		">waiting tasks", "source")
	for _, i := range list {
		t.Add(fmt.Sprint(i.ID), i.Cluster, i.Release.String(), out.Moment(i.TakenAt), fmt.Sprint(i.Jobs),
			fmt.Sprint(i.Running), fmt.Sprint(i.Pending), i.Source)
	}
	out.Sheet(t)
	out.Say("")
	printClusterFacts(out, list)
	if n := len(list); n > 0 {
		last := fmt.Sprint(list[n-1].ID)
		out.Say("Next: %s", show.Step("recompute the run of snapshot "+last, d.Hints("").Command("audit", "--snapshot", last)))
	}
	return nil
}

// printClusterFacts prints the facts that distinguish clusters with the same name.
func printClusterFacts(out show.Output, list []sqlite.Info) {
	if !out.People() {
		return
	}
	known := map[string]map[string]model.Identity{} // by name in bundles, then by name in the store
	for _, i := range list {
		if known[i.Called] == nil {
			known[i.Called] = map[string]model.Identity{}
		}
		if i.Identity.Root != "" || known[i.Called][i.Cluster].Root == "" {
			known[i.Called][i.Cluster] = i.Identity
		}
	}
	for _, called := range slices.Sorted(maps.Keys(known)) {
		if len(known[called]) < 2 {
			continue
		}
		t := show.NewSheet("cluster", "how it differs from others of the same name")
		names := slices.Sorted(maps.Keys(known[called]))
		identities := make([]model.Identity, len(names))
		for k, name := range names {
			identities[k] = known[called][name]
		}
		for k, words := range model.Apart(identities) {
			t.Add(names[k], apart(identities[k], words))
		}
		out.Say("%d clusters are called %s:", len(names), show.Printable(cmp.Or(called, "nothing")))
		out.Sheet(t)
		out.Say("")
	}
}

// apart writes the facts that distinguish a cluster from others.
func apart(i model.Identity, words []string) string {
	if i.Given != "" {
		words = append([]string{"named by hand (--cluster)"}, words...)
	}
	if len(words) == 0 {
		return "not known: not in its bundles"
	}
	return strings.Join(words, "; ")
}
