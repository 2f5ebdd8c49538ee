package keep

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/fixtures/labs"
)

type labOptions struct {
	set    []string
	output string
}

func newLab(d *cli.Deps) *cobra.Command {
	c, opts := cli.Command(d, "lab [LAB]", runLab)
	c.Args = cobra.MaximumNArgs(1)
	c.Flags().StringArrayVar(&opts.set, "set", nil,
		"with -o: change a setting, as `KEY=VALUE` or KIND/NAME/KEY=VALUE; may be repeated")
	c.Flags().StringVarP(&opts.output, "output", "o", "", "write the bundle into this new `folder`")
	return c
}

// A labRow is a lab of the list.
type labRow struct {
	Lab   string `json:"lab"`
	About string `json:"about"`
}

func listLabs(out show.Output, opts labOptions) error {
	if opts.output != "" || len(opts.set) > 0 {
		return errors.New("--set and -o need a lab; \"qprism lab\" lists the built-in labs")
	}
	rows := []labRow{}
	t := show.NewSheet("lab", "shows")
	for _, name := range labs.Names() {
		text, _ := labs.Text(name)
		rows = append(rows, labRow{subject.LabMark + name, labs.About(text)})
		t.Add(subject.LabMark+name, labs.About(text))
	}
	if out.Format == "json" {
		return out.JSON(rows)
	}
	out.Sheet(t)
	out.Say("\nNext: %s", show.Step("write a lab, change it, and use it as a bundle",
		"qprism lab three-users > mine.lab && qprism priorities lab:mine.lab"))
	return nil
}

// runLab prints a lab, or writes its bundle; without a name it lists the labs.
func runLab(_ context.Context, d *cli.Deps, opts labOptions, args []string, w io.Writer) error {
	if len(args) == 0 {
		return listLabs(d.Output(w), opts)
	}
	name := args[0]
	if opts.output == "" && len(opts.set) == 0 {
		text, _, err := subject.LabText(name)
		if err == nil {
			_, err = w.Write(text)
		}
		return err
	}
	if opts.output == "" {
		return errors.New("--set changes the bundle that -o writes; with other commands use lab:" + name + ",KEY=VALUE")
	}
	bundle, err := subject.Lab(name, opts.set)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(opts.output); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s already exists", opts.output)
	}
	if err := os.CopyFS(opts.output, bundle); err != nil {
		return err
	}
	output := show.Printable(opts.output)
	_, err = fmt.Fprintf(w, "Written to %s.\nNext: %s\n", output, show.Step("list its jobs by priority", "qprism priorities "+output))
	return err
}
