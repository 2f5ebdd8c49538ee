package act

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"qprism/cmd/qprism/act/push"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/keep"
	"qprism/cmd/qprism/recorded"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/model"
	"qprism/fixtures/master"
	"qprism/fixtures/sshd"
	"qprism/importer"
	"qprism/importer/collect"
)

// busy is a master with objects of every kind and jobs with names that a shell would do something with.
func busy(t *testing.T) *master.Master {
	t.Helper()
	m := master.Start(t, master.Options{})
	must(t, m.Apply(master.Scenario{
		Hosts:     []master.Object{{"name": "node01"}, {"name": "node02"}},
		PEs:       []master.Object{{"pe_name": "mpi"}, {"pe_name": "smp", "allocation_rule": "$pe_slots"}},
		Queues:    []master.Object{{"qname": "all.q", "slots": "1", "pe_list": "mpi smp"}},
		Calendars: []master.Object{{"calendar_name": "night", "week": "mon-fri=6-20=off"}},
		Users:     []master.Object{{"name": "usera"}, {"name": "userb"}},
		Projects:  []master.Object{{"name": "p1"}, {"name": "p2"}},
		Usersets:  []master.Object{{"name": "staff", "entries": "usera", "type": "ACL DEPT"}},
		RQS:       "{\n name lim\n enabled TRUE\n limit users {*} to slots=4\n}\n",
		ShareTree: "id=0\nname=Root\ntype=0\nshares=1\nchildnodes=1\nid=1\nname=default\ntype=0\nshares=1\nchildnodes=NONE\n",
		SchedConf: master.Object{"weight_tickets_share": "1000", "weight_priority": "1"},
	}))
	add := func(option, name, text string) {
		file := filepath.Join(t.TempDir(), name)
		must(t, os.WriteFile(file, []byte(text), 0o644))
		_, err := m.Run("qconf", option, file)
		must(t, err)
	}
	add("-Ackpt", "ckpt",
		"ckpt_name blcr\ninterface userdefined\nckpt_command none\nmigr_command none\nrestart_command "+
			"none\nclean_command none\nckpt_dir /tmp\nsignal none\nwhen xs\n")
	add("-Aconf", "node01", "mailer none\n")
	_, err := m.Run("qconf", "-ao", "userb")
	must(t, err)
	for _, name := range hostileNames {
		// it runs for longer than captures take on a busy machine
		_, err := m.Run("setpriv", "--reuid=usera", "--clear-groups", "--", "qsub", "-terse",
			"-b", "y", "-wd", "/tmp", "-N", name, "sleep", "90")
		must(t, err)
	}
	trigger(t, m)
	return m
}

// hostileNames are the worst that the master accepts: no blank, slash, newline or byte above 127.
var hostileNames = []string{"it's", `"quoted"`, "$(reboot)", "`id`", "a;b|c&d", "-rf", "$HOME", "%n%s{}[]<>!#~^"}

func captureFrom(t *testing.T, s *sshd.Server) (subject.CaptureOptions, *cli.Deps) {
	t.Helper()
	dir := t.TempDir()
	o := subject.CaptureOptions{Collect: collect.Routine(), Deadline: time.Minute, Replace: true,
		Output: filepath.Join(dir, "bundle.tar.gz")}
	o.Reach = sshReach(s)
	o.Collect.Slow = 20 * time.Second // tests share few processors
	return o, &cli.Deps{Store: filepath.Join(dir, "store", "store.db"), Format: "table"}
}

// capture captures and returns what was printed and how many commands that took.
func captured(o subject.CaptureOptions, t *testing.T, d *cli.Deps) (said string, commands int) {
	t.Helper()
	var out bytes.Buffer
	must(t, keep.RunCapture(t.Context(), d, o, nil, &out))
	t.Log(out.String())
	commands, err := strconv.Atoi(regexp.MustCompile(`(\d+) commands in one remote execution`).FindStringSubmatch(
		out.String())[1])
	must(t, err)
	if strings.Contains(out.String(), "not captured") {
		t.Error("something was not captured")
	}
	return out.String(), commands
}

// TestRealMasterIsCapturedOverSSH captures twice, since the second time what seldom changes is kept, and a
// third time when it changed.
func TestRealMasterIsCapturedOverSSH(t *testing.T) {
	t.Parallel()
	sshd.Require(t)
	m := busy(t)
	s := sshTo(t, m, "")
	o, d := captureFrom(t, s)
	captured(o, t, d)
	first := recorded.OpenBundle(t, o.Output)
	isComplete(t, first)
	said, commands := captured(o, t, d)
	if commands > 30 || !strings.Contains(said, "reused from an earlier capture: ") {
		t.Errorf("a routine capture of %d commands", commands)
	}
	second := recorded.OpenBundle(t, o.Output)
	isComplete(t, second)
	asTheScript(t, m, o.Output)
	if a, b := fmt.Sprint(objectNames(first)), fmt.Sprint(objectNames(second)); a != b {
		t.Errorf("first %s, then %s", a, b)
	}
	_, err := m.Run("qconf", "-Aprj", project(t, "p3"))
	must(t, err)
	_, commands = captured(o, t, d)
	third := recorded.OpenBundle(t, o.Output)
	isComplete(t, third)
	if commands > 30 || !slices.Contains(objectNames(third), "p3") {
		t.Errorf("%d commands; a new project is not there: %v", commands, objectNames(third))
	}
	if n := strings.Count(s.Log(), "Starting session"); n != 3 {
		t.Errorf("%d remote executions for three captures:\n%s", n, s.Log())
	}
	asItIsNow(t, o, d)
	throughGate(t, s, o, d)
}

