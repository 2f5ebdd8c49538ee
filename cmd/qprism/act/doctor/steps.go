package doctor

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"qprism/adapters/shell"
	"qprism/adapters/ssh"
	"qprism/cmd/qprism/act/control"
	"qprism/cmd/qprism/act/push"
	"qprism/cmd/qprism/act/serve"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/keep"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/batch"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
	"qprism/exporter"
	"qprism/exporter/gridengine"
	"qprism/exporter/pbs"
	"qprism/importer/collect"
)

// examineStore tries the store: is it writable and whole, and has its disk room?
func examineStore(ctx context.Context, d *cli.Deps) Finding {
	const (
		little = 1 << 30
		none   = 50 << 20
	)
	store, err := subject.MakeStore(d)
	if err != nil {
		return fail("name another store with --store, QPRISM_STORE or store: {file: …}, or give this "+
			"user write access", "%v", err)
	}
	defer store.Close()
	list, err := store.Snapshots(ctx)
	if err == nil {
		err = writable(filepath.Dir(d.Store))
	}
	if err != nil {
		return fail("this user needs write access to the file and its folder", "%v", err)
	}
	damaged, err := store.Check(ctx)
	if err != nil {
		return fail("restore the file from a backup", "%v", err)
	}
	if len(damaged) > 0 {
		return fail("\"qprism db check\" lists all damage, and \"qprism db check --remove\" deletes it",
			"%s of %s damaged: %s %d: %s",
			show.Plural(len(damaged), "part"), d.Store, damaged[0].Kind, damaged[0].ID, damaged[0].Text)
	}
	seen := fmt.Sprintf("%s, %s, %s", d.Store, keep.BytesText(store.Size()), show.Plural(len(list), "snapshot"))
	var disk syscall.Statfs_t
	if err := syscall.Statfs(filepath.Dir(d.Store), &disk); err != nil {
		return doubt("", "%s; the free space is not known: %v", seen, err)
	}
	free := int64(disk.Bavail) * int64(disk.Bsize) //nolint:unconvert // their types differ between systems
	seen += "; " + keep.BytesText(free) + " free"
	switch remedy := "free some space; \"qprism db prune --keep 30d\" deletes old snapshots"; {
	case free < none:
		return fail(remedy, "%s", seen)
	case free < little:
		return doubt(remedy, "%s", seen)
	}
	return fine("%s", seen)
}

