package collect

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// A cluster stands in for a Grid Engine cluster of many hosts, users and jobs. It answers in the forms of 8.1.9.
type cluster struct {
	hosts, users, projects int
	jobs                   int
	gone                   map[string]bool // objects that are listed and cannot be shown
	slow                   []time.Duration // what the next answers to small questions take
	conf                   string
	reservations           string // what qrstat lists
	asked                  [][]string
	clock                  time.Time
	cut                    string // the command at which the connection is lost
}

var errCut = errors.New("the connection was lost")

func (c *cluster) Run(_ context.Context, argv []string, stdout io.Writer) (status int, complaints string,
	took time.Duration, err error) {
	c.asked = append(c.asked, argv)
	line := strings.Join(argv, " ")
	if c.cut != "" && strings.HasPrefix(line, c.cut) {
		return 0, "", 0, errCut
	}
	if line == "qconf -ssconf" && len(c.slow) > 0 {
		took, c.slow = c.slow[0], c.slow[1:]
	}
	out, complaint, status := c.answer(argv, line)
	_, err = io.WriteString(stdout, out)
	return status, complaint, took, err
}

// names are those of n objects.
func list(prefix string, n int) (names []string) {
	for i := range n {
		names = append(names, fmt.Sprintf("%s%04d", prefix, i))
	}
	return names
}

func lines(names []string) string { return strings.Join(names, "\n") + "\n" }

func (c *cluster) answer(argv []string, line string) (out, complaint string, status int) {
	switch {
	case argv[0] == "date":
		return c.clock.Format("2006-01-02T15:04:05.000000000 -0700") + "\n", "", 0
	case line == "qstat -help":
		return "SGE 8.1.9\nusage: qstat\n", "", 0
	case line == "printenv SGE_ROOT":
		return "/opt/sge\n", "", 0
	case line == "cat /opt/sge/default/common/act_qmaster":
		return "master\n", "", 0
	case line == "cat /opt/sge/default/common/bootstrap":
		return "qmaster_spool_dir /spool\n", "", 0
	case argv[0] == "qhost":
		var b strings.Builder
		b.WriteString("<qhost>\n <host name='global'>\n </host>\n")
		for _, h := range list("node", c.hosts) {
			fmt.Fprintf(&b, " <host name='%s'>\n </host>\n", h)
		}
		return b.String(), "", 0
	case line == "qrstat -u * -xml":
		return c.reservations, "", 0
	case argv[0] == "qstat" && slices.Contains(argv, "-j"):
		return strings.Repeat(
			"<element>\n<JB_env_list>\n<VA_value>secret</VA_value>\n</JB_env_list>\n<JB_name>j</JB_name>\n</element>\n",
			c.jobs), "", 0
	case argv[0] == "qstat":
		return strings.Repeat("<job_list>\n", c.jobs), "", 0
	case argv[0] == "tail":
		return strings.Repeat("half a line, then whole ones\n", 10), "", 0
	case line == "qconf -sconf":
		return "execd_spool_dir " + c.conf + "\n", "", 0
	case argv[0] == "qconf":
		return c.qconf(argv)
	}
	return "", "", 0
}

func (c *cluster) qconf(argv []string) (out, complaint string, status int) {
	switch argv[1] {
	case "-suserl":
		return lines(list("user", c.users)), "", 0
	case "-sprjl":
		return lines(list("project", c.projects)), "", 0
	case "-scall", "-sckptl":
		return "", "no object defined\n", 1
	case "-sul", "-shgrpl", "-spl", "-sconfl":
		return "one\ntwo\n", "", 0
	}
	for i := 2; i < len(argv); i += 2 {
		for name := range strings.SplitSeq(argv[i], ",") {
			if c.gone[name] {
				return out, name + " is not known\n", 1
			}
			out += "name " + name + "\n"
		}
	}
	return out, "", 0
}

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.FixedZone("", 3600))