// asItIsNow looks at a cluster without a bundle, and plans a push that puts its last job first.
func asItIsNow(t *testing.T, o subject.CaptureOptions, d *cli.Deps) {
	t.Helper()
	s, err := subject.Load(t.Context(), d, &subject.Selection{Live: o}, nil)
	must(t, err)
	if len(s.Jobs) != len(hostileNames) {
		t.Errorf("%d jobs, want %d", len(s.Jobs), len(hostileNames))
	}
	last := show.Number32(s.Jobs[len(s.Jobs)-1].Number)
	opts := push.Options{Selection: subject.Selection{Live: o}, Reach: o.Reach, First: []string{last},
		Priorities: "-1023..1024",
		MaxChanges: 100, Now: time.Now}
	var out bytes.Buffer
	must(t, push.Run(t.Context(), d, opts, nil, &out, &out))
	if !strings.Contains(out.String(), "qalter -p ") || !strings.Contains(out.String(), " "+last+"\n") {
		t.Errorf("nothing puts job %s first:\n%s", last, out.String())
	}
}

// settings are files that do not change by themselves, as those with times, states and load do.
var settings = map[string]bool{
	"admin_hosts.txt": true, "calendars.txt": true, "ckpts.txt": true, "complex.txt": true,
	"conf.txt": true, "event_clients.txt": true,
	"host_confs.txt": true, "hostgroups.txt": true, "managers.txt": true, "operators.txt": true,
	"pes.txt": true, "projects.txt": true,
	"qstat-help.txt": true, "queues.txt": true, "rqs.txt": true, "sched_conf.txt": true, "share_tree.txt": true,
	"submit_hosts.txt": true,
	"users.txt":        true, "usersets.txt": true, "schedule": true,
}

// asTheScript compares a bundle with the one that scripts/capture-ge.sh makes: the same files, and settings with the
// same text, up to the empty lines between objects that were asked for together.
func asTheScript(t *testing.T, m *master.Master, bundle string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "bundle")
	must(t, m.Capture(dir))
	want := os.DirFS(dir)
	got, closer, err := importer.Open(bundle)
	must(t, err)
	defer closer.Close()
	entries, err := fs.ReadDir(want, ".")
	must(t, err)
	held, err := fs.ReadDir(got, ".")
	must(t, err)
	ended := func(name string) bool { return name == "accounting" } // the first task may end between them
	if a, b := slices.DeleteFunc(entryNames(held), ended),
		slices.DeleteFunc(entryNames(entries), ended); !slices.Equal(a, b) {
		t.Errorf("the bundle holds %v, that of the script %v", a, b)
	}
	for _, name := range entryNames(entries) {
		if !settings[name] {
			continue
		}
		a, err := fs.ReadFile(got, name)
		must(t, err)
		b, err := fs.ReadFile(want, name)
		must(t, err)
		if !bytes.Equal(bytes.ReplaceAll(a, []byte("\n\n"), []byte("\n")),
			bytes.ReplaceAll(b, []byte("\n\n"), []byte("\n"))) {
			t.Errorf("%s is\n%s\nthat of the script\n%s", name, a, b)
		}
	}
}

