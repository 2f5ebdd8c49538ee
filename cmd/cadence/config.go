package cadence

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/robfig/cron/v3"
	"go.yaml.in/yaml/v3"
)

// A Config is the YAML file of the daemon. Unknown keys are errors.
type Config struct {
	File       string
	Store      Store
	Reports    string // a folder for figures; "" for one beside the store
	Health     Endpoint
	Page       Endpoint      // where the page listens; without an address there is no page
	Alerts     *Alerts       // nil for no alerts
	Log        string        // text or json
	StopWithin time.Duration // time for running tasks to end after SIGTERM
	Clusters   []*Cluster    // in the order of the file
}

// Store says where snapshots and pushes are.
type Store struct {
	File  string // "" for that of the command line
	Prune *Prune
}

// A Cluster says how to reach a cluster, and has its tasks. A task is nil if it is not configured.
type Cluster struct {
	Name      string
	Line      int
	Known     string // its name in the store, if its identity alone is not enough
	From      string // [user@]host[:port]; "" for this machine
	Settings  string // a file on From that the shell reads first
	SSHConfig string // replaces the user's own ssh configuration
	MayPush   bool
	MayDrive  bool
	Jitter    time.Duration
	Deadline  time.Duration // time limit of each run, unless the task sets its own

	Capture *Capture
	Audit   *Audit
	Diff    *Diff
	Push    *Push
	Drive   *Drive
}

// When is the schedule of a task.
type When struct {
	Line     int    // line number in the file
	Cron     string // cron line as written
	Schedule cron.Schedule
	Deadline time.Duration
}

// Capture captures a bundle of the cluster and stores it.
type Capture struct {
	When
	Full, Tasks, Environment       bool
	Accounting, Records, Reporting int // megabytes
	ConfigAge, Slow                time.Duration
	Scheduler                      string
}

// Audit recomputes the last run of the newest snapshot.
type Audit struct{ When }

// Diff compares the expected order of jobs with the starts in recent snapshots.
type Diff struct {
	When
	Over    time.Duration
	Predict string
}

// Push gives the scheduler a wanted order.
type Push struct {
	When
	Policy, Order string
	Through       string
	Priorities    string
	Margin        float64 // least difference in prio between a job and the next
	MaxChanges    int
	Await         time.Duration
	StopFile      string
	LockDir       string // a folder on the host that runs the cluster's commands
}

// Drive decides which job starts, and where.
type Drive struct {
	When
	Own           []string // jobs that the drive may change
	Policy, Order string   // the wanted order; if both are empty, the scheduler's own order
	Rules         string   // a file with rules: where and when jobs may start
	Watchdog      time.Duration
	MaxChanges    int
	StopFile      string
	LockDir       string // a folder on the host that runs the cluster's commands
}

// Prune deletes old snapshots. Without a schedule, another program such as cron must do it.
type Prune struct {
	When
	Keep time.Duration
}

// Checks has functions that check values which this package does not know.
type Checks struct {
	Policy func(name string) error   // the name of a policy, or a file
	Own    func(jobs []string) error // the jobs to drive
	Intend func(file string) error   // the file of sentences
}

// Defaults of settings that a file does not have.
const (
	defaultHealth     = "127.0.0.1:8470"
	defaultStopWithin = 30 * time.Second
	defaultDeadline   = 5 * time.Minute
)

// Load reads a file. A *FileError lists all its mistakes.
func Load(file string, checks Checks) (*Config, error) {
	text, err := slurp(file)
	if err != nil {
		return nil, err
	}
	c := &configReader{reader: reader{file: file}, folder: filepath.Dir(file), checks: checks}
	config := &Config{File: file, Health: Endpoint{Address: defaultHealth}, Log: "text", StopWithin: defaultStopWithin}
	if doc := c.document(text); doc != nil {
		c.config(doc, config)
	}
	return config, c.err()
}

// A configReader reads a Config.
type configReader struct {
	reader
	folder string // of the file, which relative paths are below of
	checks Checks
}

