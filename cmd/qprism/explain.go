package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"qprism/engine/explain"
	"qprism/engine/model"
)

type explainOptions struct {
	selection
	at  string
	all bool
}

func newExplain(d *deps) *cobra.Command {
	var opts explainOptions
	c := &cobra.Command{
		Use:   "explain JOB [BUNDLE]",
		Short: "Why a job is where it is in the queue, in words and numbers",
		Long: `explain takes a job's priority apart: each term with its weight, its normalized and its raw
value and what that is made of; which other job shaped a normalized number; which policies
tell no two jobs apart, and why; and what would move the job past the next one ahead.

Of Grid Engine it explains the last run (the numbers that qstat shows), of PBS what the next
cycle sorts by. JOB is a number, 4711.3 a task, 12[3] a subjob of PBS. JSON has the whole
derivation as a tree.`,
		Example: `  qprism explain 4711 cluster.tar.gz
  qprism explain 4711 --at 2026-11-21T08:00:00Z
  qprism explain 4711 --format json | jq '.criteria[0].term'`,
		RunE: func(c *cobra.Command, args []string) error {
			return runExplain(c.Context(), d, opts, args, c.OutOrStdout())
		},
	}
	addSelection(c, &opts.selection)
	addAt(c, &opts.at)
	c.Args = cobra.RangeArgs(1, 2)
	c.Flags().BoolVar(&opts.all, "all", false, "print every term, those that add nothing too")
	return c
}

// addAt gives a command the flag that chooses a stored snapshot by time.
func addAt(c *cobra.Command, at *string) {
	c.Flags().StringVar(at, "at", "", "work on the last stored snapshot taken at that `moment` or before: "+momentForms)
}

func runExplain(ctx context.Context, d *deps, opts explainOptions, args []string, w io.Writer) error {
	s, sc, err := d.scene(ctx, &opts.selection, opts.at, args[1:])
	if err != nil {
		return err
	}
	id, err := s.system.inScene(args[0])
	if err != nil {
		return err
	}
	e, err := sc.Explain(id)
	if err != nil {
		return withList(err)
	}
	switch out := d.output(w); d.format {
	case "json":
		return out.json(explanationJSON(s, e))
	case "csv", "tsv":
		return out.sheet(explanationSheet(e))
	default:
		p := &explanationText{out: out, colour: coloured(w), all: opts.all}
		p.print(s, sc, e)
		return p.write()
	}
}

// withList says where jobs are listed, to who names one that is not there.
func withList(err error) error {
	if errors.Is(err, explain.ErrNoJob) {
		return fmt.Errorf("%w; qprism priorities lists those that are", err)
	}
	return err
}

// scene loads a snapshot and recomputes what its jobs are explained in.
func (d *deps) scene(ctx context.Context, sel *selection, at string, args []string) (*subject, *explain.Scene, error) {
	asked, err := d.chooseByTime(ctx, sel, at, args)
	if err != nil {
		return nil, nil, err
	}
	s, err := d.subject(ctx, sel, args)
	if err != nil {
		return nil, nil, err
	}
	s.asked = asked
	sc, err := s.system.scene()
	return s, sc, err
}

// scene is the last run of Grid Engine.
func (s gridEngine) scene() (*explain.Scene, error) {
	sc, err := explain.NewScene(s.Snapshot, s.look)
	if errors.Is(err, explain.ErrNoRun) {
		return nil, fmt.Errorf("%w: %s", err, strings.TrimSuffix(whyUnknown(s.Snapshot), "."))
	}
	return sc, err
}

// inScene is the number of a job, or of a task: "4711.3".
func (gridEngine) inScene(job string) (string, error) { return job, nil }

// inScene is the whole id of a job; of a subjob that has not started, its array's.
func (s openPBS) inScene(job string) (string, error) {
	j, err := s.find(job)
	if err != nil {
		return "", err
	}
	return j.PBS.ID, nil
}

// scene is the next cycle of PBS.
func (s openPBS) scene() (*explain.Scene, error) {
	if err := s.lacks(false); err != nil {
		return nil, err
	}
	if _, err := s.moment(); err != nil {
		return nil, err
	}
	return explain.NewScene(s.Snapshot, s.look)
}

// chooseByTime makes the selection name the stored snapshot of a time, which it returns; zero where none was asked for.
func (d *deps) chooseByTime(ctx context.Context, sel *selection, at string, args []string) (asked time.Time, err error) {
	if at == "" {
		return asked, nil
	}
	if len(args) > 0 || sel.snapshot != 0 {
		return asked, errors.New("--at chooses among stored snapshots: give no bundle and no --snapshot with it")
	}
	if asked, err = parseMoment(at); err != nil {
		return asked, fmt.Errorf("--at %w", err)
	}
	sel.snapshot, err = d.snapshotAt(ctx, sel.cluster, asked)
	sel.cluster = "" // the snapshot is of that one
	return asked, err
}

// describe says which job it is, and what it asks for where that is given.
func describe(j *model.Job, id, asks string, out output) string {
	text := "job " + id
	if j.Name != "" {
		text += fmt.Sprintf(" %q", j.Name)
	}
	if j.Owner != "" {
		text += " of " + j.Owner
	}
	if j.Project != "" && j.Project != "_pbs_project_default" {
		text += ", project " + j.Project
	}
	if j.Department != "" && j.Department != "defaultdepartment" {
		text += ", department " + j.Department
	}
	if asks != "" {
		text += ", " + asks
	}
	if !j.Submitted.IsZero() {
		text += ", submitted " + out.moment(j.Submitted) + " UTC"
	}
	return text
}