// writable tries whether a file can be made in a folder.
func writable(folder string) error {
	f, err := os.CreateTemp(folder, ".doctor-")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

type examination struct {
	*serve.Served
	reach subject.Reach
	found []Finding

	host     subject.HostCloser
	shell    *shell.Shell
	pbs      bool
	gate     string // mode of the gate, "" for none
	snapshot *model.Snapshot
	interval time.Duration
}

// A step tries one thing. After a vital step that fails, the others cannot be tried.
type step struct {
	name  string
	vital bool
	try   func(context.Context) Finding
}

func (x *examination) examine(ctx context.Context) []Finding {
	ctx, cancel := context.WithTimeout(ctx, x.Deadline)
	defer cancel()
	defer x.close()
	steps := []step{
		{"host", true, x.tryHost},
		{"shell", true, x.tryShell},
		{"gate", false, x.tryGate},
		{"clients", true, x.tryClients},
		{"master", true, x.tryMaster},
		{"scheduler", true, x.tryScheduler},
		{"clock", false, x.tryClock},
		{"capture", true, x.tryCapture},
		{"last run", false, x.tryLastRun},
		{"audit", false, x.tryAudit},
		{"rights", false, x.tryRights},
		{"params", false, x.tryParams},
		{"pushes", false, x.tryPushes},
	}
	for i, s := range steps {
		f := inStep(s.name, s.try(ctx))
		x.found = append(x.found, f)
		if s.vital && f.State == Failing {
			var rest []string
			for _, s := range steps[i+1:] {
				rest = append(rest, s.name)
			}
			return append(x.found, Finding{Step: "the rest", State: untried, Seen: "not tried: " + strings.Join(rest, ", ")})
		}
	}
	return x.found
}

func (x *examination) close() {
	if x.shell != nil {
		x.shell.Close()
	}
	if x.host != nil {
		x.host.Close()
	}
}

// tryHost connects. The kind of error says which earlier steps worked.
func (x *examination) tryHost(ctx context.Context) Finding {
	if x.reach.From == "" {
		x.host, _ = x.reach.Connect(ctx)
		return fine("this machine")
	}
	began := time.Now()
	host, err := x.reach.Connect(ctx)
	var (
		key   *ssh.HostKeyError
		login *ssh.LoginError
	)
	switch {
	case errors.As(err, &key):
		return hostKeyFinding(key)
	case errors.As(err, &login):
		x.found = append(x.found, inStep("host key", fine("the key in known_hosts")))
		return fail(fmt.Sprintf("add one of these keys to ~%s/.ssh/authorized_keys there, with "+
			"scripts/qprism-gate before it, to limit what it can do", login.User),
			"reached, but %v", login)
	case err != nil:
		return fail("ssh -v "+x.reach.From+" shows where the connection fails; check ~/.ssh/config "+
			"(Host, Port, ProxyJump)", "%v", err)
	}
	x.host = host
	return fine("%v accepted the login after %v; its host key matches known_hosts", host,
		exporter.Span(time.Since(began)))
}

func hostKeyFinding(e *ssh.HostKeyError) Finding {
	switch {
	case e.Revoked:
		return fail("the host must show the known key", "%v", e)
	case len(e.Known) > 0:
		return fail("only if the host was reinstalled (otherwise somebody may intercept the connection):\n"+e.Accept,
			"the host key of %s has changed: it shows %s %s, but the known key is\n%s", e.Host, e.Type,
			e.Fingerprint, strings.Join(e.Known, "\n"))
	}
	return fail("compare with ssh-keygen -lf on the host's /etc/ssh/ssh_host_*_key.pub, then:\n"+e.Accept,
		"the host key of %s is not known: it shows %s %s", e.Host, e.Type, e.Fingerprint)
}

func (x *examination) tryShell(ctx context.Context) (f Finding) {
	var err error
	if x.shell, err = shell.Open(ctx, x.host, shell.Options{Settings: x.reach.Settings}); err != nil {
		fix := "the account needs a POSIX sh, and the start files of this shell must not print errors"
		if x.reach.Settings != "" {
			fix = fmt.Sprintf("%s must be a file on that host that sh can read (settings.sh, not settings.csh)",
				x.reach.Settings)
		}
		return fail(fix, "%v", err)
	}
	switch mode, _ := x.gateMode(ctx); {
	case x.reach.Settings == "":
		return fine("sh runs")
	case mode != "":
		return doubt("leave it out; "+gateSettings,
			"sh runs, but qprism-gate does not read %s: it ignores the file that the client names", x.reach.Settings)
	}
	return fine("sh runs, and reads %s", x.reach.Settings)
}

// gateSettings says where a gate has the cluster's settings.
const gateSettings = "in authorized_keys, qprism-gate -s FILE names the file that sets SGE_ROOT and PATH"

// gateMode is the mode of the gate before the key; empty for none, or if nobody knows. It runs a program that
// the gate permits in no mode.
func (x *examination) gateMode(ctx context.Context) (mode string, a answer) {
	a = x.ask(ctx, "true")
	if _, rest, gated := strings.Cut(a.Complaints, "qprism-gate: not permitted in mode "); gated {
		mode, _, _ = strings.Cut(rest, ":")
	}
	return mode, a
}

// answer is the outcome of a command.
type answer struct {
	shell.Result
	out string
	err error
}

func (x *examination) ask(ctx context.Context, argv ...string) answer {
	var out bytes.Buffer
	r, err := x.shell.Run(ctx, argv, &out)
	if err == nil && r.Status != 0 {
		err = fmt.Errorf("%s: status %d: %s", argv[0], r.Status, oneLine(r.Complaints+out.String()))
	}
	return answer{r, out.String(), err}
}

// oneLine is a text in one line, cut short.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > 300 {
		text = string(r[:300]) + "…"
	}
	return text
}

// tryGate compares the rights of the gate with the needed rights.
func (x *examination) tryGate(ctx context.Context) Finding {
	var a answer
	if x.gate, a = x.gateMode(ctx); x.gate == "" {
		if a.err != nil {
			return doubt("", "it is not known if there is one: %v", a.err)
		}
		if x.reach.From == "" {
			return fine("none is needed on this machine")
		}
		return fine("none: the key can run anything (scripts/qprism-gate before it in authorized_keys limits it)")
	}
	needed := map[bool]string{true: "order", false: "read"}[x.MayPush]
	if x.MayDrive {
		needed = "drive"
	}
	rank := map[string]int{"read": 0, "order": 1, "drive": 2}
	switch fix := fmt.Sprintf("write qprism-gate %s in authorized_keys", needed); {
	case rank[x.gate] < rank[needed]:
		return fail(fix, "qprism-gate in mode %s, which does not permit what the configuration allows", x.gate)
	case rank[x.gate] > rank[needed]:
		return doubt(fix, "qprism-gate in mode %s, which permits more than needed", x.gate)
	}
	return fine("qprism-gate in mode %s", x.gate)
}

