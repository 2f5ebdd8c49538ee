package act

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"qprism/adapters/ssh"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/subject"
	"qprism/fixtures/master"
	"qprism/fixtures/sshd"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// What tests with real masters share: the master and its room, what it lists, how it is reached.

// A room is the private room of a real master, in which commands run.
type room struct {
	*master.Master
	ran []string // what its shells were told to run, as their standard input said it
}

func (r *room) Run(_ context.Context, argv []string, stdin io.Reader, stdout, stderr io.Writer) (int, error) {
	var said bytes.Buffer
	c := r.Command(argv...)
	c.Stdin, c.Stdout, c.Stderr = io.TeeReader(stdin, &said), stdout, stderr
	err := c.Run()
	r.ran = append(r.ran, said.String())
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode(), nil
	}
	return 0, err
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func trigger(t *testing.T, m *master.Master) {
	t.Helper()
	_, err := m.Trigger()
	must(t, err)
}

// newStore is a store that is not there yet.
func newStore(t *testing.T, format string) *cli.Deps {
	t.Helper()
	return &cli.Deps{Store: filepath.Join(t.TempDir(), "store.db"), Format: format}
}

// orderFile is a file with a wanted order.
func orderFile(t *testing.T, jobs []string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "order")
	must(t, os.WriteFile(file, []byte(strings.Join(jobs, "\n")+"\n"), 0o600))
	return file
}

func listOf(jobs []uint32) string {
	var list []string
	for _, job := range jobs {
		list = append(list, strconv.FormatUint(uint64(job), 10))
	}
	return strings.Join(list, " ")
}

// listed reads qstat -pri: jobs as the master ranks them, and each job's -p.
func (r *room) listed(t *testing.T) (order []string, p map[string]string) {
	t.Helper()
	text, err := r.Master.Run("qstat", "-pri", "-s", "p", "-u", "*")
	must(t, err)
	p = map[string]string{}
	for line := range strings.Lines(text) {
		if f := strings.Fields(line); len(f) > 8 && regexp.MustCompile(`^\d+$`).MatchString(f[0]) {
			p[f[0]] = f[5]
			if f[8] == "qw" {
				order = append(order, f[0])
			}
		}
	}
	return order, p
}

// asTheyWere compares each job's -p with what it was.
func (r *room) asTheyWere(t *testing.T, before map[string]string, when string) {
	t.Helper()
	if _, now := r.listed(t); !maps.Equal(now, before) {
		t.Errorf("%s: -p is\n%v, and was\n%v", when, now, before)
	}
}

// inState lists jobs as qstat -s selects them: "r" running, "ho" with an operator hold.
func (r *room) inState(t *testing.T, kind string) (jobs []string) {
	t.Helper()
	text, err := r.Master.Run("qstat", "-u", "*", "-s", kind)
	must(t, err)
	for line := range strings.Lines(text) {
		if f := strings.Fields(line); len(f) > 4 && regexp.MustCompile(`^\d+$`).MatchString(f[0]) {
			jobs = append(jobs, f[0])
		}
	}
	slices.SortFunc(jobs, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) })
	return jobs
}

// sshTo starts an ssh server in a master's room. Sessions have the environment of Grid Engine's clients.
func sshTo(t *testing.T, m *master.Master, keyOptions string) *sshd.Server {
	t.Helper()
	var env []string
	for _, e := range m.Command("true").Env {
		if strings.HasPrefix(e, "SGE_") || strings.HasPrefix(e, "PATH=") {
			env = append(env, e)
		}
	}
	return sshd.Start(t, sshd.Options{Command: m.Command, Env: env, KeyOptions: keyOptions})
}

// clientOf reaches an ssh server of a test.
func clientOf(s *sshd.Server) ssh.Options {
	return ssh.Options{Home: s.Home, Config: []string{filepath.Join(s.Home, ".ssh", "config")}}
}

func sshReach(s *sshd.Server) subject.Reach {
	return subject.Reach{From: "master", Client: clientOf(s)}
}

// A lineReader hands on what a shell is told, line by line.
type lineReader struct {
	lines *bufio.Reader
	ends  func() error            // asked before each line is read; nil for never
	each  func(line string) error // told of each line before it is handed on
	rest  []byte
}

func (r *lineReader) Read(p []byte) (n int, err error) {
	if len(r.rest) == 0 {
		if r.ends != nil {
			if err := r.ends(); err != nil {
				return 0, err
			}
		}
		line, err := r.lines.ReadBytes('\n')
		if err != nil && len(line) == 0 {
			return 0, err
		}
		if err := r.each(string(line)); err != nil {
			return 0, err
		}
		r.rest = line
	}
	n = copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}
