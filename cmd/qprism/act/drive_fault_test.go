package act

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"qprism/cmd/qprism/act/drive"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/subject"
	"qprism/engine/model"
	"qprism/fixtures/master"
	"qprism/fixtures/sshd"
)

// A severedHost is a room whose connection is lost at a call of qalter: before it, or after it and with its answer.
type severedHost struct {
	*room
	at    int // which call, from 1
	after bool
}

func (h *severedHost) Run(ctx context.Context, argv []string, stdin io.Reader, stdout, stderr io.Writer) (int, error) {
	var over atomic.Bool
	call := false // this command is the one
	in := &lineReader{lines: bufio.NewReader(stdin), ends: func() error {
		if over.Load() {
			return io.EOF
		}
		return nil
	}, each: func(line string) error {
		if line == "wqalter\n" {
			h.at--
			call = h.at == 0
		}
		if call && (!h.after || line == ".\n") {
			over.Store(true)
			if !h.after {
				return io.EOF
			}
		}
		return nil
	}}
	return h.room.Run(ctx, argv, in, muted{stdout, &over}, muted{stderr, &over})
}

// muted loses what comes once it is over.
type muted struct {
	io.Writer
	over *atomic.Bool
}

func (m muted) Write(p []byte) (int, error) {
	if m.over.Load() {
		return len(p), nil
	}
	return m.Writer.Write(p)
}

// A drivenRoom is a master on which steps of a drive meet faults, one after the other.
type drivenRoom struct{ *room }

// aRound submits a few jobs, lets something happen to a drive of them, and sees that all are as before when
// everything is given back.
func (r drivenRoom) aRound(t *testing.T, happens func(d *cli.Deps) (again bool)) {
	t.Helper()
	_, all := r.aFew(t)
	before := r.described(t, all)
	d := newStore(t, "json")
	if happens(d) {
		if _, said, err := r.drive(d, r, r.ruled(t)); err != nil {
			t.Errorf("the next step: %v\n%s", err, said)
		}
	}
	r.release(t, d)
	r.asBefore(t, t.Name(), before, all[5:6])
	isWhole(t, d.Store)
	if !lockIsFree(t, filepath.Join(r.Root, "locks")) {
		t.Error("a lock is left")
	}
	_, err := r.Master.Run("qdel", "-f", strings.Join(all, ","))
	must(t, err)
}

// ruled are options of a step with rules.
func (r *room) ruled(t *testing.T) func(*drive.Options) {
	file := rulesFile(t)
	return func(o *drive.Options) { o.Rules = file }
}

// rulesFile is a file with rules under which jobs lose or get something of every kind.
func rulesFile(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "rules.yaml")
	must(t, os.WriteFile(file, []byte(`
- {jobs: [user=anna], hosts: [node01, node02], spread: true, longest_wait: 1ns}
- {jobs: [user=ben], not_hosts: [node01], not_now: a reason}
`), 0o600))
	return file
}

// aFew submits one job of each kind that has something to lose: requests, none, soft ones, an array,
// parallel ones, holds. It returns those that are to be driven, and all.
func (r *room) aFew(t *testing.T) (driven, all []string) {
	t.Helper()
	driven = r.submit(t, master.Job{User: "anna"}, master.Job{User: "ben", Resources: "h_rt=7200,hostname=node0*",
		SoftResources: "mem_free=1G"},
		master.Job{User: "anna", Tasks: "1-3"}, master.Job{User: "ben", PE: "fill 16", Queues: "all.q"},
		master.Job{User: "ben", PE: "round 3", Queues: "all.q", SoftResources: "arch=none"})
	held := r.submit(t, master.Job{User: "anna", Tasks: "1-2"}, master.Job{User: "anna", Hold: true})
	_, err := r.Master.Run("qalter", "-h", "o", held[0]+".2")
	must(t, err)
	return driven, slices.Concat(driven, held, r.submit(t, master.Job{User: "carl", Hold: true}))
}

