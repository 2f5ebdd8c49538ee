package ssh

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"qprism/fixtures/needs"

	"pgregory.net/rapid"

	"qprism/adapters/local"
	"qprism/adapters/shell"
)

// gateShells are the shells that the gate is run with where they are installed.
var gateShells = []string{"sh", "dash", "bash", "busybox sh", "mksh"}

// A gate runs scripts/qprism-gate as sshd does, with stand-ins for all programs that keep the words they were run with.
type gate struct {
	shell []string
	args  []string
	dir   string
	env   []string
}

// standIns keep their words, with a zero byte behind each, in the file that RAN names.
var standIns = []string{"qstat", "qhost", "qrstat", "qconf", "qalter", "qrls", "qhold", "qorder", "qrun", "qmgr", "qdel", "pbsfs",
	"pbsnodes", "pbs_rstat",
	"reboot", "touch", "rm", "env", "printenv", "uname", "id", "ln", "readlink", "getent", "cksum", "stat"}

// builtIn are the programs that busybox has in itself.
var builtIn = map[string]bool{"id": true, "ln": true, "readlink": true, "rm": true, "cksum": true, "stat": true, "getent": true}

func newGate(t *testing.T, sh string, args ...string) *gate {
	t.Helper()
	script, err := filepath.Abs("../../scripts/qprism-gate")
	if err != nil {
		t.Fatal(err)
	}
	g := &gate{shell: append(strings.Fields(sh), script), dir: t.TempDir()}
	g.args = append([]string{"-l", g.dir + "/log"}, args...)
	program := "#!/bin/sh\nprintf '%s\\000' \"${0##*/}\" \"$@\" >>\"$RAN\"\necho done\n"
	for _, name := range standIns {
		if err := os.WriteFile(filepath.Join(g.dir, name), []byte(program), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

func (g *gate) command(ctx context.Context, request string) *exec.Cmd {
	c := exec.CommandContext(ctx, g.shell[0], append(g.shell[1:], g.args...)...)
	c.Dir = g.dir
	c.Env = []string{"PATH=" + g.dir + ":/usr/bin:/bin", "RAN=" + g.dir + "/ran", "SGE_ROOT=" + g.dir + "/sge",
		"SSH_ORIGINAL_COMMAND=" + request}
	c.Env = append(c.Env, g.env...)
	return c
}

// ran are the words that a stand-in was run with since the last question.
func (g *gate) ran() []string {
	text, err := os.ReadFile(filepath.Join(g.dir, "ran"))
	if err != nil {
		return nil
	}
	os.Remove(filepath.Join(g.dir, "ran"))
	return strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00")
}

// Run makes a gate a host for a shell.
func (g *gate) Run(ctx context.Context, argv []string, stdin io.Reader, stdout, stderr io.Writer) (int, error) {
	c := g.command(ctx, quote(argv))
	line := append([]string{"env", "-i"}, c.Env...)
	return local.Host{}.Run(ctx, append(line, c.Args...), stdin, stdout, stderr)
}

// gateCases are commands and from which mode on they run: "read", "order", "drive", or "never".
var gateCases = []struct {
	from string
	argv []string
}{
	{"read", []string{"qstat", "-u", "*", "-r", "-ext", "-urg", "-pri", "-xml"}},
	{"read", []string{"qstat", "-f", "-t", "-F", "json"}},
	{"read", []string{"qstat", "-j", "$(reboot)\n; touch pwned '"}},
	{"read", []string{"qconf", "-ssconf"}},
	{"read", []string{"qconf", "-sconf"}},
	{"read", []string{"qconf", "-sq", "*"}},
	{"read", []string{"qconf", "-suser", "a,b.c,d-e"}},
	{"read", []string{"qconf", "-se", "global", "-se", "node01"}},
	{"read", []string{"qconf", "-sprj", "`id>pwned`;&!x ~a?<b>$(c)'\""}},
	{"never", []string{"qconf", "-sprj", "a\x1b[31m"}},
	{"never", []string{"qconf", "-sprj", "-km"}},
	{"never", []string{"qconf", "-sprj", "a\xff"}},
	{"read", []string{"qhost", "-q", "-F", "-j", "-xml"}},
	{"read", []string{"qmgr", "-c", "print server"}},
	{"read", []string{"qmgr", "-c", "list sched default sched_priv"}},
	{"read", []string{"pbsnodes", "-av", "-F", "json"}},
	{"read", []string{"pbsfs", "-p"}},
	{"read", []string{"pbsfs", "-I", "two", "-g", "group1"}},
	{"read", []string{"printenv", "SGE_ROOT"}},
	{"read", []string{"id", "-un"}},
	{"order", []string{"qalter", "-p", "-100", "7,8.1-9:2"}},
	{"order", []string{"qalter", "-p", "5", "12.server", "13[7].server"}},
	{"order", []string{"qorder", "1.server", "2.server"}},
	{"order", []string{"qalter", "-l", "rank=7", "1.server"}},
	{"order", []string{"qalter", "-l", "rank=", "1.server"}},
	{"never", []string{"qalter", "-l", "rank=;id", "1.server"}},
	{"read", []string{"qmgr", "-c", "list resource rank"}},
	{"read", []string{"getent", "services", "sge_qmaster"}},
	{"read", []string{"cksum", "/etc/machine-id"}},
	{"read", []string{"cksum", "/etc/pbs.conf"}},
	{"read", []string{"stat", "-c", "%Y", "/etc/pbs.conf"}},
	{"read", []string{"printenv", "SGE_QMASTER_PORT"}},
	{"never", []string{"getent", "passwd"}},
	{"never", []string{"getent", "services", "sge_qmaster", "ssh"}},
	{"never", []string{"getent", "services sge_qmaster"}},
	{"never", []string{"cksum", "/etc/shadow"}},
	{"never", []string{"cksum", "/etc/machine-id", "/etc/shadow"}},
	{"never", []string{"stat", "-c", "%Y", "/etc/shadow"}},
	{"never", []string{"stat", "-c", "%n", "/etc/pbs.conf"}},
	{"never", []string{"stat", "-c", "%Y", "/etc/machine-id"}},
	{"never", []string{"cat", "/etc/machine-id"}},
	{"never", []string{"ln", "-s", "a,1", "/tmp/qprism-a.lock"}},
	{"never", []string{"rm", "-f", "/tmp/qprism-a.lock"}},
	{"never", []string{"readlink", "/etc/passwd"}},
	{"never", []string{"flock", "-n", "/tmp/x", "reboot"}},
	{"never", []string{"qprism-lock", "/tmp", "a", "root@here:1"}},
	{"never", []string{"qprism-lock", "", "../a", "root@here:1"}},
	{"never", []string{"qprism-lock", "", "a/../../x", "root@here:1"}},
	{"never", []string{"qprism-lock", "", "a", "$(reboot)"}},
	{"never", []string{"qprism-lock", "", "a"}},
	{"never", []string{"qprism-unlock", "a"}},
	{"drive", []string{"qalter", "-h", "u", "7"}},
	{"drive", []string{"qalter", "-q", "all.q@node01,*@@fast", "-h", "U", "7"}},
	{"drive", []string{"qalter", "-q", "", "7"}},
	{"drive", []string{"qalter", "-l", "h_rt=3600,hostname=n1|n2,qname=all.q", "-soft", "-l", "hostname=n1", "-h", "O", "7.1-3,7.9"}},
	{"drive", []string{"qalter", "-l", "", "-soft", "-l", "", "7"}},
	{"drive", []string{"qalter", "-hold_jid", "12", "7"}},
	{"drive", []string{"qalter", "-l", "a=1", "-dc", "qprism_why", "-hold_jid", "\t", "7,8"}},
	{"never", []string{"qalter", "-hold_jid", "", "7"}},
	{"never", []string{"qalter", "-hold_jid", "name", "7"}},
	{"never", []string{"qalter", "-hold_jid", "12,13", "7"}},
	{"drive", []string{"qalter", "-l", "mem=7", "1"}},
	{"drive", []string{"qalter", "-l", "rank=7,mem=8", "1"}},
	{"never", []string{"qalter", "-l", "a=$(id)", "7"}},
	{"never", []string{"qalter", "-l", "a=1", "-soft", "-o", "x", "7"}},
	{"never", []string{"qalter", "-soft", "7"}},
	{"drive", []string{"qrls", "-h", "n", "7", "8"}},
	{"drive", []string{"qhold", "7"}},
	{"drive", []string{"qrun", "-H", "(n1:ncpus=2+n2[0]:ncpus=1)", "7.server"}},
	{"drive", []string{"qmgr", "-c", "set server scheduling = false"}},
	{"never", []string{"reboot"}},
	{"never", []string{"./qstat"}},
	{"never", []string{"/bin/qstat"}},
	{"never", []string{"qstat;reboot"}},
	{"never", []string{"qstat\n"}},
	{"never", []string{"qdel", "7"}},
	{"never", []string{"qconf"}},
	{"never", []string{"qconf", "-mconf"}},
	{"never", []string{"qconf", "-ssconf", "-km"}},
	{"never", []string{"qconf", "-sq", "-km"}},
	{"never", []string{"qconf", "-sq", "a", "b"}},
	{"never", []string{"qconf", "-sq", "a\n-km"}},
	{"never", []string{"qconf", "-Aq", "/etc/passwd"}},
	{"never", []string{"qalter", "-p", "1024x", "7"}},
	{"never", []string{"qalter", "-p", "5"}},
	{"never", []string{"qalter", "-p", "5", "-u", "*"}},
	{"never", []string{"qalter", "-p", "5", "name"}},
	{"never", []string{"qalter", "-p", "5", "7\n8"}},
	{"never", []string{"qalter", "-o", "/etc/passwd", "7"}},
	{"never", []string{"qalter", "-h", "u", "-o", "x", "7"}},
	{"never", []string{"qalter", "7"}},
	{"never", []string{"qmgr", "-c", "set server scheduling = false; delete queue a"}},
	{"never", []string{"qmgr", "-c", "list server\ndelete queue a"}},
	{"never", []string{"qmgr", "-c", "delete queue a"}},
	{"never", []string{"pbsnodes", "-o", "n1"}},
	{"never", []string{"pbsfs", "-d"}},
	{"never", []string{"pbsfs", "-s", "a", "7"}},
	{"never", []string{"cat", "/etc/passwd"}},
	{"never", []string{"cat", "/var/spool/pbs/sched_priv/../../../../etc/passwd"}},
	{"never", []string{"tail", "-c", "5", "/etc/passwd"}},
	{"never", []string{"tail", "-f", "/etc/pbs.conf"}},
	{"never", []string{"date", "-s", "2001-01-01"}},
	{"never", []string{"printenv", "HOME"}},
	{"never", []string{"printenv"}},
	{"never", []string{"env", "qstat"}},
	{"never", []string{"sh", "-c", "reboot"}},
	{"never", []string{"sh", "-c", "reboot", "qprism"}},
	{"never", []string{""}},
}

func allows(mode, from string) bool {
	return strings.Index("read order drive never", from) <= strings.Index("read order drive never", mode)
}

// TestGateRunsWhatItsModePermits sends every case to gates of each mode, all in one execution.
func TestGateRunsWhatItsModePermits(t *testing.T) {
	for _, sh := range gateShells {
		if !needs.Has(t, strings.Fields(sh)[0]) {
			continue
		}
		modes := []string{"drive"}
		if sh == "sh" || sh == "bash" {
			modes = []string{"read", "order", "drive"}
		}
		for _, mode := range modes {
			t.Run(sh+" "+mode, func(t *testing.T) {
				t.Parallel()
				g := newGate(t, sh, "-r", "rank", mode)
				s, err := shell.Open(t.Context(), g, shell.Options{Settings: "/etc/passwd"})
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				for _, c := range gateCases {
					if c.argv[0] == "" || sh == "busybox sh" && builtIn[c.argv[0]] { // no shell would be asked for that
						continue
					}
					r, err := s.Run(t.Context(), c.argv, nil)
					if err != nil {
						t.Fatal(err)
					}
					g.check(t, c.argv, allows(mode, c.from), r.Status)
				}
			})
		}
	}
}

// check sees that a command ran, with its own words, exactly where it may, and that the log says so.
func (g *gate) check(t *testing.T, argv []string, may bool, status int) {
	t.Helper()
	ran := g.ran()
	switch {
	case may && (status != 0 || fmt.Sprintf("%q", ran) != fmt.Sprintf("%q", argv)):
		t.Errorf("%q: status %d, ran %q", argv, status, ran)
	case !may && (status != 126 || ran != nil):
		t.Errorf("%q: status %d, ran %q; want it refused", argv, status, ran)
	}
	log, _ := os.ReadFile(filepath.Join(g.dir, "log"))
	lines := strings.Split(strings.TrimSpace(string(log)), "\n")
	if last := lines[len(lines)-1]; strings.Contains(last, " refused: ") == may {
		t.Errorf("%q: the log says %q", argv, last)
	}
}

// TestGateTakesOneCommandApart sends cases as the command line of a session.
func TestGateTakesOneCommandApart(t *testing.T) {
	for _, sh := range []string{"sh", "bash"} {
		g := newGate(t, sh, "order")
		for _, c := range gateCases {
			if c.argv[0] == "qalter" && c.argv[1] == "-l" {
				continue // this gate names no resource
			}
			cmd := g.command(t.Context(), quote(c.argv))
			_ = cmd.Run()
			g.check(t, c.argv, allows("order", c.from), cmd.ProcessState.ExitCode())
		}
	}
}

// TestGateHoldsTheLockForAsLongAsItRuns: in its own folder alone, for orders alone, and no longer than the session.
func TestGateHoldsTheLockForAsLongAsItRuns(t *testing.T) {
	home := t.TempDir()
	open := func(args ...string) *shell.Shell {
		g := newGate(t, "sh", args...)
		g.env = []string{"HOME=" + home}
		s, err := shell.Open(t.Context(), g, shell.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s
	}
	lock := func(s *shell.Shell, folder string) int {
		r, err := s.Run(t.Context(), []string{"qprism-lock", folder, "vm-default", "ann@here:1"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r.Status
	}
	first, second := open("order"), open("drive")
	if status := lock(open("read"), ""); status != 126 {
		t.Errorf("a gate that only reads: status %d", status)
	}
	if status := lock(first, home); status != 126 {
		t.Errorf("another folder than the gate's: status %d", status)
	}
	if a, b := lock(first, ""), lock(second, ""); a != 0 || b != 75 {
		t.Errorf("first %d, second %d; want 0 and 75", a, b)
	}
	first.Close()
	if status := lock(second, ""); status != 0 {
		t.Errorf("after the first has ended: status %d", status)
	}
	if info, err := os.Stat(filepath.Join(home, ".qprism")); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info, err)
	}
	third := open("-d", home+"/own", "order")
	if status := lock(third, home+"/own"); status != 0 {
		t.Errorf("a folder that the gate names: status %d", status)
	}
}

// TestGateNeverRunsWhatAShellWould sends command lines full of what a shell acts on. What runs in spite of that must have the words that
// a real shell makes of the line.
func TestGateNeverRunsWhatAShellWould(t *testing.T) {
	piece := rapid.SampledFrom([]string{" ", "  ", "-u", "a", "'", "''", "'x y'", `\'`, `\`, `"`, `"a b"`, "$(touch pwned)", "`touch pwned`",
		"${RAN}", "$RAN", ";", "&", "|",
		"touch pwned", ">pwned", "\n", "\ntouch pwned", "*", "?", "[a]", "~", "#", "!", "{a,b}", "=", "\t", "é", "\xff", "--", "'\n'",
		"'$(touch pwned)'", "(", ")"})
	line := rapid.Custom(func(r *rapid.T) string {
		return "qstat " + strings.Join(rapid.SliceOfN(piece, 0, 7).Draw(r, "pieces"), "")
	})
	for _, sh := range []string{"sh", "bash", "busybox sh", "mksh"} {
		if !needs.Has(t, strings.Fields(sh)[0]) {
			continue
		}
		t.Run(sh, func(t *testing.T) {
			t.Parallel()
			g := newGate(t, sh, "drive")
			count := 0
			for i := range 40 {
				request := line.Example(i)
				_ = g.command(t.Context(), request).Run()
				ran := g.ran()
				if ran == nil {
					continue
				}
				count++
				var words bytes.Buffer
				c := exec.Command("sh", "-c", "set -f; qstat() { printf '%s\\000' qstat \"$@\"; }; "+request)
				c.Dir, c.Stdout = t.TempDir(), &words
				if err := c.Run(); err != nil || words.String() != strings.Join(ran, "\x00")+"\x00" {
					t.Errorf("%q: the gate ran %q, a shell would have run %q", request, ran, words.String())
				}
			}
			if _, err := os.Stat(filepath.Join(g.dir, "pwned")); err == nil {
				t.Error("something else was run")
			}
			if count == 0 {
				t.Error("nothing ran at all")
			}
		})
	}
}

func TestGateThatCannotLogRunsNothing(t *testing.T) {
	g := newGate(t, "sh", "read")
	g.args = []string{"-l", g.dir + "/no/log", "read"}
	if err := g.command(t.Context(), "qstat").Run(); err == nil || g.ran() != nil {
		t.Error("it ran")
	}
	for _, args := range [][]string{nil, {"write"}, {"-r", "a b", "read"}} {
		g.args = args
		if err := g.command(t.Context(), "qstat").Run(); err == nil || g.ran() != nil {
			t.Errorf("%q: it ran", args)
		}
	}
}

// TestGateReadsTheMastersFiles are the files that capture reads, in a cell and a PBS_HOME of their own.
func TestGateReadsTheMastersFiles(t *testing.T) {
	g := newGate(t, "sh", "read")
	common := filepath.Join(g.dir, "sge", "default", "common")
	if err := os.MkdirAll(filepath.Join(g.dir, "spool"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(common, 0o755); err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{
		filepath.Join(common, "act_qmaster"):        "master\n",
		filepath.Join(common, "bootstrap"):          "qmaster_spool_dir  " + g.dir + "/spool\n",
		filepath.Join(g.dir, "spool", "messages"):   "0123456789",
		filepath.Join(g.dir, "spool", "jobseqnum"):  "412\n",
		filepath.Join(common, "settings.sh"):        "secret",
		filepath.Join(g.dir, "sge", "default", "x"): "secret",
	} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for want, argv := range map[string][]string{
		"master\n": {"cat", common + "/act_qmaster"},
		"412\n":    {"cat", g.dir + "/spool/jobseqnum"},
		"56789":    {"tail", "-c", "5", g.dir + "/spool/messages"},
	} {
		if out, err := g.command(t.Context(), quote(argv)).Output(); err != nil || string(out) != want {
			t.Errorf("%q: %q, %v", argv, out, err)
		}
	}
	for _, path := range []string{common + "/settings.sh", common + "/../x", common + "/act_qmaster\n" + common + "/settings.sh",
		g.dir + "/spool", g.dir + "/sge/default/x", ""} {
		if out, err := g.command(t.Context(), quote([]string{"cat", path})).Output(); err == nil || len(out) > 0 {
			t.Errorf("%q: %q, %v", path, out, err)
		}
	}
}
