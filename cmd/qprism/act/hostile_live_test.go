package act

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/keep"
	"qprism/cmd/qprism/next"
	"qprism/cmd/qprism/past"
	"qprism/cmd/qprism/policy"
	"qprism/cmd/qprism/queue"
	"qprism/cmd/qprism/recorded"
	"qprism/engine/model"
	"qprism/fixtures/master"
	"qprism/fixtures/sshd"
	"qprism/importer"
)

// Each of these names makes a file called pwned where a shell sees it. They are what a real 8.1.9 master
// accepts: it refuses quotes, brackets, pipes and percent signs in names of most objects and of owners, and
// blanks, newlines, control characters and bytes above 127 in those of jobs. (No account has a name with a
// leading dash: glibc passes over such lines of passwd. To a byte above 127 in an owner's name the master
// gives no answer at all.)
var (
	hostileJobs = []string{"it's", `"q"`, "$(id>pwned)", "`id>pwned`", ";id>pwned;", "|id>pwned",
		"&id>pwned&", "-rf", "--", "--help",
		"$HOME", "[x]{y}!z#", "a<b>&amp;", "]]>", "a,b", "%s%n", strings.Repeat("x", 500)}
	hostileObjects = []string{"`id>pwned`", ";id>pwned;", "&id>pwned&", "-rf", "--", "-km",
		"*", "a?c", "!x", "~root", "a<b>&amp;", "a=b"}
	// no project's
	hostileOwners = []string{"`id>pwned`o", ";id>pwned;o", "&id>pwned&o", "**", "?", "$HOME",
		"$IFS", "a<b>&lt;", "!y", "~sync", "a==b", "7",
		"^a"}
	hostileHosts   = []string{"$(id>pwned)", "&id>pwned&", "(x)", "[x]", "!x", "a\x1b[31mred", "|id>pwned"}
	hostileComplex = []string{"$(id>pwned)", "`id>pwned`", "'q'", `"q"`, "-rf", "a\xff\xfe", "é"}
)

// refusedNames are names that the master does not accept for jobs. A bundle of another release, or a forged
// one, may have them.
var refusedNames = []string{"a\nb", "\t", "a\rb", "a\x1b[2J\x1b]0;pwned\x07", "a\xff\xfe", "\u009b31m", "\u202egnp",
	strings.Repeat("long", 25_000), "a'b\"c/d\\e:f@g*h?i", " ", "\x00"}

// renamed is a bundle in which the jobs "plain0", "plain1" and so on have those names, wherever they are mentioned.
func renamed(t *testing.T, bundle string) string {
	t.Helper()
	from, closer, err := importer.Open(bundle)
	must(t, err)
	defer closer.Close()
	to := filepath.Join(t.TempDir(), "bundle")
	must(t, os.CopyFS(to, from))
	files, err := filepath.Glob(filepath.Join(to, "*"))
	must(t, err)
	found := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		must(t, err)
		for i, name := range refusedNames {
			plain := fmt.Appendf(nil, ">plain%d<", i)
			found += bytes.Count(text, plain)
			text = bytes.ReplaceAll(text, plain, []byte(">"+name+"<"))
		}
		must(t, os.WriteFile(file, text, 0o600))
	}
	if found < 2*len(refusedNames) {
		t.Fatalf("the names are mentioned %d times", found)
	}
	return to
}

