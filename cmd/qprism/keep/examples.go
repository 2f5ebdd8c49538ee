package keep

import (
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/fixtures/examples"
)

func newExamples(d *cli.Deps) *cobra.Command {
	c, _ := cli.Command(d, "examples", runExamples)
	c.Args = cobra.NoArgs
	return c
}

func runExamples(_ context.Context, d *cli.Deps, _ struct{}, _ []string, w io.Writer) error {
	out := d.Output(w)
	var rows []example
	t := show.NewSheet("bundle", "shows", "steps")
	for _, e := range examples.All {
		steps, err := e.Steps()
		if err != nil {
			return err
		}
		rows = append(rows, example{subject.ExampleMark + e.Name, e.About, e.Step, steps})
		t.Add(subject.ExampleMark+e.Name, e.About, strings.Join(steps, " "))
	}
	if d.Format == "json" {
		return out.JSON(rows)
	}
	out.Sheet(t)
	out.Say("\nNext: %s", show.Step("list the jobs of an example by priority", "qprism priorities example:three-users"))
	out.Say("Or: %s", show.Step("use the bundle of one step", "qprism plan example:large-parallel/run2/before"))
	out.Say("Or: %s", show.Step("list clusters that a text file describes", "qprism lab"))
	return nil
}

// An example is a worked case.
type example struct {
	Bundle string   `json:"bundle"`
	About  string   `json:"about"`
	Step   string   `json:"step"`
	Steps  []string `json:"steps"`
}