// asBefore compares jobs with what they were, and who holds what.
func (r *room) asBefore(t *testing.T, when string, before map[string]string, operators []string) {
	t.Helper()
	after := r.described(t, slices.Collect(maps.Keys(before)))
	for job, was := range before {
		if is := after[job]; is != was {
			t.Errorf("%s: job %s was\n%s\nand is\n%s", when, job, was, is)
		}
	}
	if h := r.inState(t, "ho"); !slices.Equal(h, operators) {
		t.Errorf("%s: %v have an operator hold, before %v", when, h, operators)
	}
}

func (r *room) release(t *testing.T, d *cli.Deps) {
	t.Helper()
	if _, said, err := r.drive(d, r, func(o *drive.Options) {
		o.Apply, o.Once, o.Release = true, false, true
	}); err != nil {
		t.Errorf("%v\n%s", err, said)
	}
}

// awaitLock waits until nothing on the host has the lock any more.
func (r *room) awaitLock(t *testing.T) {
	t.Helper()
	for began := time.Now(); !lockIsFree(t, filepath.Join(r.Root, "locks")) && time.Since(began) < time.Minute; {
		time.Sleep(100 * time.Millisecond)
	}
}

// TestNoFaultOfADriveLosesARequest: whatever happens in the middle of a step, every job that waits has its
// requests and holds again once everything is given back, at once or after another step.
func TestNoFaultOfADriveLosesARequest(t *testing.T) {
	sshd.Require(t)
	t.Parallel()
	r := drivenRoom{drivenCluster(t, 3, 600)}
	for _, step := range []struct {
		name string
		test func(*testing.T, drivenRoom)
	}{
		{"the connection is lost", drivenThroughCuts},
		{"the ssh server or the master fails", drivenThroughFaults},
		{"the disk of the store is full", drivenOnAFullDisk},
		{"the program is killed", drivenThroughKills},
	} {
		t.Run(step.name, func(t *testing.T) { step.test(t, r) })
	}
}

// drivenThroughCuts loses the connection after each call of qalter in turn with its answer, and before some.
func drivenThroughCuts(t *testing.T, r drivenRoom) {
	cuts := 0
	for at, done := 1, false; !done; at += few(3) {
		for _, after := range []bool{false, true} {
			if !after && at%(3*few(2)) != 1 { // after the one before it all is the same but what was heard
				continue
			}
			r.aRound(t, func(d *cli.Deps) bool {
				_, said, err := r.drive(d, &severedHost{room: r.room, at: at, after: after}, r.ruled(t))
				if done = err == nil; !done {
					cuts++
					t.Logf("call %d, after it %v: %v\n%s", at, after, err, said)
				}
				return at%3 == 0 || at%6 == 4
			})
		}
		if t.Failed() {
			return
		}
	}
	if cuts < 8/few(3) {
		t.Errorf("only %d cuts", cuts)
	}
}

// drivenThroughFaults lets something happen just before a call of qalter over SSH: the third one, and where
// an answer is lost also the first one.
func drivenThroughFaults(t *testing.T, r drivenRoom) {
	server, rules := sshTo(t, r.Master, ""), rulesFile(t)
	to := sshReach(server)
	for _, f := range []struct {
		name    string
		calls   []int
		happens func() error
		over    func() error // ends the fault
		limit   time.Duration
		says    string // what the step says; empty where it comes through by itself
	}{
		{name: "sshd is restarted", calls: []int{3}, happens: func() error {
			return errors.Join(server.Stop(), server.Start())
		}},
		{name: "sshd is restarted and all connections are cut", calls: []int{1, 3},
			happens: func() error { return errors.Join(server.Cut(), server.Stop(), server.Start()) }, says: "was lost"},
		{name: "the master is killed and started again", calls: []int{3}, happens: func() error {
			return errors.Join(r.Kill(), r.Revive())
		}},
		{name: "the master is killed", calls: []int{3}, happens: r.Kill, over: r.Revive, says: "the master did not accept"},
		{name: "the master hangs", calls: []int{1, 3}, happens: r.Suspend, over: r.Continue, limit: 6 * time.Second,
			says: "the step took longer than --step-deadline 6s"},
	} {
		for _, at := range f.calls[:max(1, len(f.calls)/few(2))] {
			t.Run(fmt.Sprintf("%s, call %d", f.name, at), func(t *testing.T) {
				r.aRound(t, func(d *cli.Deps) bool {
					began, happened := time.Now(), error(nil)
					host := &faultyHost{reach: to, at: at, do: func() { began, happened = time.Now(), f.happens() }}
					_, said, err := r.drive(d, host, func(o *drive.Options) {
						o.Rules, o.StepDeadline = rules, cmp.Or(f.limit, o.StepDeadline)
					})
					t.Logf("%.1f s after: %v", time.Since(began).Seconds(), err)
					must(t, happened)
					if f.over != nil {
						must(t, f.over())
						r.awaitLock(t) // an order that waited for the master holds it until it is carried out
					}
					if host.at > 0 || (f.says == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), f.says) {
						t.Errorf("got %v\n%s\nwant it to say %q", err, said, f.says)
					}
					return at > 1
				})
			})
		}
	}
}

