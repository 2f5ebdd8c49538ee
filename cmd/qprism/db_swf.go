package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"qprism/engine/model"
	"qprism/importer/swf"
)

func newSWF(d *deps) *cobra.Command {
	var cluster string
	c := &cobra.Command{
		Use:   "swf [BUNDLE|FILE.swf]...",
		Short: "Write the jobs that ended as a log in the Standard Workload Format",
		Long: `swf writes the jobs that ended, as the accounting of bundles or of all stored snapshots tells, in the
Standard Workload Format: one line of 18 numbers a task. Comments of the header say which users,
queues and programs the numbers stand for. A log in the format (FILE.swf) is read as well.`,
		Example: `  qprism db swf >cluster.swf
  qprism db swf cluster.tar.gz`,
		RunE: func(c *cobra.Command, args []string) error {
			return runSWF(c.Context(), d, cluster, args, c.OutOrStdout())
		},
	}
	c.Flags().StringVar(&cluster, "cluster", "", "the `cluster` (default: that of the latest snapshot)")
	return c
}

func runSWF(ctx context.Context, d *deps, cluster string, args []string, w io.Writer) error {
	var tasks endedTasks
	if len(args) == 0 {
		name, err := tasks.addStored(ctx, d, cluster)
		if err != nil {
			return err
		}
		cluster = name
	}
	for _, path := range args {
		name, err := tasks.addFile(path)
		if err != nil {
			return err
		}
		if cluster == "" {
			cluster = name
		}
	}
	if len(tasks.list) == 0 {
		return fmt.Errorf("no job is known to have ended: the bundles hold no accounting")
	}
	return swf.Write(w, swf.Of(tasks.list, cluster))
}

// endedTasks are tasks that ended, each once.
type endedTasks struct {
	list []model.EndedTask
	seen map[endedKey]bool
}

type endedKey struct {
	job, task      uint32
	started, ended time.Time
}

func (e *endedTasks) add(list []model.EndedTask) {
	if e.seen == nil {
		e.seen = map[endedKey]bool{}
	}
	for _, t := range list {
		if k := (endedKey{t.Job, t.Task, t.Started, t.Ended}); !e.seen[k] {
			e.seen[k] = true
			e.list = append(e.list, t)
		}
	}
}

func (e *endedTasks) addSnapshot(s *model.Snapshot) {
	e.add(s.Ended)
	if s.PBS != nil {
		e.add(endedOfPBS(s.PBS.Accounting))
	}
}

func (e *endedTasks) addStored(ctx context.Context, d *deps, cluster string) (string, error) {
	store, err := d.openStore()
	if err != nil {
		return "", err
	}
	defer store.Close()
	if cluster, err = clusterOf(ctx, store, cluster); err != nil {
		return "", err
	}
	infos, err := store.Snapshots(ctx)
	if err != nil {
		return "", err
	}
	for _, i := range infos {
		if i.Cluster != cluster {
			continue
		}
		s, err := store.Snapshot(ctx, i.ID)
		if err != nil {
			return "", err
		}
		e.addSnapshot(s)
	}
	return cluster, nil
}

// addFile adds the tasks of a bundle or log, and returns whose they are.
func (e *endedTasks) addFile(path string) (string, error) {
	if !strings.HasSuffix(path, ".swf") {
		s, err := loadBundle(path, false)
		if err != nil {
			return "", err
		}
		e.addSnapshot(s)
		return s.Cluster, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	l, err := swf.Read(f)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	e.add(l.Ended())
	return l.Value("Computer"), nil
}

// endedOfPBS are the jobs that E records of the accounting tell of.
func endedOfPBS(records []model.AccountingRecord) (list []model.EndedTask) {
	for i := range records {
		r := &records[i]
		if r.Type != "E" {
			continue
		}
		number, rest, _ := strings.Cut(strings.SplitN(r.ID, ".", 2)[0], "[")
		t := model.EndedTask{Job: uint32(count(number)), Task: 1, Name: r.Value("jobname"), Owner: r.Value("user"), Group: r.Value("group"),
			Project: r.Value("project"), Queue: r.Value("queue"), Slots: int(count(r.Value("Resource_List.ncpus"))),
			Submitted: unixTime(r.Value("ctime")), Started: unixTime(r.Value("start")), Ended: unixTime(r.Value("end")),
			ExitStatus: int(count(r.Value("Exit_status"))), Wallclock: clockTime(r.Value("resources_used.walltime")),
			CPU: clockTime(r.Value("resources_used.cput")).Seconds()}
		if index := count(strings.TrimSuffix(rest, "]")); rest != "" {
			t.Task, t.Array = uint32(index), true
		}
		if asked := clockTime(r.Value("Resource_List.walltime")); asked > 0 {
			t.Category = fmt.Sprintf("-l h_rt=%.0f", asked.Seconds())
		}
		list = append(list, t)
	}
	return slices.Clip(list)
}

// count is a number that is not negative, 0 for none; a negative exit status is 1.
func count(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 32)
	switch {
	case err != nil:
		return 0
	case n < 0:
		return 1
	}
	return n
}

func unixTime(text string) time.Time {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n <= 0 {
		return time.Time{}
	}
	return time.Unix(n, 0).UTC()
}

// clockTime is a duration such as 01:30:00, 0 for none.
func clockTime(text string) time.Duration {
	total := int64(0)
	for _, part := range strings.Split(text, ":") {
		n, err := strconv.ParseInt(part, 10, 32)
		if err != nil || n < 0 {
			return 0
		}
		total = 60*total + n
	}
	return time.Duration(total) * time.Second
}
