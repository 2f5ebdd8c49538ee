package keep

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/subject"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
	"qprism/importer/swf"
)

func newSWF(d *cli.Deps) *cobra.Command {
	c, cluster := cli.Command(d, "swf [BUNDLE|FILE.swf]...", runSWF)
	c.Flags().StringVar(cluster, "cluster", "",
		"the `cluster`, by its name in the store or in the configuration of serve (default: the cluster "+
			"of the latest snapshot)")
	return c
}

func runSWF(ctx context.Context, d *cli.Deps, cluster string, args []string, w io.Writer) error {
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
		cluster = cmp.Or(cluster, name)
	}
	if len(tasks.list) == 0 {
		return fmt.Errorf("no ended jobs: the bundles have no accounting")
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
	e.add(subject.NewSubject(s, "", lastrun.Options{}).Batch.Ended())
}

func (e *endedTasks) addStored(ctx context.Context, d *cli.Deps, cluster string) (string, error) {
	store, cluster, err := subject.OpenCluster(ctx, d, cluster)
	if err != nil {
		return "", err
	}
	defer store.Close()
	infos, err := subject.StoredOf(ctx, store, cluster, time.Time{}, time.Time{})
	if err != nil {
		return "", err
	}
	for _, i := range infos {
		s, err := store.Snapshot(ctx, i.ID)
		if err != nil {
			return "", err
		}
		e.addSnapshot(s)
	}
	return cluster, nil
}

// addFile adds the tasks of a bundle or log, and returns the name of its cluster.
func (e *endedTasks) addFile(path string) (string, error) {
	if !strings.HasSuffix(path, ".swf") {
		s, err := subject.LoadBundle(path, false)
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
