package keep

import (
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
	var opts labOptions
	c := &cobra.Command{
		Use:   "lab [LAB]",
		Short: "A cluster on paper: a policy and jobs as one types them, to try every command on",
		Long: `lab lists the labs of the program: the stories of the documents, a page each. With a name it
prints one, to be changed and kept as a file of your own.

Give "lab:NAME", "lab:FILE" or "lab:DIR" wherever a command takes a bundle: a folder holds dumps
(sched_conf.txt, complex.txt, share_tree.txt, queues/all.q.txt …, as qconf prints them) that stand
for the defaults of a release, and a file "lab" of lines. What is to be otherwise stands behind
commas: lab:NAME,weight_ticket=1,user/ann/fshare=300,urgency/slots=14.4,at=12:30.

A line is a host list, a setting, or a job; 26:00 is 2 o'clock of the next day:

  hosts node01 node02
  set weight_tickets_functional 1000000    of the scheduler's configuration; conf of the global one
  user ann fshare=100                      also project, department, queue, host, pe, checkpoint
  tree /groupA=60 /groupA/ann=10 /groupB=40
  complex licence lic INT <= YES YES 0 1000
  urgency slots 14.4
  12:00:30 ann: qsub -l licence=2,h_rt=1:0:0 -pe mpi 4 job.sh => all.q@node01=4 since 12:01
  at 12:05                                 the moment; else a second after the last job
  day 2026-10-22                           of all times; before them
  number 4711                              of the next job; the one after it has 4712

Behind => stands where a job runs already. -o writes the bundle that a master would give.`,
		Example: `  qprism lab
  qprism lab three-users > mine.lab
  qprism priorities lab:three-users --view ext
  qprism forecast lab:starvation,max_reservation=0`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listLabs(d.Output(c.OutOrStdout()), opts)
			}
			return runLab(d, c.OutOrStdout(), args[0], opts)
		},
	}
	c.Flags().StringArrayVar(&opts.set, "set", nil, "with -o: what is to be otherwise, as `KEY=VALUE` or KIND/NAME/KEY=VALUE; may be given again")
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
		return errors.New("--set and -o want a lab; qprism lab lists those of the program")
	}
	rows := []labRow{}
	t := show.Sheet{Columns: show.Columns("lab", "shows")}
	for _, name := range labs.Names() {
		text, _ := labs.Text(name)
		rows = append(rows, labRow{subject.LabMark + name, labs.About(text)})
		t.Add(subject.LabMark+name, labs.About(text))
	}
	if out.Format == "json" {
		return out.JSON(rows)
	}
	if err := out.Sheet(t); err != nil {
		return err
	}
	out.Say("\nNext: qprism lab three-users > mine.lab, and then qprism priorities lab:mine.lab")
	return nil
}

// runLab prints a lab, or writes its bundle.
func runLab(d *cli.Deps, w io.Writer, name string, opts labOptions) error {
	if opts.output == "" && len(opts.set) == 0 {
		text, _, err := subject.LabText(name)
		if err == nil {
			_, err = w.Write(text)
		}
		return err
	}
	if opts.output == "" {
		return errors.New("--set changes the bundle that -o writes; with other commands say lab:" + name + ",KEY=VALUE")
	}
	bundle, err := subject.Lab(name, opts.set)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(opts.output); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is there already", opts.output)
	}
	if err := os.CopyFS(opts.output, bundle); err != nil {
		return err
	}
	output := show.Printable(opts.output)
	_, err = fmt.Fprintf(w, "Written to %s. Next: qprism priorities %s\n", output, output)
	return err
}