// tryClients finds out which product's qstat is installed.
func (x *examination) tryClients(ctx context.Context) Finding {
	path := "name the file that sets PATH: settings: (or --settings) /opt/sge/default/common/settings.sh"
	if x.gate != "" {
		path = gateSettings
	}
	a := x.ask(ctx, "qstat", "-help")
	if a.Status == 127 {
		return fail(path, "there is no qstat in the PATH of that host")
	}
	line, _, _ := strings.Cut(strings.TrimSpace(a.out), "\n")
	if a.Status == 0 && strings.Contains(line, " ") && !strings.HasPrefix(line, "usage") {
		return fine("%s", line)
	}
	if a = x.ask(ctx, "qstat", "--version"); a.err != nil {
		return fail(path, "qstat prints no release, neither as Grid Engine (-help) nor as PBS (--version): %v", a.err)
	}
	x.pbs = true
	return fine("PBS: %s", oneLine(a.out+a.Complaints))
}

// slowAnswer is how long a small question may take.
const slowAnswer = 3 * time.Second

func (x *examination) tryMaster(ctx context.Context) Finding {
	argv := []string{"qstat", "-u", "nobody"}
	if x.pbs {
		argv = []string{"qstat", "-B"}
	}
	a := x.ask(ctx, argv...)
	switch text := strings.Join(argv, " "); {
	case a.err != nil:
		return fail("is the master running, and is this host a submit host (qconf -as)? Are SGE_ROOT "+
			"and the ports right?", "%v", a.err)
	case a.Took > slowAnswer:
		return doubt("a capture skips parts when the master is slow; the key \"slow\" sets the limit", "%s took %v",
			text, exporter.Span(a.Took))
	default:
		return fine("%s took %v", text, exporter.Span(a.Took))
	}
}

// tryScheduler asks for the configuration of the scheduler. Of PBS it reads the file with the options, which
// qmgr does not show.
func (x *examination) tryScheduler(ctx context.Context) Finding {
	argv := []string{"qconf", "-ssconf"}
	if x.pbs {
		argv = []string{"qmgr", "-c", "list sched " + cmp.Or(serve.CollectOptions(x.Capture).Scheduler,
			model.DefaultScheduler) + " sched_priv"}
	}
	a := x.ask(ctx, argv...)
	if a.err != nil {
		return fail("the account must be allowed to run "+strings.Join(argv, " "), "%v", a.err)
	}
	private := collect.Attribute(a.out, "sched_priv")
	if !x.pbs || private == "" {
		return fine("it answers")
	}
	if a := x.ask(ctx, "cat", path.Join(private, "sched_config")); a.err != nil {
		return doubt("log in as root on the host of the server: only root can read it; without it, "+
			"qprism assumes the default options of PBS, and says so",
			"it answers, but sched_config cannot be read: %v", a.err)
	}
	return fine("sched_config can be read")
}

// tryClock compares clocks, within the time that the question takes.
func (x *examination) tryClock(ctx context.Context) Finding {
	began := time.Now()
	a := x.ask(ctx, "date", "-u", "+%Y-%m-%dT%H:%M:%S")
	if a.err != nil {
		return doubt("", "the clock of the host is not known: %v", a.err)
	}
	there, err := time.Parse("2006-01-02T15:04:05", strings.TrimSpace(a.out))
	if err != nil {
		return doubt("", "the clock of the host is not known: %v", err)
	}
	// It shows whole seconds: half a second more in the mean.
	off := there.Add(time.Second / 2).Sub(began.Add(time.Since(began) / 2))
	blur := time.Second/2 + time.Since(began)/2
	size := max(off.Abs()-blur, 0).Round(time.Second)
	word := map[bool]string{true: "ahead of", false: "behind"}[off > 0]
	switch fix := "use NTP on both hosts: qprism computes the age of snapshots from both clocks"; {
	case size >= 30*time.Second:
		return fail(fix, "the clock of the host is %s %s the local clock", exporter.Span(size), word)
	case size >= 2*time.Second:
		return doubt(fix, "the clock of the host is %s %s the local clock", exporter.Span(size), word)
	}
	return fine("same as the local clock, to the second")
}

