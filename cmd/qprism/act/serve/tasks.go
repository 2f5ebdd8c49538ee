package serve

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"qprism/adapters/local"
	"qprism/adapters/sqlite"
	"qprism/cmd/cadence"
	"qprism/cmd/qprism/act/drive"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/keep"
	"qprism/cmd/qprism/subject"
)

// A Served is a cluster of the configuration, with its tasks.
type Served struct {
	*cli.Deps
	*cadence.Cluster
	reports string // folder of the reports
	log     *slog.Logger
	once    bool // the task runs once, for cron
	looked  bool // the daemon has checked whether the store has a snapshot
	alerts  *cadence.Alerts
	found   []alert       // alerts that the running task raises
	over    []alert       // earlier alerts that no longer hold
	driving *drive.Driver // nil while no drive is connected
	drove   bool
}

// groups returns the groups of tasks: one for each cluster, and one for the store.
func (s *server) groups(config *cadence.Config) (list []cadence.Group) {
	d := DepsFor(s.Deps, config)
	for _, c := range config.Clusters {
		served := NewServed(d, config, c, s.log)
		served.once = s.once
		list = append(list, served.group())
	}
	if config.Store.Prune != nil && config.Store.Prune.Schedule != nil {
		list = append(list, storeGroup(d, config.Store.Prune))
	}
	return list
}

func NewServed(d *cli.Deps, config *cadence.Config, c *cadence.Cluster, log *slog.Logger) *Served {
	reports := cmp.Or(config.Reports, filepath.Join(filepath.Dir(d.Store), "reports"))
	return &Served{Deps: d, Cluster: c, reports: filepath.Join(reports, c.Name), log: log.With("cluster", c.Name),
		alerts: config.Alerts}
}

// A taskFunc runs a task once.
type taskFunc func(ctx context.Context, stop <-chan struct{}) ([]slog.Attr, error)

// group are the tasks of a cluster in their order: capture comes before the push that needs it.
func (s *Served) group() cadence.Group {
	g := cadence.Group{Name: s.Name, Jitter: s.Jitter}
	if s.MayPush {
		g.Tasks = append(g.Tasks, cadence.Task{Name: "recover", Deadline: s.Deadline, Careful: true,
			Do: s.exclusively(s.recoverPush)})
	}
	do := map[string]taskFunc{"capture": s.capture, "audit": s.audit, "diff": s.diff, "push": s.push, "drive": s.drive}
	for _, w := range TasksOf(s.Cluster) {
		task := cadence.Task{Name: w.name, Line: w.Cron, Schedule: w.Schedule, Deadline: w.Deadline,
			Careful: w.name == "push" || w.name == "drive", Do: s.exclusively(s.alerting(w.name, do[w.name]))}
		switch w.name {
		case "capture":
			task.Sooner = s.neverCaptured
		case "drive": // a step begins when something happens
			task.Sooner = s.sooner
		}
		g.Tasks = append(g.Tasks, task)
	}
	if s.MayDrive { // at the end restore everything; at the start restore values of a dead drive
		g.Tasks = append(g.Tasks, cadence.Task{Name: "release", AtEnd: s.Drive != nil, Careful: true, Deadline: s.Deadline,
			Do: s.exclusively(s.release)})
	}
	return g
}

// neverCaptured makes the first capture due at once: without a snapshot the page and why have no answer.
func (s *Served) neverCaptured(ctx context.Context, _ time.Time) bool {
	if s.looked {
		return false
	}
	s.looked = true
	_, err := s.newest(ctx)
	return err != nil
}

func storeGroup(d *cli.Deps, p *cadence.Prune) cadence.Group {
	return cadence.Group{Name: cadence.StoreGroup,
		Tasks: []cadence.Task{{Name: "prune", Line: p.Cron, Schedule: p.Schedule,
			Deadline: p.Deadline,
			Do:       func(ctx context.Context, _ <-chan struct{}) ([]slog.Attr, error) { return prune(ctx, d, p.Keep) }}}}
}

// exclusively keeps serve and serve --once from working on a cluster at the same time.
func (s *Served) exclusively(do taskFunc) taskFunc {
	return func(ctx context.Context, stop <-chan struct{}) ([]slog.Attr, error) {
		if err := os.MkdirAll(beside(s.Deps), 0o755); err != nil {
			return nil, err
		}
		unlock, err := local.Lock(filepath.Join(beside(s.Deps), s.Name+".cluster.lock"))
		if held, is := errors.AsType[*local.LockedError](err); is {
			return nil, &cadence.SkippedError{Why: "another process is working with this cluster: " + held.Holder}
		}
		if err != nil {
			return nil, err
		}
		defer func() { _ = unlock() }()
		return do(ctx, stop)
	}
}

// beside is the folder beside the store for files of serve.
func beside(d *cli.Deps) string { return filepath.Join(filepath.Dir(d.Store), "serve") }

func (s *Served) Reach() subject.Reach {
	r := subject.Reach{From: s.From, Settings: s.Settings}
	if s.SSHConfig != "" {
		r.SshConfig = s.SSHConfig
	}
	return r
}

// source names the captures of this cluster in the store, as two clusters can have the same name.
func (s *Served) source() string { return subject.CaptureOf(s.Name) }

// snapshots are the captures of the cluster, the oldest first.
func (s *Served) snapshots(ctx context.Context) ([]sqlite.Info, error) {
	store, err := subject.MakeStore(s.Deps)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	return subject.Infos(ctx, store, func(i *sqlite.Info) bool { return i.Source == s.source() })
}

func (s *Served) newest(ctx context.Context) (last sqlite.Info, err error) {
	list, err := s.snapshots(ctx)
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("no snapshot of %s is stored yet: capture it first", s.Name)
	}
	if err != nil {
		return sqlite.Info{}, err
	}
	return list[len(list)-1], nil
}

// look is the newest snapshot, to be asked.
func (s *Served) look(ctx context.Context) (i sqlite.Info, look *subject.Subject, err error) {
	if i, err = s.newest(ctx); err == nil {
		look, err = s.at(ctx, i.ID)
	}
	return i, look, err
}

// at is a stored snapshot, to be asked.
func (s *Served) at(ctx context.Context, id int64) (*subject.Subject, error) {
	return subject.Of(ctx, s.Deps, &subject.Selection{Snapshot: id}, nil)
}

func prune(ctx context.Context, d *cli.Deps, span time.Duration) ([]slog.Attr, error) {
	var r keep.JSONPruned
	if err := decoded(&r, func(w io.Writer) error {
		return keep.RunPrune(ctx, d, keep.PruneOptions{Keep: span.String()}, nil, w)
	}); err != nil {
		return nil, err
	}
	return []slog.Attr{slog.Int("deleted", len(r.Deleted)), slog.Int("left", r.Left), slog.Int64("bytes", r.Bytes),
		slog.Int64("bytes_before", r.Was)}, nil
}

// decoded runs a command and reads the JSON that it printed, even if it failed.
func decoded(to any, run func(io.Writer) error) error {
	var out bytes.Buffer
	err := run(&out)
	if out.Len() == 0 {
		return err
	}
	return errors.Join(json.Unmarshal(out.Bytes(), to), err)
}
