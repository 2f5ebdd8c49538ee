package keep

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"qprism/adapters/sqlite"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
)

func newCheck(d *cli.Deps) *cobra.Command {
	c, remove := cli.Command(d, "check", runCheck)
	c.Args = cobra.NoArgs
	c.Flags().BoolVar(remove, "remove", false, "delete what is damaged")
	return c
}

// jsonCheck is what check found and did.
type jsonCheck struct {
	Damaged []jsonDamage `json:"damaged"`
	Removed bool         `json:"removed"`
	Left    []jsonDamage `json:"left"` // after --remove
}

type jsonDamage struct {
	Kind string `json:"kind"` // snapshot, analysis, push, drive or file
	ID   int64  `json:"id"`
	Text string `json:"text"`
}

func runCheck(ctx context.Context, d *cli.Deps, remove bool, _ []string, w io.Writer) error {
	store, err := openToCheck(d, remove)
	if err != nil {
		return err
	}
	defer store.Close()
	found, err := store.Check(ctx)
	if err != nil {
		return err
	}
	r := jsonCheck{Damaged: damages(found), Left: damages(found)}
	if remove && len(found) > 0 {
		left, err := store.Remove(ctx, found)
		if err != nil {
			return err
		}
		r.Removed, r.Left = true, damages(left)
	}
	if err := r.print(d.Output(w), d); err != nil {
		return err
	}
	if len(r.Left) > 0 {
		return fmt.Errorf("the store %s is damaged", d.Store)
	}
	return nil
}

// openToCheck opens the store to read it, or to change it as well.
func openToCheck(d *cli.Deps, change bool) (*sqlite.Store, error) {
	if change {
		return subject.OpenToWrite(d)
	}
	return subject.OpenStore(d)
}

func damages(found []sqlite.Damage) []jsonDamage {
	list := []jsonDamage{}
	for _, f := range found {
		list = append(list, jsonDamage(f))
	}
	return list
}

func (r *jsonCheck) print(out show.Output, d *cli.Deps) error {
	switch out.Format {
	case "json":
		return out.JSON(r)
	case "csv", "tsv":
		t := show.NewSheet("kind", ">id", "what")
		for _, f := range r.Damaged {
			t.Add(f.Kind, fmt.Sprint(f.ID), f.Text)
		}
		return out.Sheet(t)
	}
	for _, f := range r.Damaged {
		fmt.Fprintf(out.W, "%s: %s\n", f.name(), show.Printable(f.Text))
	}
	switch {
	case len(r.Damaged) == 0:
		fmt.Fprintln(out.W, "the store has no damage")
	case !r.Removed:
		fmt.Fprintf(out.W, "\nNext: %s\n", show.Step("delete the damaged records", d.Hints("").Command("db check", "--remove")))
	case len(r.Left) == 0:
		fmt.Fprintln(out.W, "\nit is deleted; the rest of the store has no damage")
	default:
		fmt.Fprintln(out.W, "\nit is deleted, but this damage remains; restore the file from a backup:")
		for _, f := range r.Left {
			fmt.Fprintf(out.W, "%s: %s\n", f.name(), show.Printable(f.Text))
		}
	}
	return nil
}

func (f jsonDamage) name() string {
	if f.ID == 0 {
		return f.Kind
	}
	return fmt.Sprint(f.Kind, " ", f.ID)
}
