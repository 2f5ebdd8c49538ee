package queue

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/compat"
	"qprism/engine/model"
)

func newReleases(d *cli.Deps) *cobra.Command {
	return &cobra.Command{
		Use:   "releases [RELEASE]",
		Short: "Which releases are known, and what each does that its manual does not say",
		Long: `releases lists the releases of Grid Engine whose behaviour is known, and from which each
comes. With a release it lists what that one does and its manual does not say, or denies:
each fault with its effect, and the releases that have it too.`,
		Example: `  qprism releases
  qprism releases 8.1.9`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: cobra.FixedCompletions(compat.Names(), cobra.ShellCompDirectiveNoFileComp),
		Annotations:       map[string]string{cli.FormatsOf: "table json"},
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return printReleases(d.Output(c.OutOrStdout()))
			}
			return printRelease(d.Output(c.OutOrStdout()), args[0], c.OutOrStdout())
		},
	}
}

// jsonRelease is a release as JSON.
type jsonRelease struct {
	Name     string   `json:"release"`
	Product  string   `json:"product"`
	Versions string   `json:"versions"`
	After    string   `json:"after,omitempty"`
	New      []string `json:"new"`
	Gone     []string `json:"gone"`
	Quirks   int      `json:"quirks"`
}

// jsonQuirk is a quirk as JSON.
type jsonQuirk struct {
	ID       string   `json:"id"`
	What     string   `json:"what"`
	Releases []string `json:"releases"`
}

func releaseJSON(r *compat.Release) jsonRelease {
	j := jsonRelease{Name: r.Name, Product: r.Product, Versions: r.Versions, New: r.New(), Gone: r.Gone(), Quirks: len(r.Quirks())}
	if r.After != nil {
		j.After = r.After.Name
	}
	return j
}

func printReleases(out show.Output) error {
	if out.Format == "json" {
		var list []jsonRelease
		for _, r := range compat.Releases {
			list = append(list, releaseJSON(r))
		}
		return out.JSON(list)
	}
	t := show.Sheet{Columns: show.Columns("release", "product", "versions", "after", ">new", ">gone", ">faults")}
	for _, r := range compat.Releases {
		j := releaseJSON(r)
		t.Add(j.Name, j.Product, j.Versions, j.After, fmt.Sprint(len(j.New)), fmt.Sprint(len(j.Gone)), fmt.Sprint(j.Quirks))
	}
	if err := out.Sheet(t); err != nil {
		return err
	}
	out.Say("")
	out.Say("Others are followed as the nearest of these, and %q as the manual promises. Next: qprism releases 8.1.9 lists its faults.",
		compat.Fixed)
	return nil
}

// printRelease lists the quirks of a release, given by its name or a patch level.
func printRelease(out show.Output, name string, w io.Writer) error {
	r := compat.Named(name)
	if nearest, known := compat.Nearest(model.Release{Version: name}); r == nil && known {
		r = compat.Named(nearest)
	}
	if r == nil {
		return fmt.Errorf("no release %q is known; there are %s", name, show.InEnglish(compat.Names()[:len(compat.Releases)]))
	}
	if out.Format == "json" {
		list := []jsonQuirk{}
		for _, q := range r.Quirks() {
			list = append(list, jsonQuirk{q.ID, q.What, compat.With(&q)})
		}
		return out.JSON(list)
	}
	if !out.Terminal {
		t := show.Sheet{Columns: show.Columns("fault", "effect", "releases")}
		for _, q := range r.Quirks() {
			t.Add(q.ID, q.What, strings.Join(compat.With(&q), " "))
		}
		return out.Sheet(t)
	}
	for _, q := range r.Quirks() {
		fmt.Fprintf(w, "%-13s %s\n", q.ID, show.Wrapped(q.What+" ("+strings.Join(compat.With(&q), ", ")+")", strings.Repeat(" ", 14),
			show.Page-14))
	}
	return nil
}
