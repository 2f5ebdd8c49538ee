package exporter

import (
	"context"
	"fmt"
	"time"

	"qprism/engine/model"
)

// A Controller changes a cluster: it says where commands run, in whose name, and within which limits.
type Controller struct {
	Runner  Runner
	Holder  string // who holds the locks of the cluster: "user@host:pid"
	Limits  Limits
	Locks   Locks  // seen by all who keep the same store
	HasLock bool   // there is a lock on the cluster's host too, which others see who reach it over the same host
	LockDir string // the folder of that lock; the host's own choice if empty

	// Identify asks the cluster who it is, in the process that runs what is sent next.
	Identify func(context.Context) (model.Identity, error)

	// Witness compares the jobs of the cluster with those that orders are for, if the facts of Identify do not
	// tell; nil for no jobs.
	Witness func(context.Context) (model.Likeness, string, error)

	Now   func() time.Time
	Sleep func(context.Context, time.Duration) error
	Stop  func() error // asked before each remote execution: an error ends the work where it is
	Tell  func(string) // told of each step, for people; nil for nobody
}

// Limits bound what a controller does.
type Limits struct {
	Changes  int           // jobs that may change
	Commands int           // of one remote execution
	Bytes    int           // of one remote execution
	Await    time.Duration // how long the next scheduler run is waited for; 0 for not at all
	By       time.Time     // it is waited for no longer than until then; zero for no such bound
	Poll     time.Duration // how often the master is asked meanwhile
}

// Gentle are limits that suit any master.
var Gentle = Limits{Changes: 1000, Commands: 500, Bytes: 60_000, Await: time.Minute, Poll: 2 * time.Second}

// Say tells people something.
func (c *Controller) Say(format string, args ...any) {
	if c.Tell != nil {
		c.Tell(fmt.Sprintf(format, args...))
	}
}

// Stopped is an error if nothing more must be sent.
func (c *Controller) Stopped(ctx context.Context) error {
	if err := ctx.Err(); err != nil || c.Stop == nil {
		return err
	}
	return c.Stop()
}

// Lock takes the two locks of a cluster: that of the store, and after the checks that of the host which runs
// the commands.
func (c *Controller) Lock(ctx context.Context, cluster string, meant model.Identity, checks ...func() error) (
	release func(), err error) {
	if err := c.Recognize(ctx, cluster, meant); err != nil {
		return nil, err
	}
	store, other, err := c.Locks.Lock(ctx, cluster, c.Holder)
	if err != nil {
		return nil, err
	}
	if other != "" {
		return nil, refuse("%s has the lock of %s", other, nameOf(cluster))
	}
	host := func() {}
	takeHost := func() (err error) {
		if c.HasLock {
			host, err = takeHostLock(ctx, c.Runner, c.LockDir, meant.LockName(cluster), c.Holder)
		}
		return err
	}
	for _, step := range append(checks, takeHost) {
		if err := step(); err != nil {
			store()
			return nil, err
		}
	}
	return func() {
		host()
		store()
	}, nil
}
