package keep

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/fixtures/examples"
)

func newExamples(d *cli.Deps) *cobra.Command {
	return &cobra.Command{
		Use:   "examples",
		Short: "Worked cases of the documents, to try every command on",
		Long: `examples lists recordings of real masters that played the worked cases of the documents.
They are part of the program: give "example:NAME" wherever a command takes a bundle. Each
has several steps, the bundles before and after each scheduler run; "example:NAME" alone is
the one that the example is about, "example:NAME/run1/before" any other. Imported, it is a
cluster of that name in the store: qprism db forget example:NAME deletes it.`,
		Example: `  qprism priorities example:three-users
  qprism lint example:departments
  qprism plan example:licence-reservation/run1/before --compare-with example:licence-reservation/run1/after
  qprism shares example:pbs-tree`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runExamples(d, c.OutOrStdout()) },
	}
}

func runExamples(d *cli.Deps, w io.Writer) error {
	out := d.Output(w)
	var rows []example
	t := show.Sheet{Columns: show.Columns("bundle", "shows", "steps")}
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
	if err := out.Sheet(t); err != nil {
		return err
	}
	out.Say("\nNext: qprism priorities example:three-users")
	return nil
}

// An example is a worked case.
type example struct {
	Bundle string   `json:"bundle"`
	About  string   `json:"about"`
	Step   string   `json:"step"`
	Steps  []string `json:"steps"`
}