// bundle captures a cluster and returns the report, and the names of the files with their text.
func bundle(t *testing.T, c *cluster, change func(*Options)) (*Report, map[string]string, error) {
	t.Helper()
	if c.clock.IsZero() {
		c.clock = noon
	}
	dir := t.TempDir()
	o := Routine()
	o.Sleep = func(context.Context, time.Duration) error { return nil }
	if change != nil {
		change(&o)
	}
	c.asked = nil
	r, err := Bundle(t.Context(), c, dir, o)
	files := map[string]string{}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(text)
	}
	return r, files, err
}

// TestARoutineCaptureIsAtMostThirtyCommands besides those that tell which cluster it is, whatever the size
// of the cluster: of 50,000 jobs, 1,000 hosts and 2,000 users.
func TestARoutineCaptureIsAtMostThirtyCommands(t *testing.T) {
	state := t.TempDir()
	c := &cluster{hosts: 1000, users: 2000, projects: 300, jobs: 50_000}
	kept := func(o *Options) { o.State = state }
	r, first, err := bundle(t, c, kept)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("the first capture: %d commands", r.Cost.Commands)
	for range 3 {
		c.clock = c.clock.Add(time.Minute)
		r, files, err := bundle(t, c, kept)
		who := len(c.asked) - r.Cost.Commands // what is asked to know which cluster it is
		if err != nil || r.Cost.Commands > 30 || who > 11 || len(r.Lacking) > 0 {
			t.Fatalf("%d commands, %d of them to know the cluster, %+v, %v", len(c.asked), who, r, err)
		}
		t.Logf("a routine capture: %d commands", r.Cost.Commands)
		for name, text := range first {
			if name != "MANIFEST" && files[name] != text {
				t.Errorf("%s is not what it was", name)
			}
		}
		if !strings.Contains(files["MANIFEST"], fmt.Sprintf("kept hosts.txt %d\n", noon.Unix())) {
			t.Errorf("MANIFEST does not say that hosts.txt was kept:\n%.2000s", files["MANIFEST"])
		}
	}
	if n := strings.Count(first["hosts.txt"], "name "); n != 1001 {
		t.Errorf("%d hosts, want 1000 and global", n)
	}
}

