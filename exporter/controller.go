package exporter

import (
	"context"
	"fmt"
	"time"
)

// A Controller is one who changes a cluster: where its commands run, in whose name, and how far he goes.
type Controller struct {
	Runner  Runner
	Holder  string // who holds the locks of the cluster: "user@host:pid"
	Limits  Limits
	LockDir string // a folder of the cluster's host for a lock that others see who reach it over the same host; none if empty

	Now   func() time.Time
	Sleep func(context.Context, time.Duration) error
	Dead  func(holder string) bool // reports that the holder of a lock is known to have died; nil for nobody
	Stop  func() error             // asked before each remote execution: an error ends the work where it is
	Tell  func(string)             // told of each step, for people; nil for nobody
}

// Limits bound what a controller does.
type Limits struct {
	Changes  int           // jobs that may change
	Commands int           // of one remote execution
	Bytes    int           // of one remote execution
	Await    time.Duration // how long the next scheduler run is waited for; 0 for not at all
	Poll     time.Duration // how often the master is asked meanwhile
	Lock     time.Duration // how long the lock of the cluster is taken for
}

// Gentle are limits that suit any master.
var Gentle = Limits{Changes: 1000, Commands: 500, Bytes: 60_000, Await: time.Minute, Poll: 2 * time.Second, Lock: 15 * time.Minute}

// Say tells people something.
func (c *Controller) Say(format string, args ...any) {
	if c.Tell != nil {
		c.Tell(fmt.Sprintf(format, args...))
	}
}

// Stopped is why nothing more must be sent.
func (c *Controller) Stopped(ctx context.Context) error {
	if err := ctx.Err(); err != nil || c.Stop == nil {
		return err
	}
	return c.Stop()
}

// Lock takes the locks of a cluster: the one that all who keep the same store see, and behind the checks, which may refuse it, the one that all who reach
// it over the same host see.
func (c *Controller) Lock(ctx context.Context, locks Locks, cluster string, checks ...func() error) (release func(), err error) {
	store, err := TakeLock(ctx, locks, cluster, c.holder())
	if err != nil {
		return nil, err
	}
	host := func() {}
	takeHost := func() (err error) {
		host, err = TakeHostLock(ctx, c.Runner, c.LockDir, cluster, c.holder(), c.Sleep)
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

func (c *Controller) holder() Holder {
	return Holder{Name: c.Holder, From: c.Now(), For: c.Limits.Lock, Dead: c.Dead}
}