// drivenOnAFullDisk leaves more and more room for the store, from none, until a step comes through.
func drivenOnAFullDisk(t *testing.T, r drivenRoom) {
	dir := smallDisk(t)
	store, fill := filepath.Join(dir, "store", "store.db"), filepath.Join(dir, "fill")
	r.aRound(t, func(d *cli.Deps) bool { d.Store = store; return true }) // what captures keep has its place
	failed, begun := 0, 0
	for room, done := int64(0), false; !done && room < 1<<20; room += 24 << 10 {
		r.aRound(t, func(d *cli.Deps) bool {
			d.Store = store
			for _, file := range []string{store, store + "-wal", store + "-shm"} {
				must(t, os.RemoveAll(file))
			}
			isEmpty(t, d)
			must(t, fillUp(fill, room))
			_, said, err := r.drive(d, r, r.ruled(t))
			must(t, os.Remove(fill))
			if done = err == nil; !done {
				failed++
				t.Logf("%d KiB: %v", room>>10, err)
			}
			if strings.Contains(said, " changed by ") && !done {
				begun++
			}
			return failed%2 == 0
		})
	}
	if begun == 0 || begun == failed {
		t.Errorf("%d steps failed, %d of them had begun", failed, begun)
	}
}

// drivenThroughKills kills the program at several moments of its work, and lets it be told to stop once,
// against a master whose scheduler runs on its own.
func drivenThroughKills(t *testing.T, r drivenRoom) {
	must(t, r.SetSchedConf(master.Object{"schedule_interval": "0:0:2"}))
	program, err := exec.LookPath("qprism")
	must(t, err)
	store, pid := filepath.Join(t.TempDir(), "store.db"), filepath.Join(t.TempDir(), "pid")
	line := []string{program, "--store", store, "drive", "--lock-dir", filepath.Join(r.Root, "locks")}
	for n, wait := range []time.Duration{1200, 2000, 0} {
		r.aRound(t, func(d *cli.Deps) bool {
			d.Store = store
			var said bytes.Buffer
			c := r.Command(append([]string{"sh", "-c", `echo $$ >"$0"; exec "$@"`, pid},
				append(line, "--own", "user=anna,ben", "--rules", rulesFile(t), "--apply", "--interval", "1s")...)...)
			c.Stdout, c.Stderr = &said, &said
			must(t, c.Start())
			signal := "-KILL"
			if wait == 0 {
				wait, signal = 2500, "-TERM"
			}
			time.Sleep(wait * time.Millisecond)
			_, err := r.Master.Run("sh", "-c", `kill "$0" "$(cat "$1")"`, signal, pid)
			must(t, err)
			ended := c.Wait()
			t.Logf("round %d: %s", n+1, said.String())
			if signal == "-TERM" {
				if open := openDrives(t, d); ended != nil || len(open) > 0 {
					t.Errorf("told to stop, it ended with %v, and not back are %+v", ended, open)
				}
			} else if text, err := r.Master.Run(append(line, "--release", "--apply")...); err != nil {
				t.Errorf("%v\n%s", err, text)
			}
			return false
		})
	}
}

func openDrives(t *testing.T, d *cli.Deps) []model.Drive {
	t.Helper()
	store, err := subject.MakeStore(d)
	must(t, err)
	defer store.Close()
	open, err := store.OpenDrives(t.Context(), "")
	must(t, err)
	return open
}