// hostile is a master in which everything that can have a hostile name has one.
func hostile(t *testing.T) *room {
	t.Helper()
	m := master.Start(t, master.Options{})
	users := []master.Object{{"name": "usera", "fshare": "100"}, {"name": "userb", "fshare": "300"}}
	for _, name := range hostileAccounts(t, m) {
		users = append(users, master.Object{"name": master.Value(name), "fshare": "100"})
	}
	must(t, m.Apply(master.Scenario{
		Hosts:  []master.Object{{"name": "node01"}},
		PEs:    []master.Object{{"pe_name": "mpi"}},
		Queues: []master.Object{{"qname": "all.q", "slots": "1", "pe_list": "mpi"}},
		Users:  users,
		SchedConf: master.Object{"weight_priority": "1", "weight_urgency": "0.1", "weight_ticket": "0.01",
			"weight_tickets_functional": "1000000",
			"weight_user":               "1", "weight_project": "0", "weight_department": "0", "weight_job": "0"},
	}))
	accepted := map[string]int{}
	add := func(kind, option, text string) {
		t.Helper()
		file := filepath.Join(t.TempDir(), "object")
		must(t, os.WriteFile(file, []byte(text), 0o644))
		if _, err := m.Run("qconf", option, file); err != nil {
			t.Logf("%s refused: %v", kind, err)
			return
		}
		accepted[kind]++
	}
	queue, err := m.Run("qconf", "-sq", "all.q")
	must(t, err)
	for _, name := range hostileObjects {
		add("project", "-Aprj", "name "+name+"\noticket 0\nfshare 0\nacl NONE\nxacl NONE\n")
		add("user", "-Auser", "name "+name+"u\noticket 0\nfshare 0\ndelete_time 0\ndefault_project NONE\n")
		add("pe", "-Ap", "pe_name "+name+
			"\nslots 9\nuser_lists NONE\nxuser_lists NONE\nstart_proc_args NONE\nstop_proc_args "+
			"NONE\nallocation_rule $fill_up\ncontrol_slaves FALSE\njob_is_first_task "+
			"TRUE\nurgency_slots min\naccounting_summary FALSE\nqsort_args NONE\n")
		add("calendar", "-Acal", "calendar_name "+name+"\nyear NONE\nweek mon-fri=6-20=off\n")
		add("userset", "-Au", "name "+name+"\ntype ACL\nfshare 0\noticket 0\nentries usera\n")
		add("ckpt", "-Ackpt",
			"ckpt_name "+name+"\ninterface userdefined\nckpt_command none\nmigr_command "+
				"none\nrestart_command none\nclean_command none\nckpt_dir /tmp\nsignal none\nwhen xs\n")
		add("hostgroup", "-Ahgrp", "group_name @"+name+"\nhostlist NONE\n")
		add("queue", "-Aq", strings.Replace(queue, "all.q", name, 1))
	}
	for _, name := range hostileHosts {
		add("host", "-Ae", "hostname "+name+
			"\nload_scaling NONE\ncomplex_values NONE\nuser_lists NONE\nxuser_lists NONE\nprojects "+
			"NONE\nxprojects NONE\nusage_scaling NONE\nreport_variables NONE\n")
	}
	complexes, err := m.Run("qconf", "-sc")
	must(t, err)
	for i, name := range hostileComplex {
		complexes += fmt.Sprintf("%s s%d INT <= YES YES 0 0\n", name, i)
	}
	add("complex", "-Mc", complexes)
	t.Logf("the master accepted %v", accepted)
	submit := func(user, name string, options ...string) {
		t.Helper()
		argv := append([]string{"setpriv", "--reuid=" + user, "--clear-groups", "--", "qsub",
			"-terse", "-b", "y", "-wd", "/tmp", "-N", name},
			options...)
		if _, err := m.Run(append(argv, "sleep", "99999")...); err != nil {
			t.Errorf("job %q: %v", name, err)
		}
	}
	submit("usera", "first")
	trigger(t, m)
	for i, name := range hostileJobs {
		submit([]string{"usera", "userb"}[i%2], name)
	}
	for i := range refusedNames {
		submit("userb", fmt.Sprintf("plain%d", i))
	}
	for i, name := range hostileAccounts(t, m) {
		submit(name, fmt.Sprintf("owned%d", i))
	}
	submit("usera", "project", "-P", "`id>pwned`")
	submit("usera", "pe", "-pe", "&id>pwned&", "2")
	submit("userb", "queue", "-q", ";id>pwned;")
	submit("userb", "resource", "-l", "s0=1")
	trigger(t, m)
	return &room{Master: m}
}

// hostileAccounts are the accounts with hostile names that a master has: none where they would have to be
// made on the machine itself.
func hostileAccounts(t *testing.T, m *master.Master) []string {
	if !m.Private() {
		t.Log("owners with hostile names are not tried: their accounts would be the machine's")
		return nil
	}
	return hostileOwners
}

// canaries are files that a shell would have made of a name.
func canaries(t *testing.T, folders ...string) {
	t.Helper()
	home, _ := os.UserHomeDir()
	for _, folder := range append(folders, ".", "/", "/tmp", home) {
		if _, err := os.Lstat(filepath.Join(folder, "pwned")); err == nil {
			os.Remove(filepath.Join(folder, "pwned"))
			t.Errorf("a shell saw a name: there is %s/pwned", folder)
		}
	}
}

