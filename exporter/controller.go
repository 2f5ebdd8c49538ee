package exporter

import (
	"context"
	"fmt"
	"time"

	"qprism/engine/model"
)

// A Controller says how to change a cluster: the host that runs the commands, the user, and the limits.
type Controller struct {
	Runner  Runner
	Holder  string // the holder of the locks: "user@host:pid"
	Limits  Limits
	Locks   Locks  // locks that all users of the store share
	HasLock bool   // also take a lock on the cluster's host, for all who reach the cluster through that host
	LockDir string // folder of the lock on the host; empty for the host's default

	// Identify asks for the identity of the cluster. It uses the same process as the next commands.
	Identify func(context.Context) (model.Identity, error)

	// Witness compares the jobs of the cluster with the jobs of the orders, if Identify cannot decide. It may
	// be nil.
	Witness func(context.Context) (model.Likeness, string, error)

	Now   func() time.Time
	Sleep func(context.Context, time.Duration) error
	Stop  func() error // called before each remote execution; an error stops the work
	Tell  func(string) // reports each step to people; may be nil
}

// Limits of a controller.
type Limits struct {
	Changes  int           // most jobs that may change
	Commands int           // most commands in one remote execution
	Bytes    int           // most bytes in one remote execution
	Await    time.Duration // how long to wait for the next scheduler run; 0 for not at all
	By       time.Time     // when to stop waiting; zero for no limit
	Poll     time.Duration // pause between questions to the master
}

// Gentle are limits for the load that any master can take.
var Gentle = Limits{Changes: 1000, Commands: 500, Bytes: 60_000, Await: time.Minute, Poll: 2 * time.Second}

// Say reports something to people.
func (c *Controller) Say(format string, args ...any) {
	if c.Tell != nil {
		c.Tell(fmt.Sprintf(format, args...))
	}
}

// Stopped returns an error if the work must stop.
func (c *Controller) Stopped(ctx context.Context) error {
	if err := ctx.Err(); err != nil || c.Stop == nil {
		return err
	}
	return c.Stop()
}

// Lock takes two locks of a cluster. The first is the store's lock. After the checks it takes the lock on the
// host that runs the commands.
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
