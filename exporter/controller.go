package exporter

import (
	"context"
	"fmt"
	"time"

	"qprism/engine/model"
)

// A Controller says how to change a cluster: on which host commands run, for which user, and within which
// limits.
type Controller struct {
	Runner  Runner
	Holder  string // the holder of the locks: "user@host:pid"
	Limits  Limits
	Locks   Locks  // shared by all users of the store
	HasLock bool   // there is also a lock on the cluster's host, for all who reach it through that host
	LockDir string // folder of that lock; empty for the host's default

	// Identify asks for the identity of the cluster, through the process that runs the next commands.
	Identify func(context.Context) (model.Identity, error)

	// Witness compares the jobs of the cluster with those of the orders, if Identify cannot decide; nil to
	// skip it.
	Witness func(context.Context) (model.Likeness, string, error)

	Now   func() time.Time
	Sleep func(context.Context, time.Duration) error
	Stop  func() error // called before each remote execution: an error stops the work
	Tell  func(string) // reports each step for people; may be nil
}

// Limits of a controller.
type Limits struct {
	Changes  int           // most jobs that may change
	Commands int           // of one remote execution
	Bytes    int           // of one remote execution
	Await    time.Duration // how long to wait for the next scheduler run; 0 to not wait
	By       time.Time     // latest time to wait until; zero for no limit
	Poll     time.Duration // interval between questions to the master
}

// Gentle are limits that any master can take.
var Gentle = Limits{Changes: 1000, Commands: 500, Bytes: 60_000, Await: time.Minute, Poll: 2 * time.Second}

// Say reports something to people.
func (c *Controller) Say(format string, args ...any) {
	if c.Tell != nil {
		c.Tell(fmt.Sprintf(format, args...))
	}
}

// Stopped is an error if nothing more may be sent.
func (c *Controller) Stopped(ctx context.Context) error {
	if err := ctx.Err(); err != nil || c.Stop == nil {
		return err
	}
	return c.Stop()
}

// Lock takes two locks of a cluster: first the store's, then, after the checks, the lock of the host that
// runs the commands.
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