// TestHostileNamesOfARealMasterReachNoShellAndNoTerminal captures such a master over SSH, through the gate,
// and with the script; stores, plans and explains it in every format; pushes an order of its jobs and takes
// it back.
func TestHostileNamesOfARealMasterReachNoShellAndNoTerminal(t *testing.T) {
	sshd.Require(t)
	t.Parallel()
	canaries(t)
	r := hostile(t)
	l := &faultLab{room: r, server: sshTo(t, r.Master, "")}
	o, d := captureFrom(t, l.server)
	o.Collect.Full = true
	var said bytes.Buffer
	must(t, keep.RunCapture(t.Context(), d, o, nil, &said))
	t.Log(said.String())
	clean(t, "capture", said.String())
	s := recorded.OpenBundle(t, o.Output)
	var names []string
	for _, j := range s.Jobs {
		names = append(names, j.Name)
	}
	for _, name := range hostileJobs {
		if !slices.Contains(names, name) {
			t.Errorf("no job is called %q", name)
		}
	}
	for _, owner := range hostileAccounts(t, r.Master) {
		if !slices.ContainsFunc(s.Jobs, func(j model.Job) bool {
			return j.Owner == owner && strings.HasPrefix(j.Name, "owned")
		}) {
			t.Errorf("no job is of %q", owner)
		}
	}
	if len(s.LeftOut) > 0 || len(s.Unknown) > 0 {
		t.Errorf("left out %v, unknown %v", s.LeftOut, s.Unknown)
	}
	t.Logf("captured: %d hosts, %d queues, %d projects, %d pes, %d usersets, %d calendars, %d "+
		"complexes; missing %v", len(s.Hosts),
		len(s.Queues), len(s.Projects), len(s.PEs),
		len(s.Usersets), len(s.Calendars), len(s.Resources), s.Missing)

	throughEverything(t, d, o.Output, names, s.Jobs[1].Number)
	throughEverything(t, newStore(t, "table"), renamed(t, o.Output), nil, s.Jobs[1].Number)
	l.pushHostile(t, numberOf(t, s, "resource"))
	options, _ := l.gateOf(t, "read")
	l.authorize(t, options)
	said.Reset()
	must(t, keep.RunCapture(t.Context(), d, o, nil, &said))
	clean(t, "capture through the gate", said.String())
	if s := recorded.OpenBundle(t, o.Output); len(s.Jobs) != len(names) || len(s.Projects) < 9 {
		t.Errorf("through the gate %d jobs and %d projects", len(s.Jobs), len(s.Projects))
	}
	canaries(t, l.server.Home, l.Root, filepath.Dir(o.Output))
}

// numberOf is that of the job of a name.
func numberOf(t *testing.T, s *model.Snapshot, name string) string {
	t.Helper()
	at := slices.IndexFunc(s.Jobs, func(j model.Job) bool { return j.Name == name })
	if at < 0 {
		t.Fatalf("no job is called %q", name)
	}
	return fmt.Sprint(s.Jobs[at].Number)
}

// pushHostile reverses the order of all jobs over SSH, and takes that back. The one that asks for what no
// host has gets no place.
func (l *faultLab) pushHostile(t *testing.T, never string) {
	t.Helper()
	l.wanted, l.restored = l.listed(t)
	l.requests = l.allRequests(t)
	slices.Reverse(l.wanted)
	l.file = filepath.Join(t.TempDir(), "wanted")
	must(t, os.WriteFile(l.file, []byte(strings.Join(l.wanted, "\n")+"\n"), 0o600))
	d := newStore(t, "table")
	said, err := l.apply(t, d, l.over(), 0, nil)
	must(t, err)
	clean(t, "push", said)
	placed := func(list []string) []string {
		return slices.DeleteFunc(slices.Clone(list), func(number string) bool { return number == never })
	}
	if order, _ := l.listed(t); !slices.Equal(placed(order), placed(l.wanted)) {
		t.Errorf("the order is %v, wanted %v", order, l.wanted)
	}
	l.undone(t, d)
}

// throughEverything runs commands on a bundle, in all their formats, and sees that none fails and that
// nothing goes to a terminal that would do something there.
func throughEverything(t *testing.T, d *cli.Deps, bundle string, names []string, job uint32) {
	t.Helper()
	id := fmt.Sprint(job)
	runs := [][]string{{"audit", bundle}, {"shares", bundle}, {"lint", bundle}, {"import", bundle},
		{"snapshots"}, {"explain", id, bundle},
		{"timeline"}}
	for _, format := range []string{"table", "json", "csv"} {
		runs = append(runs, []string{"priorities", bundle, "--format", format}, []string{"plan", bundle, "--format", format},
			[]string{"why", id, bundle, "--format", format},
			[]string{"forecast", bundle, "--format", format}, []string{"history", id, "--format", format})
	}
	runs = append(runs, []string{"plan", bundle, "--format", "svg"}, []string{"forecast", bundle, "--format", "svg"})
	for _, argv := range runs {
		var out bytes.Buffer
		root := cli.New(queue.Group, next.Group, past.Group, Group, policy.Group, keep.Group)
		root.SetArgs(append(argv, "--store", d.Store))
		root.SetOut(&out)
		root.SetErr(&out)
		// these end so where they find something
		if err := root.ExecuteContext(context.Background()); err != nil && argv[0] != "audit" && argv[0] != "lint" {
			t.Errorf("%s: %v", argv, err)
		}
		if argv[0] == "priorities" && argv[3] == "table" && len(names) > 0 && !strings.Contains(out.String(), "it's") {
			t.Errorf("priorities shows no name:\n%s", out.String())
		}
		clean(t, strings.Join(argv, " "), out.String())
	}
}

// clean sees that a text has no control characters but newlines and tabs, and is UTF-8.
func clean(t *testing.T, what, text string) {
	t.Helper()
	if !utf8.ValidString(text) {
		t.Errorf("%s: not UTF-8", what)
	}
	if at := strings.IndexFunc(text, func(r rune) bool {
		return r < ' ' && r != '\n' && r != '\t' || r == 0x7f || r >= 0x80 &&
			r < 0xa0
	}); at >= 0 {
		t.Errorf("%s: a control character: %q", what, text[max(0, at-30):min(len(text), at+30)])
	}
}
