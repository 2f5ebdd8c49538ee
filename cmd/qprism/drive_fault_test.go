package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"qprism/fixtures/master"
)

// A severedHost is a room whose connection is lost after some commands: the last one has run, and what it answered may be lost.
type severedHost struct {
	*room
	after int  // commands
	lose  bool // the last answer
}

func (c *severedHost) Run(ctx context.Context, argv []string, stdin io.Reader, stdout, stderr io.Writer) (int, error) {
	in := &cutReader{r: bufio.NewReader(stdin), left: c.after}
	if !c.lose {
		return c.room.Run(ctx, argv, in, stdout, stderr)
	}
	var mute atomic.Bool
	watch := readerFunc(func(p []byte) (int, error) {
		n, err := in.Read(p)
		mute.Store(mute.Load() || in.left == 0)
		return n, err
	})
	return c.room.Run(ctx, argv, watch, muted{stdout, &mute}, muted{stderr, &mute})
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// muted loses what comes once it is mute.
type muted struct {
	io.Writer
	mute *atomic.Bool
}

func (m muted) Write(p []byte) (int, error) {
	if m.mute.Load() {
		return len(p), nil
	}
	return m.Writer.Write(p)
}

// aFew submits one job of each kind that has something to lose: requests, none, soft ones, an array, parallel ones, holds. It returns
// those that are to be driven, and all.
func (r *room) aFew(t *testing.T) (driven, all []string) {
	t.Helper()
	driven = r.submit(t, master.Job{User: "anna"}, master.Job{User: "ben", Resources: "h_rt=7200,hostname=node0*", SoftResources: "mem_free=1G"},
		master.Job{User: "anna", Tasks: "1-3"}, master.Job{User: "ben", PE: "fill 16", Queues: "all.q"}, master.Job{User: "ben", PE: "round 3", Queues: "all.q", SoftResources: "arch=none"})
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
	if h := r.heldBy(t, "ho"); !slices.Equal(h, operators) {
		t.Errorf("%s: %v have an operator hold, before %v", when, h, operators)
	}
}

func (r *room) release(t *testing.T, d *deps) {
	t.Helper()
	if _, said, err := r.drive(d, r, func(o *driveOptions) { o.apply, o.once, o.release = false, false, true }); err != nil {
		t.Errorf("%v\n%s", err, said)
	}
}

// TestNoCutLosesARequest cuts the connection after each command of a step in turn, sometimes with the command's answer; then everything is given back, at once
// or after another step.
func TestNoCutLosesARequest(t *testing.T) {
	master.Require(t)
	t.Parallel()
	r := drivenCluster(t, 3, 60)
	cuts, begun, operators := 0, 0, []string(nil)
	for after, by := 24, 4; ; after += by { // a capture has more commands than that, and nothing is sent before its end
		_, all := r.aFew(t)
		operators = append(operators, all[5])
		before := r.described(t, all)
		d := &deps{store: filepath.Join(t.TempDir(), "store.db"), format: "json"}
		_, said, err := r.drive(d, &severedHost{r, after, after%3 == 0}, nil)
		if err == nil {
			r.release(t, d)
			r.asBefore(t, "not cut", before, operators)
			break
		}
		cuts++
		if strings.Contains(said, "under a hold") {
			if begun++; by > 1 {
				after, by = after-by, 1
			}
		}
		if after%2 == 0 {
			if _, said, err := r.drive(d, r, nil); err != nil {
				t.Errorf("cut after %d commands, the next step: %v\n%s", after, err, said)
			}
		}
		r.release(t, d)
		r.asBefore(t, fmt.Sprintf("cut after %d commands: %v", after, err), before, operators)
		if t.Failed() {
			t.Fatal(said)
		}
	}
	t.Logf("%d cuts, %d of them in a step that had begun", cuts, begun)
	if begun < 10 {
		t.Errorf("only %d steps were cut once they had begun", begun)
	}
}

// TestAKilledDriveIsHandedBack kills the program at several moments of its work, and lets it be told to stop once, against a master whose scheduler runs on its own.
func TestAKilledDriveIsHandedBack(t *testing.T) {
	master.Require(t)
	t.Parallel()
	r := drivenCluster(t, 3, 60)
	must(t, r.SetSchedConf(master.Object{"schedule_interval": "0:0:2"}))
	program, err := exec.LookPath("qprism")
	must(t, err)
	store, pid := filepath.Join(t.TempDir(), "store.db"), filepath.Join(t.TempDir(), "pid")
	line := []string{program, "--store", store, "drive", "--lock-dir", filepath.Dir(store)}
	var operators []string
	for n, wait := range []time.Duration{700, 1100, 1500, 1900, 2300, 0} {
		_, all := r.aFew(t)
		operators = append(operators, all[5])
		before := r.described(t, all)
		var said bytes.Buffer
		c := r.Command(append([]string{"sh", "-c", `echo $$ >"$0"; exec "$@"`, pid}, append(line, "--own", "user=anna,ben", "--apply", "--interval", "1s", "--await", "4s")...)...)
		c.Stdout, c.Stderr = &said, &said
		must(t, c.Start())
		signal := "-KILL"
		if wait == 0 {
			wait, signal = 3000, "-TERM"
		}
		time.Sleep(wait * time.Millisecond)
		_, err := r.Master.Run("sh", "-c", `kill "$0" "$(cat "$1")"`, signal, pid)
		must(t, err)
		ended := c.Wait()
		if signal == "-TERM" {
			if ended != nil {
				t.Errorf("told to stop, it ended with %v\n%s", ended, said.String())
			}
		} else if text, err := r.Master.Run(append(line, "--release")...); err != nil {
			t.Errorf("%v\n%s", err, text)
		}
		r.asBefore(t, fmt.Sprintf("%s after %v", signal, wait*time.Millisecond), before, operators)
		t.Logf("round %d: %s", n+1, said.String())
	}
}
