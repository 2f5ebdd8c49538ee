package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"qprism/adapters/local"
	"qprism/cmd/cadence"
	"qprism/cmd/qprism/act/drive"
	"qprism/cmd/qprism/act/push"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/trial"
	"qprism/cmd/safe"
	"qprism/cmd/when"
)

type Options struct {
	Config  string
	Cluster string // the cluster whose task runs once
	task    string
	check   bool
}

func New(d *cli.Deps) *cobra.Command {
	c, opts := cli.Command(d, "serve --config FILE [--once TASK --cluster NAME]", run)
	c.Annotations = map[string]string{cli.Careful: "yes"}
	c.Args = cobra.NoArgs
	addConfig(c, &opts.Config)
	c.Flags().StringVar(&opts.task, "once", "", "")
	c.Flags().StringVar(&opts.Cluster, "cluster", "", "")
	_ = c.RegisterFlagCompletionFunc("once", cobra.FixedCompletions(taskNames, cobra.ShellCompDirectiveNoFileComp))
	c.Flags().BoolVar(&opts.check, "check", false, "")
	c.MarkFlagsMutuallyExclusive("once", "check")
	return c
}

// defaultConfig is the file of serve, run and doctor unless QPRISM_CONFIG names another.
const defaultConfig = "/etc/qprism/qprism.yaml"

func addConfig(c *cobra.Command, to *string) {
	file := cmp.Or(os.Getenv("QPRISM_CONFIG"), defaultConfig)
	c.Flags().StringVar(to, "config", file, "the `file` that names clusters and cron lines (or QPRISM_CONFIG)")
}

func run(ctx context.Context, d *cli.Deps, opts Options, _ []string, w io.Writer) error {
	if opts.task != "" {
		return Once(ctx, d, opts, opts.task, d.Warn())
	}
	config, err := LoadConfig(opts.Config)
	if err != nil {
		return err
	}
	if opts.check {
		return printCadence(d.Output(w), config, time.Now())
	}
	s := &server{Deps: d, file: opts.Config, log: NewLog(d.Warn(), config.Log)}
	return s.run(ctx, config)
}

func LoadConfig(file string) (*cadence.Config, error) {
	config, err := cadence.Load(file, cadence.Checks{Policy: checkPolicy, Own: checkOwn, Intend: checkIntend})
	var wrong *cadence.FileError
	switch {
	case errors.As(err, &wrong):
		return nil, fmt.Errorf("the configuration has errors:\n%w", err)
	case errors.Is(err, os.ErrNotExist):
		return nil, fmt.Errorf("%w; give --config FILE; scripts/qprism.yaml is an example", err)
	}
	return config, err
}

// checkPolicy is an error unless a policy is known, or a file.
func checkPolicy(name string) error {
	words := push.VariantWords(name)
	if _, known := trial.Variants[words[0]]; known {
		return nil
	}
	if _, err := os.Stat(name); err != nil {
		return fmt.Errorf("%q is neither linear, fairshare, formula EXPR nor external CMD, nor a file", name)
	}
	return nil
}

func checkOwn(jobs []string) error {
	_, err := drive.ParseOwn(jobs)
	return err
}

func checkIntend(file string) error {
	_, err := trial.ReadIntentions(file)
	return err
}

func NewLog(w io.Writer, format string) *slog.Logger {
	if format == "json" {
		return slog.New(slog.NewJSONHandler(safe.NewJSONWriter(w), nil))
	}
	return slog.New(slog.NewTextHandler(w, nil))
}

// A server is a running serve.
type server struct {
	*cli.Deps
	file   string
	log    *slog.Logger
	daemon atomic.Pointer[cadence.Daemon]
	config atomic.Pointer[cadence.Config] // that is served
	once   bool                           // for cron: findings decide the exit status
}

// garbage is the percentage by which memory grows before serve collects garbage: it has time, and runs all day.
const garbage = 50

// run serves until the context ends. SIGHUP makes it read the file again.
func (s *server) run(ctx context.Context, config *cadence.Config) error {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbage)
	}
	hup := make(chan os.Signal, 1)
	signal.Notify(hup, syscall.SIGHUP)
	defer signal.Stop(hup)
	unlock, err := s.alone(config)
	if err != nil {
		return err
	}
	defer func() { _ = unlock() }()
	endpoint, err := s.listen(config.Health)
	if err != nil {
		return err
	}
	defer endpoint.Close()
	page, err := s.showPage(config)
	if err != nil {
		return err
	}
	defer page.Close()
	if err := notifySystemd("READY=1"); err != nil {
		s.log.Warn("systemd was not notified", "why", err.Error())
	}
	defer func() { _ = notifySystemd("STOPPING=1") }()
	go watchdog(ctx, s.hangs)
	for {
		again, err := s.serve(ctx, config, hup)
		if err != nil || again == nil {
			s.log.Info("stopped")
			return err
		}
		config = again
	}
}

