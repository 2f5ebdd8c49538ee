package collect

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"qprism/engine/model"
)

// A Runner runs one command on a host with the cluster's commands, and waits for its end. An error means that
// the command did not run to its end; a status other than 0 is no error.
type Runner interface {
	Run(ctx context.Context, argv []string, stdout io.Writer) (status int, complaints string,
		took time.Duration, err error)
}

// Options of a capture.
type Options struct {
	Full        bool // capture the whole configuration, even if State keeps a recent one
	Tasks       bool // list each waiting array task, not only each array job
	Environment bool // keep the jobs' environment variables, which may hold passwords

	// How many megabytes to take from the end of the master's files. 0 takes nothing.
	Accounting, Records, Reporting int

	ConfigAge time.Duration // older configuration objects are captured again
	// Lists of objects and global settings that are older than this are captured again.
	ListAge time.Duration
	// The same for hosts, shares, reservations and scheduler settings. 0 captures them each time. Jobs and
	// queues are captured each time anyway.
	StateAge  time.Duration
	Slow      time.Duration // the master is slow if the answer to a small command takes longer
	Scheduler string        // PBS: the scheduler whose files are captured, of several; empty for "default"

	Site  *Site  // the identity of the cluster, if already known
	State string // a folder that keeps files between captures; empty for none

	Now   func() time.Time
	Sleep func(context.Context, time.Duration) error
}

// Routine returns the options for a capture every few minutes.
func Routine() Options {
	return Options{Accounting: 2, Records: 4, ConfigAge: time.Hour, Slow: 3 * time.Second, Now: time.Now, Sleep: sleep}
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// A Report has the contents and the cost of a capture.
type Report struct {
	System   model.System
	Identity model.Identity
	Release  string        // as the cluster prints it
	Master   string        // the master's host
	Lacking  []string      // parts that the capture does not have, and why
	Kept     []string      // configuration files from an earlier capture
	KeptAge  time.Duration // age of the oldest file in Kept
	Cost     Cost
	Captured time.Time // by the master's clock
}

// A Cost is the load of a capture on the master.
type Cost struct {
	Commands int
	Busy     time.Duration // sum of run times of commands
	Waited   time.Duration // sum of the pauses between commands
	Bytes    int64
	Slowest  string
	Longest  time.Duration // run time of the slowest command
}

// Bundle captures a cluster into an empty folder.
func Bundle(ctx context.Context, r Runner, folder string, o Options) (*Report, error) {
	c := &capture{ctx: ctx, runner: r, folder: folder, Options: o, state: loadState(o.State)}
	for _, step := range []func(){c.readClock, c.identify, c.captureSystem, c.writeManifest, c.keepState} {
		if step(); c.err != nil {
			return nil, c.late(c.err)
		}
	}
	return &c.report, nil
}

// late adds to an error that the deadline caused it.
func (c *capture) late(err error) error {
	if errors.Is(c.ctx.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("the time for a capture is over after %d commands, which ran for %v: %w", c.report.Cost.Commands,
			c.report.Cost.Busy.Round(time.Millisecond), err)
	}
	return err
}

// identify asks for the identity of the cluster, unless it is known, and writes it into MANIFEST.
func (c *capture) identify() {
	if c.Site == nil {
		site, err := Identify(c.ctx, c.runner)
		if err != nil {
			c.fail(err)
			return
		}
		c.Site = site
	}
	c.head.WriteString(c.Site.lines())
	c.report.System, c.report.Release, c.report.Identity = c.Site.System, c.Site.Release, c.Site.Identity
	if c.Site.System == model.GridEngine {
		c.note("qstat-help.txt", 0, []string{"qstat", "-help"})
		c.write("qstat-help.txt", c.Site.Release+"\n")
		return
	}
	version := c.Site.version
	c.note("version.txt", version.status, []string{"qstat", "--version"})
	c.write("version.txt", version.out+version.complaints)
}

func (c *capture) captureSystem() {
	c.abbreviate()
	if c.report.System == model.GridEngine {
		c.gridEngine()
	} else {
		c.pbs()
	}
}

// writeManifest writes MANIFEST, which is the last file.
func (c *capture) writeManifest() { c.write("MANIFEST", c.head.String()+c.lines.String()) }

func (c *capture) write(file, text string) {
	if c.err == nil {
		c.fail(os.WriteFile(filepath.Join(c.folder, file), []byte(text), 0o600))
	}
}