func (c *configReader) config(n *yaml.Node, to *Config) {
	c.mapping(n, "the file", fields{
		"store":       func(n *yaml.Node) { c.store(n, &to.Store) },
		"reports":     c.path("reports", &to.Reports),
		"health":      func(n *yaml.Node) { c.health(n, &to.Health) },
		"listen":      func(n *yaml.Node) { c.page(n, &to.Page) },
		"alerts":      func(n *yaml.Node) { c.alerts(n, to) },
		"log":         c.choice("log", &to.Log, "text", "json"),
		"stop_within": c.span("stop_within", &to.StopWithin),
		"clusters": func(n *yaml.Node) {
			c.pairs(n, "clusters", func(key, value *yaml.Node) { to.Clusters = append(to.Clusters, c.cluster(key, value)) })
		},
	})
	if len(to.Clusters) == 0 && len(c.problems) == 0 {
		c.wrong(1, "there is no cluster; write clusters: and below it a name with its settings")
	}
}

func (c *configReader) store(n *yaml.Node, to *Store) {
	keep := time.Duration(0)
	p := Prune{When: When{Line: n.Line, Deadline: defaultDeadline}}
	c.mapping(n, "store", fields{
		"file":  c.path("file", &to.File),
		"keep":  c.span("keep", &keep),
		"prune": c.when("prune", &p.When, defaultDeadline),
	})
	switch p.Keep = keep; {
	case keep > 0:
		to.Prune = &p
	case p.Schedule != nil:
		c.wrong(p.Line, "prune: set how long snapshots are kept, such as keep: 30d")
	}
}