// serve runs one configuration until the context ends, or SIGHUP brings another.
func (s *server) serve(ctx context.Context, config *cadence.Config, hup <-chan os.Signal) (
	again *cadence.Config, err error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	next := make(chan *cadence.Config, 1)
	go s.reload(ctx, hup, next, stop)
	d := cadence.New(s.groups(config), config.StopWithin, s.log, s.daemon.Load())
	s.daemon.Store(d)
	s.config.Store(config)
	s.log.Info("serving", "config", config.File, "clusters", len(config.Clusters), "store",
		s.storeOf(config), "health", config.Health.Address, "pid", os.Getpid())
	err = d.Run(ctx)
	select {
	case again = <-next:
	default:
	}
	return again, err
}

// reload reads the file after a signal. If the file is valid, reload ends the running tasks.
func (s *server) reload(ctx context.Context, hup <-chan os.Signal, next chan<- *cadence.Config, stop func()) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-hup:
		}
		config, err := LoadConfig(s.file)
		if err != nil {
			s.log.Error("the configuration was not reloaded; the old one stays in use", "why", err.Error())
			continue
		}
		s.log.Info("the configuration was reloaded")
		next <- config
		stop()
		return
	}
}

// alone makes this the only server with a store.
func (s *server) alone(config *cadence.Config) (unlock func() error, err error) {
	folder := beside(DepsFor(s.Deps, config))
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, fmt.Errorf("create a folder next to the store: %w", err)
	}
	// stores of one folder are served apart
	unlock, err = local.Lock(filepath.Join(folder, filepath.Base(s.storeOf(config))+".lock"))
	if held, is := errors.AsType[*local.LockedError](err); is {
		return nil, fmt.Errorf("another qprism serve uses the store %s (%s)", s.storeOf(config), held.Holder)
	}
	return unlock, err
}

func (s *server) storeOf(config *cadence.Config) string { return DepsFor(s.Deps, config).Store }

// DepsFor returns the Deps for a configuration. Tasks use the JSON output of commands.
func DepsFor(d *cli.Deps, config *cadence.Config) *cli.Deps {
	own := *d
	own.Format = "json"
	if config.Store.File != "" && !d.StoreGiven {
		own.Store = config.Store.File
	}
	return &own
}

// printCadence lists the tasks and their times.
func printCadence(out show.Output, config *cadence.Config, now time.Time) error {
	if out.Format == "table" {
		out.Terminal = true
	}
	t := show.NewSheet("cluster", "task", "cron", "next", "deadline", "reached", "changes")
	for _, c := range config.Clusters {
		reached := cmp.Or(c.From, "this machine")
		for _, w := range TasksOf(c) {
			changes := "nothing"
			if w.name == "push" || w.name == "drive" {
				changes = "the cluster"
			}
			t.Add(c.Name, w.name, w.Cron, out.Moment(w.Schedule.Next(now)), when.Short(w.Deadline), reached, changes)
		}
	}
	if p := config.Store.Prune; p != nil && p.Schedule != nil {
		t.Add(cadence.StoreGroup, "prune", p.Cron, out.Moment(p.Schedule.Next(now)), when.Short(p.Deadline), "", "the store")
	}
	if err := out.Sheet(t); err != nil || config.Alerts == nil {
		return err
	}
	out.Say("")
	out.Say(`qprism sends these kinds of alerts: "%s". qprism sends alerts %s.`, strings.Join(config.Alerts.Of, `", "`),
		alertedBy(config.Alerts))
	return nil
}

// alertedBy lists the ways of alerts.
func alertedBy(a *cadence.Alerts) string {
	by := func(how, whom string) string {
		if whom == "" {
			return ""
		}
		return how + " " + show.Printable(whom)
	}
	return show.Joined("; ", by("by mail to", strings.Join(a.Mail, ", ")), by("through", a.Command), by("to", a.Webhook))
}

// A namedWhen is a task of a cluster and its schedule.
type namedWhen struct {
	name string
	*cadence.When
}

// TasksOf lists the tasks of a cluster. If all are due, they run in this order.
func TasksOf(c *cadence.Cluster) (list []namedWhen) {
	if c.Capture != nil {
		list = append(list, namedWhen{"capture", &c.Capture.When})
	}
	if c.Audit != nil {
		list = append(list, namedWhen{"audit", &c.Audit.When})
	}
	if c.Diff != nil {
		list = append(list, namedWhen{"diff", &c.Diff.When})
	}
	if c.Push != nil {
		list = append(list, namedWhen{"push", &c.Push.When})
	}
	if c.Drive != nil {
		list = append(list, namedWhen{"drive", &c.Drive.When})
	}
	return list
}
