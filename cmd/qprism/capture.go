package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"qprism/adapters/local"
	"qprism/importer/collect"
)

type captureOptions struct {
	reach
	collect  collect.Options
	output   string
	replace  bool
	deadline time.Duration
}

func newCapture(d *deps) *cobra.Command {
	opts := captureOptions{collect: collect.Routine(), deadline: 5 * time.Minute}
	c := &cobra.Command{
		Use:   "capture",
		Short: "Make a bundle of a live cluster, over SSH or here",
		Long: `capture runs the cluster's own commands (qstat, qhost, qconf; qstat, pbsnodes, qmgr, pbsfs),
on this machine or over SSH, and keeps what they print as a bundle: the same one that
scripts/capture-ge.sh and scripts/capture-pbs.sh make. It only reads.

All commands run in one remote execution, at most 30 of them whatever the size of the
cluster. Configuration that seldom changes, of which some takes a call for each host, is
asked for again when it has become old, when names of its objects or other configuration
changed, or with --full; those calls are paced. A master that is slow to answer a small
question is left in peace. Of one cluster only one capture runs at a time.

The host's key must be known to ssh (known_hosts), and the login is by key. ~/.ssh/config
is read for Host, User, Port, IdentityFile, ProxyJump and the like.`,
		Example: `  qprism capture --from sge@master -o cluster.tar.gz
  qprism capture --full                       on the master itself, everything anew`,
		Args:        cobra.NoArgs,
		Annotations: map[string]string{formatsOf: "table json"},
		RunE: func(c *cobra.Command, _ []string) error {
			return runCapture(c.Context(), d, opts, c.OutOrStdout())
		},
	}
	addReach(c, &opts.reach)
	f, o := c.Flags(), &opts.collect
	f.StringVarP(&opts.output, "output", "o", "", "write the archive to this `file` (default MASTER-DATE.tar.gz)")
	f.BoolVar(&opts.replace, "replace", false, "replace the file if it exists")
	spanVar(f, &opts.deadline, "deadline", "give up after so `long`")
	f.BoolVar(&o.Full, "full", false, "capture all of the configuration, also what was captured lately")
	f.BoolVar(&o.Tasks, "tasks", false, "list each pending array task, not each array job")
	f.BoolVar(&o.Environment, "environment", false, "keep the jobs' environment variables, which may hold passwords")
	f.IntVar(&o.Accounting, "accounting", o.Accounting, "so many `megabytes` of the end of the accounting file, 0 for none")
	f.IntVar(&o.Records, "records", o.Records, "so many `megabytes` of the end of the schedule and messages files or the scheduler's log, 0 for none")
	f.IntVar(&o.Reporting, "reporting", o.Reporting, "so many `megabytes` of the end of the reporting file")
	spanVar(f, &o.ConfigAge, "config-age", "how `old` configuration that seldom changes may become")
	spanVar(f, &o.Slow, "slow", "how `long` the answer to a small question may take")
	f.StringVar(&o.Scheduler, "scheduler", "", "of several schedulers of a PBS server the one of this `name`")
	return c
}

func runCapture(ctx context.Context, d *deps, opts captureOptions, w io.Writer) error {
	if err := opts.check(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, opts.deadline)
	defer cancel()
	report, file, err := opts.capture(ctx, d)
	if err != nil {
		return err
	}
	out := d.output(w)
	if d.format == "json" {
		return out.json(jsonReport(report, file))
	}
	return printCaptured(w, report, file)
}

func (o captureOptions) check() error {
	for _, mb := range []int{o.collect.Accounting, o.collect.Records, o.collect.Reporting} {
		if mb < 0 || mb > 999 {
			return fmt.Errorf("%d megabytes: give 0 to 999", mb)
		}
	}
	if _, err := os.Stat(o.output); o.output != "" && err == nil && !o.replace {
		return fmt.Errorf("%s exists; --replace replaces it", o.output)
	}
	return nil
}

