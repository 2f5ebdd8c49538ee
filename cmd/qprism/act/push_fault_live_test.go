package act

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"qprism/adapters/local"
	"qprism/cmd/qprism/act/push"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/subject"
	"qprism/engine/model"
	"qprism/fixtures/sshd"
)

// A faultLab is a real master behind a real ssh server, and a push that is to come through faults.
type faultLab struct {
	*room
	server   *sshd.Server
	file     string            // the wanted order
	wanted   []string          // the same
	restored map[string]string // each job's -p before
	requests string            // each job's whole request before
}

func newFaultLab(t *testing.T, jobs int) *faultLab {
	t.Helper()
	l := &faultLab{room: waitingQueue(t, jobs), file: filepath.Join(t.TempDir(), "wanted")}
	l.server = sshTo(t, l.Master, "")
	var before []string
	before, l.restored = l.listed(t)
	l.wanted = append(slices.Clone(before[jobs-10:]), before[:jobs-10]...)
	slices.Reverse(l.wanted[:8])
	must(t, os.WriteFile(l.file, []byte(strings.Join(l.wanted, "\n")+"\n"), 0o600))
	l.requests = l.allRequests(t)
	return l
}

// allRequests is what the master says of every job, but for what its scheduler says.
func (l *faultLab) allRequests(t *testing.T) string {
	t.Helper()
	text, err := l.Master.Run("qstat", "-j", "*")
	must(t, err)
	text, _, _ = strings.Cut(text, "scheduling info:")
	return text
}

// over are options of a push over SSH.
func (l *faultLab) over() push.Options {
	return push.Options{Reach: sshReach(l.server)}
}

// apply pushes the wanted order over SSH. Just before the call of qalter of a number, from 1, something
// happens; never if that is 0.
func (l *faultLab) apply(t *testing.T, d *cli.Deps, o push.Options, at int, happens func() error) (string, error) {
	t.Helper()
	o.Order, o.Apply = l.file, true
	if at == 0 {
		return l.run(d, nil, o, l.bundle(t))
	}
	begun, done := make(chan struct{}), make(chan error, 1)
	host := &faultyHost{reach: o.Reach, at: at, do: func() { close(begun); done <- happens() }}
	o.From = ""
	said, err := l.run(d, host, o, l.bundle(t))
	select {
	case <-begun:
		must(t, <-done)
	default:
		t.Fatalf("the push came not so far: %v", err)
	}
	return said, err
}

// A faultyHost is reached over SSH. Something happens there just before a call of qalter.
type faultyHost struct {
	reach subject.Reach
	at    int
	do    func()
	told  strings.Builder // all that its shells were told
}

func (h *faultyHost) Run(ctx context.Context, argv []string, stdin io.Reader, stdout, stderr io.Writer) (int, error) {
	c, err := h.reach.Connect(ctx)
	if err != nil {
		return 0, err
	}
	defer c.Close()
	return c.Run(ctx, argv, &lineReader{lines: bufio.NewReader(stdin), each: h.hear}, stdout, stderr)
}

func (h *faultyHost) hear(line string) error {
	h.told.WriteString(line)
	if line == "wqalter\n" {
		if h.at--; h.at == 0 {
			h.do()
		}
	}
	return nil
}

// resumed finishes the last push over SSH and sees that the master's order is the wanted one.
func (l *faultLab) resumed(t *testing.T, d *cli.Deps) {
	t.Helper()
	o := l.over()
	o.Resume, o.Apply = true, true
	said := l.push(t, d, o, false)
	trigger(t, l.Master)
	if order, _ := l.listed(t); !slices.Equal(order, l.wanted) {
		t.Errorf("resumed, the order is\n%v, wanted\n%v\n%s", order, l.wanted, said)
	}
	l.consistent(t, d)
}

// undone takes the last push back over SSH and sees that every job has all that it asked for at first.
func (l *faultLab) undone(t *testing.T, d *cli.Deps) {
	t.Helper()
	o := l.over()
	o.Undo, o.Apply = true, true
	l.push(t, d, o, false)
	l.asTheyWere(t, l.restored, "undone")
	if now := l.allRequests(t); now != l.requests {
		t.Errorf("the requests have changed:\n%s", firstChange(l.requests, now))
	}
	trigger(t, l.Master)
	l.consistent(t, d)
}