// tryCapture captures into a temporary folder and reads the bundle.
func (x *examination) tryCapture(ctx context.Context) Finding {
	folder, err := os.MkdirTemp("", "qprism-doctor-")
	if err != nil {
		return fail("", "%v", err)
	}
	defer os.RemoveAll(folder)
	o := subject.CaptureOptions{Reach: x.reach, Collect: serve.CollectOptions(x.Capture)}
	report, err := o.Into(ctx, x.Deps, folder)
	var slow *collect.SlowError
	switch {
	case errors.As(err, &slow):
		return fail("try again when the master is less busy, or accept a slow master with this line of the "+
			"configuration: capture: {slow: 10s}", "%v", err)
	case err != nil:
		return fail("", "%v", err)
	}
	if x.snapshot, err = subject.LoadBundle(folder, false); err != nil {
		return fail("this is a bug in qprism: please report it", "qprism cannot read what the cluster printed: %v", err)
	}
	x.interval = x.snapshot.SchedulerInterval()
	seen := fmt.Sprintf("%s in %v: %s, %s", show.Plural(report.Cost.Commands, "command"),
		exporter.Span(report.Cost.Busy),
		show.Plural(len(x.snapshot.Jobs), "job"),
		show.Plural(countHosts(x.snapshot), "host"))
	if len(report.Lacking) == 0 {
		return fine("%s", seen)
	}
	seen += "; not captured: " + lacking(report.Lacking)
	if subject, err := x.subjectOf(); err == nil && (x.MayPush || x.MayDrive) {
		if err := subject.Batch.Guesses(); err != nil {
			return fail("qprism plans orders from the files of the scheduler: log in as root on the "+
				"host of the server, because only root can read them", "%s", seen)
		}
	}
	return doubt("another user, or a login on the master, can read more", "%s", seen)
}

// lacking lists the parts that were not captured, with the first reason.
func lacking(list []string) string {
	names := make([]string, len(list))
	reason := ""
	for i, text := range list {
		name, why, _ := strings.Cut(text, " (")
		names[i], reason = name, cmp.Or(reason, strings.TrimSuffix(why, ")"))
	}
	return strings.Join(names, ", ") + " (" + reason + ")"
}

func (x *examination) audited(ctx context.Context) (*batch.Audit, error) {
	s, err := x.subjectOf()
	if err != nil {
		return nil, err
	}
	return s.Batch.Audit(ctx, subject.AuditOptions{})
}

func (x *examination) subjectOf() (*subject.Subject, error) {
	rules, quirks, err := new(subject.Selection).Profile(x.snapshot)
	return subject.NewSubject(x.snapshot, rules, lastrun.Options{Quirks: quirks}), err
}

// tryLastRun tries whether the scheduler runs.
func (x *examination) tryLastRun(ctx context.Context) Finding {
	a, err := x.audited(ctx)
	switch {
	case err != nil:
		return doubt("", "%v", err)
	case a.At.IsZero() && x.snapshot.LacksCycles():
		return doubt("the account needs read access to the log of the scheduler; is scheduling true (qmgr "+
			"-c \"list server scheduling\")?",
			"no scheduler run is known: the log shows none")
	case a.At.IsZero():
		return doubt("an audit needs a scheduler run; is the scheduler on (qconf -tsm; qmgr -c "+
			"\"set server scheduling=true\")?",
			"no scheduler run is known")
	}
	age := x.snapshot.TakenAt.Sub(a.At.Time).Round(time.Second)
	seen := fmt.Sprintf("%s before the capture", exporter.Span(age))
	if x.interval > 0 {
		seen += fmt.Sprintf("; at least every %s", exporter.Span(x.interval))
	}
	if x.interval > 0 && age > 2*x.interval+time.Minute {
		return doubt("does the scheduler run? See its messages", "%s", seen)
	}
	return fine("%s", seen)
}

// tryAudit compares our numbers with the master's.
func (x *examination) tryAudit(ctx context.Context) Finding {
	a, err := x.audited(ctx)
	if err != nil {
		return doubt("", "%v", err)
	}
	sum := a.Fields.Sum()
	seen := fmt.Sprintf("%d of %s of the master agree", sum.Agree, show.Plural(sum.Reported, "number"))
	var rest []string
	for _, c := range []struct {
		n    int
		what string
	}{{sum.Stale, "of another run"}, {sum.Missing, "with missing input"}, {sum.Unexplained, "unexplained"}} {
		if c.n > 0 {
			rest = append(rest, strconv.Itoa(c.n)+" "+c.what)
		}
	}
	if len(rest) > 0 {
		seen += "; " + strings.Join(rest, ", ")
	}
	if sum.Unexplained > 0 {
		return fail("\"qprism capture -o here.tar.gz --full && qprism audit here.tar.gz\" shows which; "+
			"do not push before these are explained", "%s",
			seen)
	}
	return fine("%s", seen)
}

