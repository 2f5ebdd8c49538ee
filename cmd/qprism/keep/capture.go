package keep

import (
	"context"
	"io"
	"time"

	"github.com/spf13/cobra"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/subject"
	"qprism/importer/collect"
)

func newCapture(d *cli.Deps) *cobra.Command {
	c, opts := cli.Command(d, "capture", RunCapture)
	*opts = subject.CaptureOptions{Collect: collect.Routine(), Deadline: 5 * time.Minute}
	cli.Prints(c, "table json")
	c.Args = cobra.NoArgs
	subject.AddReach(c, &opts.Reach)
	f, o := c.Flags(), &opts.Collect
	f.StringVarP(&opts.Output, "output", "o", "", "write the archive to this `file` (default MASTER-DATE.tar.gz)")
	f.BoolVar(&opts.Replace, "replace", false, "replace the file if it exists")
	f.BoolVar(&opts.Anonymize, "anonymize", false,
		"replace all names, so you can give the bundle to others (see qprism anonymize)")
	f.StringVar(&opts.Key, "key", "", "keep the pseudonyms of --anonymize in this `file`, and use those in it")
	cli.SpanVar(f, &opts.Deadline, "deadline", "give up after this `long`")
	f.BoolVar(&o.Full, "full", false, "capture the whole configuration, also recently captured parts")
	f.BoolVar(&o.Tasks, "tasks", false, "list each waiting array task, not each array job")
	f.BoolVar(&o.Environment, "environment", false, "keep the environment variables of jobs, which may contain passwords")
	f.IntVar(&o.Accounting, "accounting", o.Accounting, "the last `megabytes` of the accounting file, 0 for none")
	f.IntVar(&o.Records, "records", o.Records,
		"the last `megabytes` of the schedule and messages files or the scheduler log, 0 for none")
	f.IntVar(&o.Reporting, "reporting", o.Reporting, "the last `megabytes` of the reporting file")
	cli.SpanVar(f, &o.ConfigAge, "config-age", "how `old` rarely changed configuration may be")
	cli.SpanVar(f, &o.Slow, "slow", "how `long` the answer to a small command may take")
	f.StringVar(&o.Scheduler, "scheduler", "", "if a PBS server has several schedulers: the one of this `name`")
	return c
}

func RunCapture(ctx context.Context, d *cli.Deps, opts subject.CaptureOptions, _ []string, w io.Writer) error {
	if err := opts.Check(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, opts.Deadline)
	defer cancel()
	report, file, err := opts.Capture(ctx, d)
	if err != nil {
		return err
	}
	out := d.Output(w)
	if d.Format == "json" {
		return out.JSON(subject.JSONReport(report, file))
	}
	return subject.PrintCaptured(out, report, file)
}