// clusterName is the form of names, which become names of folders.
var clusterName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$`)

func (c *configReader) cluster(key, n *yaml.Node) *Cluster {
	to := &Cluster{Name: key.Value, Line: key.Line, Deadline: defaultDeadline}
	if !clusterName.MatchString(key.Value) {
		c.wrong(key.Line, "%q cannot be the name of a cluster: use letters, digits, dash, dot and underscore", key.Value)
	}
	if key.Value == StoreGroup {
		c.wrong(key.Line, "a cluster cannot be called %q", key.Value)
	}
	// Read settings first, at any place in the file: tasks inherit the deadline and need the permissions.
	tasks := map[string]*yaml.Node{}
	later := func(name string) func(*yaml.Node) { return func(n *yaml.Node) { tasks[name] = n } }
	c.mapping(n, "cluster "+key.Value, fields{
		"from": c.text("from", &to.From), "settings": c.text("settings", &to.Settings),
		"cluster":    c.text("cluster", &to.Known),
		"ssh_config": c.path("ssh_config", &to.SSHConfig),
		"allow": func(n *yaml.Node) {
			c.allow(n, to)
		}, "jitter": c.span("jitter", &to.Jitter), "deadline": c.span("deadline", &to.Deadline),
		"capture": later("capture"), "audit": later("audit"), "diff": later("diff"), "push": later("push"),
		"drive": later("drive"),
	})
	for _, t := range []struct {
		name string
		read func(*yaml.Node, *Cluster)
	}{{"capture", c.capture}, {"audit", c.audit}, {"diff", c.diff}, {"push", c.push}, {"drive", c.drive}} {
		if n := tasks[t.name]; n != nil {
			t.read(n, to)
		}
	}
	return to
}

// allow reads the permitted changes: push, drive, or a list of both.
func (c *configReader) allow(n *yaml.Node, to *Cluster) {
	for _, item := range items(n) {
		var word string
		c.choice("allow", &word, "push", "drive")(item)
		to.MayPush, to.MayDrive = to.MayPush || word == "push", to.MayDrive || word == "drive"
	}
}

// task reads a task: a cron line, or a mapping with one (at) and options.
func (c *configReader) task(n *yaml.Node, name string, w *When, deadline time.Duration, options fields) {
	w.Line = n.Line
	if n = plain(n); n.Kind == yaml.ScalarNode {
		c.when(name, w, deadline)(n)
		return
	}
	w.Deadline = deadline
	options["at"], options["deadline"] = c.when(name, w, 0), c.span("deadline", &w.Deadline)
	c.mapping(n, name, options)
	if w.Schedule == nil && n.Kind == yaml.MappingNode && !c.complained(n) {
		c.wrong(n.Line, "%s: say when, such as at: \"*/5 * * * *\"", name)
	}
}

// complained reports whether a mistake in these lines is noted already.
func (c *configReader) complained(n *yaml.Node) bool {
	last := n.Line
	if len(n.Content) > 0 {
		last = n.Content[len(n.Content)-1].Line
	}
	return slices.ContainsFunc(c.problems, func(p Problem) bool { return p.Line >= n.Line && p.Line <= last })
}

// when reads a cron line. A deadline of 0 keeps the deadline of the task.
func (c *configReader) when(name string, w *When, deadline time.Duration) func(*yaml.Node) {
	return func(n *yaml.Node) {
		text, ok := c.scalar(n, name)
		if !ok {
			return
		}
		schedule, err := parseCron(text)
		if err != nil {
			c.wrong(n.Line, "%s: %v", name, err)
			return
		}
		w.Line, w.Cron, w.Schedule, w.Deadline = n.Line, text, schedule, cmp.Or(deadline, w.Deadline)
	}
}

var cronParser = cron.NewParser(
	cron.SecondOptional | cron.Minute | cron.Hour | cron.Dom | cron.Month | cron.Dow | cron.Descriptor)

// parseCron reads a cron line: five fields, or six with seconds first, @daily and the like, or @every 90s;
// CRON_TZ=Europe/Berlin before it names its time zone.
func parseCron(text string) (s cron.Schedule, err error) {
	fields := strings.Fields(text)
	// the parser panics if there is only a time zone
	if len(fields) < 2 && !strings.HasPrefix(text, "@") || len(fields) > 7 {
		return nil, fmt.Errorf("%q is not a cron line such as \"*/5 * * * *\", \"@daily\" or \"@every 90s\"", text)
	}
	if s, err = cronParser.Parse(strings.Join(fields, " ")); err != nil {
		return nil, fmt.Errorf("%q is not a cron line such as \"*/5 * * * *\", \"@daily\" or \"@every 90s\": %w", text, err)
	}
	if s.Next(time.Now()).IsZero() {
		return nil, fmt.Errorf("%q never happens", text)
	}
	return s, nil
}

// path reads the name of a file, which is below the folder of the configuration unless it begins with a slash.
func (c *configReader) path(what string, to *string) func(*yaml.Node) {
	return parsed(&c.reader, what, to, func(text string) (string, error) {
		switch {
		case text == "":
			return "", errors.New("the name of the file is empty")
		case filepath.IsAbs(text):
			return text, nil
		}
		return filepath.Join(c.folder, text), nil
	})
}

func (c *configReader) capture(n *yaml.Node, to *Cluster) {
	// A negative number means the default of importer/collect.
	t := &Capture{Accounting: -1, Records: -1, Reporting: -1}
	c.task(n, "capture", &t.When, to.Deadline, fields{
		"full": c.yes("full", &t.Full), "tasks": c.yes("tasks", &t.Tasks),
		"environment": c.yes("environment", &t.Environment),
		"accounting":  c.number("accounting", &t.Accounting, 0, 999), "records": c.number("records", &t.Records, 0, 999),
		"reporting": c.number("reporting", &t.Reporting, 0, 999), "config_age": c.span("config_age", &t.ConfigAge),
		"slow": c.span("slow", &t.Slow), "scheduler": c.text("scheduler", &t.Scheduler),
	})
	to.Capture = t
}

func (c *configReader) audit(n *yaml.Node, to *Cluster) {
	to.Audit = &Audit{}
	c.task(n, "audit", &to.Audit.When, to.Deadline, fields{})
}

func (c *configReader) diff(n *yaml.Node, to *Cluster) {
	t := &Diff{Over: 24 * time.Hour, Predict: "order"}
	c.task(n, "diff", &t.When, to.Deadline, fields{"over": c.span("over", &t.Over),
		"predict": c.choice("predict", &t.Predict, "order", "plan")})
	to.Diff = t
}

func (c *configReader) push(n *yaml.Node, to *Cluster) {
	t := &Push{}
	c.task(n, "push", &t.When, to.Deadline, fields{
		"policy": parsed(&c.reader, "policy", &t.Policy, c.policy), "order": c.path("order", &t.Order),
		"through":    c.text("through", &t.Through),
		"priorities": c.text("priorities", &t.Priorities), "margin": parsed(&c.reader, "margin", &t.Margin, margin),
		"max_changes": c.number("max_changes", &t.MaxChanges, 1, 1_000_000),
		"await":       c.span("await", &t.Await), "stop_file": c.path("stop_file", &t.StopFile),
		"lock_dir": c.text("lock_dir", &t.LockDir),
	})
	c.wanted(n, "push", t.Policy, t.Order)
	if !to.MayPush {
		c.wrong(t.Line, "push changes the cluster %s: set allow: push for it", to.Name)
	}
	to.Push = t
}

func margin(text string) (float64, error) {
	m, err := strconv.ParseFloat(text, 64)
	if err != nil || !(m >= 0 && m <= 1) {
		return 0, errors.New("give a distance in prio, such as 0.005")
	}
	return m, nil
}

func (c *configReader) drive(n *yaml.Node, to *Cluster) {
	t := &Drive{}
	c.task(n, "drive", &t.When, to.Deadline, fields{
		"own": func(n *yaml.Node) { c.own(n, t) }, "rules": c.path("rules", &t.Rules),
		"watchdog": c.span("watchdog", &t.Watchdog), "policy": parsed(&c.reader, "policy", &t.Policy, c.policy),
		"order":       c.path("order", &t.Order),
		"max_changes": c.number("max_changes", &t.MaxChanges, 1, 1_000_000),
		"stop_file":   c.path("stop_file", &t.StopFile), "lock_dir": c.text("lock_dir", &t.LockDir),
	})
	switch {
	case t.Policy != "" && t.Order != "":
		c.wrong(n.Line, "drive: give policy or order, not both")
	case len(t.Own) == 0 && !c.complained(plain(n)):
		c.wrong(n.Line, "drive: name the jobs to drive, such as {at: \"@every 30s\", own: user=anna}")
	}
	if !to.MayDrive {
		c.wrong(t.Line, "drive changes the cluster %s: set allow: drive for it", to.Name)
	}
	to.Drive = t
}

func (c *configReader) own(n *yaml.Node, to *Drive) {
	c.names("own", &to.Own)(n)
	if c.checks.Own != nil && len(to.Own) > 0 {
		if err := c.checks.Own(to.Own); err != nil {
			c.wrong(n.Line, "own: %v", err)
		}
	}
}

func (c *configReader) policy(name string) (string, error) {
	if c.checks.Policy == nil {
		return name, nil
	}
	return name, c.checks.Policy(name)
}

// wanted notes if the wanted order is missing, or given twice.
func (c *configReader) wanted(n *yaml.Node, task, policy, order string) {
	switch {
	case policy != "" && order != "":
		c.wrong(n.Line, "%s: give policy or order, not both", task)
	case policy == "" && order == "" && !c.complained(plain(n)):
		c.wrong(n.Line, "%s: name the wanted order, such as {at: \"*/5 * * * *\", policy: fairshare}", task)
	}
}

// StoreGroup is the name of the group of the store's tasks.
const StoreGroup = "store"

func (c *Config) Only(name string) error {
	var names []string
	for _, cluster := range c.Clusters {
		if cluster.Name == name {
			c.Clusters = []*Cluster{cluster}
			return nil
		}
		names = append(names, cluster.Name)
	}
	return fmt.Errorf("%s has no cluster %q; it has %s", c.File, name, strings.Join(names, ", "))
}