// tryRights checks whether the account has the rights for everything that the configuration allows.
func (x *examination) tryRights(ctx context.Context) Finding {
	if !x.MayPush && !x.MayDrive {
		return fine("none needed: qprism only reads the cluster")
	}
	r := &control.Shell{Reach: x.reach}
	defer r.Close()
	missing, err := x.system().Rights(ctx, r, nil)
	switch {
	case err != nil:
		return fail("", "%v", err)
	case missing != "":
		return fail("as a manager there: give the account these rights", "%s", missing)
	}
	return fine("the account may change the jobs of other users")
}

// system is how orders are sent to the cluster.
func (x *examination) system() exporter.System {
	if x.pbs {
		return pbs.Swaps{}
	}
	return gridengine.Priorities{}
}

// tryParams tries whether the policy can be steered.
func (x *examination) tryParams(context.Context) Finding {
	if x.pbs {
		return x.tryWay()
	}
	var refusal *exporter.RefusalError
	alters, ruled := []string{"p"}, false
	if x.Drive != nil {
		o := x.DriveOptions(nil)
		alters, ruled = o.Alters(), o.RulesMay()
	}
	if err := exporter.Unsafe(x.snapshot, alters...); errors.As(err, &refusal) {
		if !x.MayPush && !x.MayDrive {
			return fine("%s; this matters only for \"qprism push\"", refusal.Why)
		}
		return fail("until this is changed, \"qprism push\" sends nothing", "%s", refusal.Why)
	}
	if x.MayPush && x.snapshot.Policy.WeightPriority <= 0 {
		return fail("set weight_priority to a value above 0 (qconf -msconf)", "weight_priority is %v, so -p does not change the order",
			x.snapshot.Policy.WeightPriority)
	}
	if url, _ := model.Text(x.snapshot.Config.Global, "jsv_url"); ruled && (url == "" || strings.EqualFold(url, "none")) {
		return doubt("scripts/qprism-jsv makes new jobs wait some seconds for the next step "+
			"(docs/how-to/external-scheduler.md)",
			"no job verifier (jsv_url): a new job may start before the next step decides about it")
	}
	return fine("JC_FILTER is not set, and no job verifier forbids qalter -p")
}

// tryWay tries whether a PBS server is set up for the tasks push and drive.
func (x *examination) tryWay() Finding {
	ways := map[string]string{}
	if x.Push != nil {
		ways["push"] = x.Push.Through
	}
	if x.Drive != nil {
		ways["drive"] = "priority"
	}
	if len(ways) == 0 {
		return fine("nothing in them forbids a push")
	}
	for _, task := range slices.Backward(slices.Sorted(maps.Keys(ways))) {
		if err := push.UsablePBS(x.snapshot, ways[task]); err != nil {
			return fail("until this is changed, the task "+task+" sends nothing", "%v", err)
		}
	}
	return fine("qprism can order jobs through %s", strings.Join(slices.Sorted(maps.Values(ways)), ", "))
}

// tryPushes looks for an unfinished push and for the stop file.
func (x *examination) tryPushes(ctx context.Context) Finding {
	store, err := subject.OpenStore(x.Served.Deps)
	if errors.Is(err, cli.ErrNoBundle) { // the store does not exist yet
		return fine("none is open")
	}
	if err != nil {
		return fail("", "%v", err)
	}
	defer store.Close()
	name, err := store.NameOf(ctx, x.snapshot.Cluster, x.snapshot.Identity)
	if err != nil {
		return fail("", "%v", err)
	}
	push, err := store.LastPush(ctx, name)
	if err == nil && push.Open() {
		return doubt("\"qprism push --resume --apply\" finishes it, \"qprism push --undo --apply\" takes it back; \"qprism serve\" does this when it starts",
			"push %d of %s was not finished", push.ID, push.Begun.Format(time.RFC3339))
	}
	if err != nil && !errors.Is(err, model.ErrNoPush) {
		return fail("", "%v", err)
	}
	opts := x.PushOptions(nil)
	if err := control.Stopped(control.StopFile(x.Served.Deps, opts.StopFile)); err != nil && (x.MayPush || x.MayDrive) {
		return doubt("remove the file to allow pushes", "%v", err)
	}
	return fine("none is open")
}

// countHosts counts execution hosts. "global" is not one of them.
func countHosts(s *model.Snapshot) (n int) {
	for i := range s.Hosts {
		if s.Hosts[i].Name != model.GlobalHost {
			n++
		}
	}
	return n
}
