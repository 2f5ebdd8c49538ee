package main

import (
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"qprism/fixtures/examples"
	"qprism/importer"
)

// exampleMark begins the name of a bundle that is part of the program.
const exampleMark = "example:"

func newExamples(d *deps) *cobra.Command {
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

func runExamples(d *deps, w io.Writer) error {
	out := d.output(w)
	type row struct {
		Bundle string   `json:"bundle"`
		About  string   `json:"about"`
		Step   string   `json:"step"`
		Steps  []string `json:"steps"`
	}
	var rows []row
	t := sheet{columns: columns("bundle", "shows", "steps")}
	for _, e := range examples.All {
		steps, err := e.Steps()
		if err != nil {
			return err
		}
		rows = append(rows, row{exampleMark + e.Name, e.About, e.Step, steps})
		t.add(exampleMark+e.Name, e.About, strings.Join(steps, " "))
	}
	if d.format == "json" {
		return out.json(rows)
	}
	if err := out.sheet(t); err != nil {
		return err
	}
	out.say("\nNext: qprism priorities example:three-users")
	return nil
}

// bundleAt opens a bundle of the file system, or one of the examples.
func bundleAt(path string) (fs.FS, io.Closer, error) {
	name, isExample := strings.CutPrefix(path, exampleMark)
	if !isExample {
		return importer.Open(path)
	}
	name, step, _ := strings.Cut(name, "/")
	e, known := examples.Find(name)
	if !known {
		return nil, nil, fmt.Errorf("there is no example %q; qprism examples lists them", name)
	}
	if step = strings.Trim(step, "/"); step == "" {
		step = e.Step
	}
	files, err := e.Open()
	if err != nil {
		return nil, nil, err
	}
	bundle, err := importer.Within(files, exampleMark+name, step)
	return bundle, nothingToClose{}, err
}

// exampleOf is the cluster that snapshots of an example are stored as; empty for other bundles.
func exampleOf(path string) string {
	name, isExample := strings.CutPrefix(path, exampleMark)
	if !isExample {
		return ""
	}
	name, _, _ = strings.Cut(name, "/")
	return exampleMark + name
}

// nothingToClose closes what is in memory.
type nothingToClose struct{}

func (nothingToClose) Close() error { return nil }