// capture makes a bundle in a folder beside the file, and the file of it.
func (o captureOptions) capture(ctx context.Context, d *deps) (*collect.Report, string, error) {
	folder, err := os.MkdirTemp(filepath.Dir(o.output), ".capture-")
	if err != nil {
		return nil, "", err
	}
	defer os.RemoveAll(folder)
	report, err := o.bundle(ctx, d, folder)
	if err != nil {
		return nil, "", err
	}
	file := o.output
	if file == "" {
		file = fmt.Sprintf("%s-%s.tar.gz", strings.ReplaceAll(strings.Trim(report.Master, "."), "/", "_"), report.Captured.UTC().Format("20060102T150405Z"))
	}
	return report, file, pack(folder, file)
}

// lockState takes the folder of what is kept of a cluster for one capture.
func lockState(folder string) (unlock func() error, err error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("make a place for what is kept between captures: %w", err)
	}
	unlock, err = local.Lock(filepath.Join(folder, "lock"))
	var held *local.LockedError
	if errors.As(err, &held) {
		return nil, fmt.Errorf("another capture of this cluster runs (%s); two at once would burden the master", held.Holder)
	}
	return unlock, err
}

// bundle reaches the cluster, asks who it is, and captures it.
func (o captureOptions) bundle(ctx context.Context, d *deps, folder string) (*collect.Report, error) {
	cluster, err := o.open(ctx)
	if err != nil {
		return nil, err
	}
	defer cluster.Close()
	site, err := collect.Identify(ctx, cluster)
	if err != nil {
		return nil, err
	}
	return o.bundleOf(ctx, d, cluster, site, folder)
}

// bundleOf captures a cluster of which it is known who it is. What is kept from one capture to the next is kept by that.
func (o captureOptions) bundleOf(ctx context.Context, d *deps, cluster collect.Runner, site *collect.Site, folder string) (*collect.Report, error) {
	o.collect.Site, o.collect.State = site, o.state(d, site)
	unlock, err := lockState(o.collect.State)
	if err != nil {
		return nil, err
	}
	defer func() { _ = unlock() }()
	return collect.Bundle(ctx, cluster, folder, o.collect)
}

// printCaptured says what was captured and what it cost.
func printCaptured(w io.Writer, r *collect.Report, file string) error {
	cost := r.Cost
	fmt.Fprintf(w, "%s, master %s: written to %s\n", printable(r.Release), printable(r.Master), printable(file))
	fmt.Fprintf(w, "%s in one remote execution ran for %v, the longest for %v (%s); %.1f MB",
		plural(cost.Commands, "command"), cost.Busy.Round(time.Millisecond), cost.Longest.Round(time.Millisecond), printable(cost.Slowest), float64(cost.Bytes)/1e6)
	if cost.Waited > 0 {
		fmt.Fprintf(w, "; %v of pauses for the master", cost.Waited.Round(time.Millisecond))
	}
	fmt.Fprintln(w)
	if len(r.Kept) > 0 {
		fmt.Fprintf(w, "kept from an earlier capture: %s; at most %v old, --full asks again\n", strings.Join(r.Kept, ", "), r.KeptAge.Round(time.Second))
	}
	for _, what := range r.Lacking {
		fmt.Fprintf(w, "not captured: %s\n", printable(what))
	}
	return nil
}

// jsonReport is a report as JSON.
func jsonReport(r *collect.Report, file string) any {
	return struct {
		File     string   `json:"file"`
		Release  string   `json:"release"`
		Master   string   `json:"master"`
		TakenAt  *string  `json:"taken_at"`
		Commands int      `json:"commands"`
		Busy     float64  `json:"busy_seconds"`
		Waited   float64  `json:"waited_seconds"`
		Bytes    int64    `json:"bytes"`
		Slowest  string   `json:"slowest"`
		Longest  float64  `json:"slowest_seconds"`
		Kept     []string `json:"kept"`
		KeptAge  float64  `json:"kept_age_seconds"`
		Lacking  []string `json:"lacking"`
	}{file, r.Release, r.Master, rfc3339(r.Captured), r.Cost.Commands, r.Cost.Busy.Seconds(), r.Cost.Waited.Seconds(), r.Cost.Bytes,
		r.Cost.Slowest, r.Cost.Longest.Seconds(), append([]string{}, r.Kept...), r.KeptAge.Seconds(), append([]string{}, r.Lacking...)}
}