func TestConfigurationIsAskedForAgainWhenItMayHaveChanged(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*cluster, *Options, string)
		again  []string // files that must be new
		kept   []string // that must not
	}{
		"nothing changed": {func(*cluster, *Options, string) {}, nil, []string{"hosts.txt", "users.txt", "managers.txt"}},
		"a new user": {func(c *cluster, _ *Options, _ string) {
			c.users++
		}, []string{"users.txt"}, []string{"hosts.txt"}},
		"a new host": {func(c *cluster, _ *Options, _ string) {
			c.hosts++
		}, []string{"hosts.txt"}, []string{"users.txt"}},
		"the global conf changed": {func(c *cluster, _ *Options, _ string) {
			c.conf = "new"
		}, []string{"hosts.txt", "users.txt", "managers.txt"},
			nil},
		"it has become old": {func(c *cluster, _ *Options, _ string) { c.clock = noon.Add(2 * time.Hour) },
			[]string{"hosts.txt", "managers.txt"}, nil},
		"the clock went back": {func(c *cluster, _ *Options, _ string) { c.clock = noon.Add(-time.Hour) },
			[]string{"hosts.txt", "managers.txt"}, nil},
		"all is wanted": {func(_ *cluster, o *Options, _ string) {
			o.Full = true
		}, []string{"hosts.txt", "managers.txt"}, nil},
		"a kept file was damaged": {func(_ *cluster, _ *Options, state string) {
			_ = os.WriteFile(filepath.Join(state, "hosts.txt"), []byte("half"), 0o600)
		}, []string{"hosts.txt"}, []string{"users.txt"}},
		"the state was damaged": {func(_ *cluster, _ *Options, state string) {
			_ = os.WriteFile(filepath.Join(state, "state.json"), []byte(`{"Kinds":`), 0o600)
		}, []string{"hosts.txt", "users.txt"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			state := t.TempDir()
			cl := &cluster{hosts: 5, users: 3, projects: 2, jobs: 2}
			if _, _, err := bundle(t, cl, func(o *Options) { o.State = state }); err != nil {
				t.Fatal(err)
			}
			cl.clock = noon.Add(time.Minute)
			r, files, err := bundle(t, cl, func(o *Options) {
				o.State = state
				c.change(cl, o, state)
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range c.again {
				if slices.Contains(r.Kept, file) || files[file] == "" && file != "managers.txt" {
					t.Errorf("%s was kept", file)
				}
			}
			for _, file := range c.kept {
				if !slices.Contains(r.Kept, file) {
					t.Errorf("%s was captured again", file)
				}
			}
			if n := strings.Count(files["hosts.txt"], "name "); n != cl.hosts+1 {
				t.Errorf("%d hosts, want %d", n, cl.hosts+1)
			}
		})
	}
}

// TestOnlyJobsAndQueuesAreAskedForAgainAtOnce: between two full captures a drive asks for what changes with a job.
func TestOnlyJobsAndQueuesAreAskedForAgainAtOnce(t *testing.T) {
	state := t.TempDir()
	c := &cluster{hosts: 5, users: 3, projects: 2, jobs: 2}
	often := func(o *Options) {
		o.State, o.StateAge, o.ListAge, o.Accounting, o.Records = state, 10*time.Second, time.Minute, 0, 0
	}
	asks := func(after time.Duration) (list []string, files map[string]string) {
		t.Helper()
		c.clock = noon.Add(after)
		_, files, err := bundle(t, c, often)
		if err != nil {
			t.Fatal(err)
		}
		for _, argv := range c.asked {
			if text := strings.Join(argv, " "); strings.HasPrefix(text, "q") && text != "qstat -help" {
				list = append(list, text)
			}
		}
		return list, files
	}
	_, full := asks(0)
	again, files := asks(5 * time.Second)
	want := []string{"qstat -u * -r -ext -urg -pri -xml", "qstat -u * -j * -xml",
		"qstat -u * -s rs -f -r -ext -urg -pri -F -xml"}
	if !slices.Equal(again, want) {
		t.Errorf("asked\n%s\nwant\n%s", strings.Join(again, "\n"), strings.Join(want, "\n"))
	}
	for file, text := range full {
		if file != "MANIFEST" && files[file] != text {
			t.Errorf("%s is not what it was", file)
		}
	}
	if list, _ := asks(12 * time.Second); len(list) < 2*len(want) {
		t.Errorf("after the age of the state only %v was asked", list)
	}
}

// The list of reservations lacks what each was granted; where there are none, nothing more is asked.
func TestEachReservationIsAskedForInOneCommand(t *testing.T) {
	for reservations, want := range map[string]string{
		"<qrstat>\n</qrstat>\n": "",
		"<qrstat>\n   <ar_summary>\n      <id>3</id>\n   </ar_summary>\n   <ar_summary>\n      " +
			"<id>12</id>\n   </ar_summary>\n</qrstat>\n": "3,12",
		"<qrstat>\n   <ar_summary>\n      <id>3;date</id>\n      <name><id>4</id></name>\n   " +
			"</ar_summary>\n</qrstat>\n": "",
	} {
		c := &cluster{reservations: reservations}
		_, files, err := bundle(t, c, nil)
		if err != nil {
			t.Fatal(err)
		}
		asked := ""
		for _, argv := range c.asked {
			if len(argv) == 4 && argv[0] == "qrstat" && argv[1] == "-ar" {
				asked += argv[2]
			}
		}
		if _, has := files["qrstat-ar.xml"]; asked != want || has != (want != "") {
			t.Errorf("of %q it asks for %q, want %q (file: %v)", reservations, asked, want, has)
		}
	}
}

func TestAnObjectThatHasGoneLeavesTheOthers(t *testing.T) {
	c := &cluster{hosts: 500, users: 1, jobs: 1, gone: map[string]bool{"node0123": true, "node0499": true}}
	r, files, err := bundle(t, c, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(files["hosts.txt"], "name node"); n != 498 {
		t.Errorf("%d hosts, want 498", n)
	}
	if len(r.Lacking) != 2 || !strings.Contains(strings.Join(r.Lacking, " "),
		"hosts.txt: node0123 (node0123 is not known)") {
		t.Errorf("%q", r.Lacking)
	}
	if len(c.asked) > 80 {
		t.Errorf("%d commands", len(c.asked))
	}
}

func TestASlowMasterIsLeftInPeace(t *testing.T) {
	var waits []time.Duration
	remember := func(o *Options) {
		o.Sleep = func(_ context.Context, d time.Duration) error { waits = append(waits, d); return nil }
	}
	c := &cluster{jobs: 1, slow: []time.Duration{10 * time.Second, 4 * time.Second, time.Second}}
	if r, _, err := bundle(t, c, remember); err != nil || len(waits) != 2 || waits[0] != 20*time.Second ||
		r.Cost.Waited < 35*time.Second {
		t.Errorf("a master that recovers: %v, waits %v", err, waits)
	}
	c = &cluster{jobs: 1, slow: []time.Duration{10 * time.Second, 10 * time.Second, 10 * time.Second}}
	_, _, err := bundle(t, c, remember)
	var slow *SlowError
	if !errors.As(err, &slow) || slices.ContainsFunc(c.asked, func(argv []string) bool {
		return argv[0] == "qstat" && argv[1] != "-help"
	}) {
		t.Errorf("a master that does not recover: %v, asked %q", err, c.asked)
	}
}

func TestACutConnectionEndsTheCaptureAndSpoilsNothing(t *testing.T) {
	state := t.TempDir()
	kept := func(o *Options) { o.State = state }
	for _, cut := range []string{"date", "qstat -help", "qconf -ssconf", "qhost", "qconf -se", "qconf -sconfl", "tail"} {
		c := &cluster{hosts: 3, jobs: 1, cut: cut}
		if _, _, err := bundle(t, c, kept); !errors.Is(err, errCut) {
			t.Errorf("cut at %s: %v", cut, err)
		}
	}
	c := &cluster{hosts: 3, jobs: 1}
	r, files, err := bundle(t, c, kept)
	if err != nil || len(r.Lacking) > 0 || strings.Count(files["hosts.txt"], "name ") != 4 {
		t.Errorf("%v, %q, hosts %q", err, r.Lacking, files["hosts.txt"])
	}
}

// counted counts writes.
type counted struct{ writes int }

func (c *counted) Write(p []byte) (int, error) {
	c.writes++
	return len(p), nil
}

// TestAFilterWritesManyLinesAtOnce because the listing of 50,000 jobs has millions of lines.
func TestAFilterWritesManyLinesAtOnce(t *testing.T) {
	var file counted
	if _, err := withoutEnvironment(&file).Write([]byte(strings.Repeat("<JB_name>j</JB_name>\n", 1000))); err != nil {
		t.Fatal(err)
	}
	if file.writes != 1 {
		t.Errorf("%d writes of 1000 lines", file.writes)
	}
}

func TestTheEnvironmentOfJobsIsLeftOutUnlessWanted(t *testing.T) {
	_, files, err := bundle(t, &cluster{jobs: 3}, nil)
	if err != nil || strings.Contains(files["qstat-j.xml"], "secret") ||
		strings.Count(files["qstat-j.xml"], "<JB_name>") != 3 {
		t.Errorf("%v:\n%s", err, files["qstat-j.xml"])
	}
	_, files, err = bundle(t, &cluster{jobs: 3}, func(o *Options) { o.Environment = true })
	if err != nil || !strings.Contains(files["qstat-j.xml"], "secret") {
		t.Errorf("%v:\n%s", err, files["qstat-j.xml"])
	}
}

func TestTheClockIsReadAlsoFromAnOldDate(t *testing.T) {
	at, offset, err := parseClock("2026-11-21T12:00:00.250000000 -0330\n")
	if err != nil || offset != "-0330" || at.UnixNano() != time.Date(2026, 11, 21, 15, 30, 0, 250e6, time.UTC).UnixNano() {
		t.Errorf("%v, %s, %v", at, offset, err)
	}
	if at, _, err := parseClock("2026-11-21T12:00:00.N +0100\n"); err != nil || at.Nanosecond() != 0 {
		t.Errorf("a date without %%N: %v, %v", at, err)
	}
	if _, _, err := parseClock("2026-11-21T12:00:00.N %z\n"); err == nil {
		t.Error("a date without %z was understood")
	}
}
