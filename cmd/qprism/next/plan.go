package next

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/model"
	"qprism/exporter/svg"
)

type planOptions struct {
	subject.Planning
	subject.JobFilter
	all         bool
	compare     bool
	compareWith string
	bundle      string
	logs        subject.MasterLogs
}

func newPlan(d *cli.Deps) *cobra.Command {
	c, opts := cli.Command(d, "plan [BUNDLE]", runPlan)
	cli.Prints(c, "table json csv schedule svg")
	subject.AddPlanning(c, &opts.Planning)
	subject.AddFilter(c, &opts.JobFilter)
	c.Flags().BoolVar(&opts.all, "all", false, "on a terminal, list all tasks and jobs; in JSON, list "+
		"all hosts of a reason")
	c.Flags().BoolVar(&opts.compare, "compare", false, "compare with the last run that the bundle records")
	c.Flags().StringVar(&opts.compareWith, "compare-with", "",
		"compare with a `bundle` taken after the run, or with the stored snapshot of that number")
	subject.AddMasterLogs(c, &opts.logs)
	return c
}

func runPlan(ctx context.Context, d *cli.Deps, opts planOptions, args []string, w io.Writer) error {
	s, err := subject.PlanSubject(ctx, d, &opts.Planning, args)
	if err != nil {
		return err
	}
	if opts.compare || opts.compareWith != "" {
		opts.bundle = subject.FirstArgument(args)
		return runCompare(ctx, d, s, opts, w)
	}
	at, err := s.Moment()
	if err := errors.Join(err, opts.Check(s.Snapshot)); err != nil {
		return err
	}
	p := opts.Plan(s.Snapshot, s.Batch.Plan(at.At))
	switch out := d.Output(w); d.Format {
	case "json":
		return writePlan(w, s, p, opts.all)
	case "schedule":
		return WriteSchedule(w, s.Snapshot, p.Lines)
	case "svg":
		return svg.Draw(w, s.Batch.Booked(p), s.Zone())
	default:
		if len(p.Decisions) == 0 && out.People() {
			subject.PrintHeader(out, s, at.At, at.Source)
			out.Say("%s", opts.None())
			return nil
		}
		return printPlan(out, s, at, p, opts.all)
	}
}

func startText(out show.Output, d *model.Decision) string {
	if d.Verdict == model.Never {
		return ""
	}
	return out.Moment(d.Start)
}

// lengthText is how long resources are booked for, with the allowance of DURATION_OFFSET.
func lengthText(d *model.Decision) string {
	if d.Verdict == model.Never {
		return ""
	}
	return show.SpanText(d.Duration)
}

func slotsText(grants []model.Grant) string {
	sum := 0
	for _, g := range grants {
		sum += g.Slots
	}
	if sum == 0 {
		return ""
	}
	return strconv.Itoa(sum)
}

// whereText names the queue instances of a task, the master's first. If there are several, it adds their slots.
func whereText(d *model.Decision) string {
	const named = 3
	var parts []string
	for i, g := range d.Slots {
		if i == named && len(d.Slots) > named+1 {
			parts = append(parts, fmt.Sprintf("… %d more", len(d.Slots)-named))
			break
		}
		if len(d.Slots) > 1 {
			parts = append(parts, fmt.Sprintf("%s=%d", g.Instance, g.Slots))
		} else {
			parts = append(parts, g.Instance)
		}
	}
	if len(d.Tied) > 0 {
		parts = append(parts, fmt.Sprintf("(or %s)", show.Plural(len(d.Tied), "other")))
	}
	return strings.Join(parts, " ")
}