func entryNames(entries []fs.DirEntry) (names []string) {
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// throughGate captures everything with a key that runs scripts/qprism-gate, which must refuse nothing of
// it, and all that changes.
func throughGate(t *testing.T, s *sshd.Server, o subject.CaptureOptions, d *cli.Deps) {
	t.Helper()
	script, err := filepath.Abs("../../../scripts/qprism-gate")
	must(t, err)
	key, err := os.ReadFile(filepath.Join(s.Home, ".ssh", "id_ed25519.pub"))
	must(t, err)
	log := filepath.Join(s.Dir, "gate.log")
	must(t, s.Authorize(fmt.Sprintf(`restrict,command="%s -l %s read"`, script, log), string(key)))
	o.Collect.Full = true
	_, commands := captured(o, t, d)
	isComplete(t, recorded.OpenBundle(t, o.Output))
	text, err := os.ReadFile(log)
	must(t, err)
	const toKnowIt = 11 // questions that tell which cluster it is; captures do not count them
	if ran := strings.Count(string(text), " runs: "); ran != commands+toKnowIt ||
		strings.Contains(string(text), " refused: ") {
		t.Errorf("%d commands, of which the gate ran %d:\n%s", commands, ran, text)
	}
	cluster, err := o.Open(t.Context())
	must(t, err)
	defer cluster.Close()
	status, _, _, err := cluster.Run(t.Context(), []string{"qalter", "-p", "-5", "1"}, nil)
	if err != nil || status != 126 {
		t.Errorf("qalter: status %d, %v; want it refused", status, err)
	}
}

func project(t *testing.T, name string) string {
	file := filepath.Join(t.TempDir(), "project")
	must(t, os.WriteFile(file, []byte("name "+name+"\noticket 0\nfshare 0\nacl NONE\nxacl NONE\n"), 0o644))
	return file
}

// isComplete sees that no file is missing, that nothing is unknown, and that every number agrees.
func isComplete(t *testing.T, s *model.Snapshot) {
	t.Helper()
	// no job has ended
	missing := slices.DeleteFunc(slices.Clone(s.Missing), func(f string) bool { return f == "accounting" })
	if len(missing) > 0 || len(s.Unknown) > 0 || len(s.LeftOut) > 0 {
		t.Errorf("missing %v, unknown %v, left out %v", missing, s.Unknown, s.LeftOut)
	}
	var jobs []string
	for _, j := range s.Jobs {
		jobs = append(jobs, j.Name)
	}
	for _, name := range hostileNames {
		if !slices.Contains(jobs, name) {
			t.Errorf("no job is called %q: %q", name, jobs)
		}
	}
	sum := recorded.AuditOf(s).Sum()
	if sum.Reported == 0 || sum.Agree != sum.Reported {
		t.Errorf("%d of %d numbers agree", sum.Agree, sum.Reported)
	}
}

func objectNames(s *model.Snapshot) (list []string) {
	for _, p := range s.Projects {
		list = append(list, p.Name)
	}
	for _, h := range s.Hosts {
		list = append(list, h.Name)
	}
	for _, p := range s.PEs {
		list = append(list, p.Name)
	}
	return list
}

func TestOneCaptureOfAClusterAtATime(t *testing.T) {
	dir := t.TempDir()
	d := &cli.Deps{Store: filepath.Join(dir, "store.db"), Format: "table"}
	o := subject.CaptureOptions{Collect: collect.Routine(), Deadline: time.Minute, Output: filepath.Join(dir, "a.tar.gz")}
	cluster, err := o.Open(t.Context())
	must(t, err)
	site, err := collect.Identify(t.Context(), cluster)
	must(t, err)
	cluster.Close()
	unlock, err := subject.LockState(o.State(d, site))
	must(t, err)
	defer unlock()
	if err := keep.RunCapture(t.Context(), d, o, nil, &bytes.Buffer{}); err == nil ||
		!strings.Contains(err.Error(), "another capture of this cluster is running (process ") {
		t.Errorf("%v", err)
	}
}

func TestACaptureNeverReplacesAFileUnasked(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.tar.gz")
	must(t, os.WriteFile(file, []byte("mine"), 0o600))
	o := subject.CaptureOptions{Collect: collect.Routine(), Deadline: time.Minute, Output: file}
	if err := keep.RunCapture(t.Context(), &cli.Deps{}, o, nil, &bytes.Buffer{}); err == nil ||
		!strings.Contains(err.Error(), "--replace") {
		t.Errorf("%v", err)
	}
}

// TestACaptureIsAnonymizedBeforeItIsWritten captures a real master with --anonymize: no name of it is left,
// and the audit is the same.
func TestACaptureIsAnonymizedBeforeItIsWritten(t *testing.T) {
	t.Parallel()
	sshd.Require(t)
	m := busy(t)
	s := sshTo(t, m, "")
	o, d := captureFrom(t, s)
	o.Anonymize, o.Replace = true, true
	captured(o, t, d)
	made := recorded.OpenBundle(t, o.Output)
	if sum := recorded.AuditOf(made).Sum(); sum.Reported == 0 || sum.Agree != sum.Reported || len(made.Unknown) > 0 {
		t.Errorf("%d of %d numbers agree, unknown is %v", sum.Agree, sum.Reported, made.Unknown)
	}
	o.Anonymize = false
	captured(o, t, d)
	plain := recorded.OpenBundle(t, o.Output)
	if len(made.Jobs) != len(plain.Jobs) || len(plain.Jobs) == 0 {
		t.Errorf("%d jobs, and %d under pseudonyms", len(plain.Jobs), len(made.Jobs))
	}
	for i := range plain.Jobs {
		if a, b := plain.Jobs[i], made.Jobs[i]; a.Number != b.Number || a.Owner == b.Owner || a.Name == b.Name {
			t.Errorf("job %d of %s: %s; under pseudonyms %d of %s: %s", a.Number, a.Owner, a.Name, b.Number, b.Owner, b.Name)
		}
	}
	if plain.Cluster == made.Cluster {
		t.Errorf("the cluster is still %s", made.Cluster)
	}
}