// consistent sees that the store is whole, that no push in it is open and no order's state unknown, and
// that no lock is left.
func (l *faultLab) consistent(t *testing.T, d *cli.Deps) {
	t.Helper()
	isWhole(t, d.Store)
	for _, p := range allPushes(t, d) {
		if p.Open() {
			t.Errorf("push %d is open", p.ID)
		}
		for _, o := range p.Orders {
			if !o.State.Settled() && p.Outcome != "taken back" {
				t.Errorf("push %d, job %s: the order is %s", p.ID, o.Job, o.State)
			}
		}
	}
	if !lockIsFree(t, filepath.Join(filepath.Dir(d.Store), "locks")) {
		t.Error("a lock of the store is left")
	}
}

// isWhole lets SQLite check a store.
func isWhole(t *testing.T, file string) {
	t.Helper()
	db, err := sql.Open("sqlite3", file)
	must(t, err)
	defer db.Close()
	var said string
	must(t, db.QueryRow("PRAGMA integrity_check").Scan(&said))
	if said != "ok" {
		t.Errorf("the store is not whole: %s", said)
	}
	rows, err := db.Query("PRAGMA foreign_key_check")
	must(t, err)
	defer rows.Close()
	if rows.Next() {
		t.Error("rows of the store refer to others that are not there")
	}
}

// allPushes are the pushes of a store, with their orders.
func allPushes(t *testing.T, d *cli.Deps) (list []*model.Push) {
	t.Helper()
	store, err := subject.MakeStore(d)
	must(t, err)
	defer store.Close()
	heads, err := store.Pushes(t.Context(), "")
	must(t, err)
	for _, h := range heads {
		p, err := store.Push(t.Context(), h.ID)
		must(t, err)
		list = append(list, p)
	}
	return list
}

func firstChange(before, after string) string {
	a, b := strings.Split(before, "\n"), strings.Split(after, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d: %q, before %q", i+1, b[i], a[i])
		}
	}
	return fmt.Sprintf("%d lines, before %d", len(b), len(a))
}

// TestARealPushComesThroughFaults lets something happen in the middle of a push over SSH, before its third
// call of qalter, twice each (in make test once): once the push is then resumed and taken back, once taken
// back at once.
func TestARealPushComesThroughFaults(t *testing.T) {
	sshd.Require(t)
	t.Parallel()
	l := newFaultLab(t, 40)
	cut := func() error { return errors.Join(l.server.Cut(), l.server.Stop(), l.server.Start()) }
	for n, f := range []struct {
		name     string
		happens  func() error
		over     func() error // ends the fault
		deadline time.Duration
		says     string // what the push says; empty where it comes through by itself
	}{
		{name: "sshd is restarted", happens: func() error { return errors.Join(l.server.Stop(), l.server.Start()) }},
		{name: "sshd is restarted and all connections are cut", happens: cut, says: "was lost"},
		{name: "the master is killed and started again", happens: func() error { return errors.Join(l.Kill(), l.Revive()) }},
		{name: "the master is killed", happens: l.Kill, over: l.Revive, says: "no answer to qalter"},
		{name: "the master hangs", happens: l.Suspend, over: l.Continue, deadline: 3 * time.Second,
			says: "the push took longer than --deadline 3s: push 1 is not finished"},
	} {
		for _, resume := range []bool{n%2 == 0, n%2 != 0}[:2/few(2)] {
			t.Run(f.name+map[bool]string{true: ", resumed", false: ", taken back"}[resume], func(t *testing.T) {
				d, o := newStore(t, "table"), l.over()
				o.Deadline = f.deadline
				began := time.Now()
				said, err := l.apply(t, d, o, 3, f.happens)
				t.Logf("%.1f s: %v", time.Since(began).Seconds(), err)
				if f.over != nil {
					must(t, f.over())
				}
				switch {
				case f.says == "" && err != nil:
					t.Errorf("%v", err)
				case f.says != "" && (err == nil || !strings.Contains(err.Error(), f.says) ||
					!strings.Contains(err.Error(), "push --resume")):
					t.Errorf("got %v\n%s\nwant it to say %q, and what to do", err, said, f.says)
				}
				isWhole(t, d.Store)
				if resume && err != nil {
					l.resumed(t, d)
				}
				l.undone(t, d)
			})
		}
	}
}

// lockIsFree reports whether nobody has a lock of a folder.
func lockIsFree(t *testing.T, folder string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.lock"))
	must(t, err)
	for _, file := range files {
		unlock, err := local.Lock(file)
		if err != nil {
			return false
		}
		must(t, unlock())
	}
	return true
}
