package subject

import (
	"context"
	"errors"
	"fmt"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/engine/batch"
	"qprism/engine/gridengine"
	"qprism/engine/gridengine/audit"
	"qprism/engine/model"
	"qprism/engine/pbs"
)

// AuditOptions say what an audit knows besides the snapshot.
type AuditOptions struct {
	Before *model.Snapshot // taken before the run; nil for none
	Logs   MasterLogs
	Bundle string // beside which logs may lie; empty for a stored snapshot
}

// LoadOther loads another bundle of the cluster, or the stored snapshot of that number; nil for no name.
func (s *Subject) LoadOther(ctx context.Context, d *cli.Deps, name string, keepGoing bool) (*model.Snapshot, error) {
	if name == "" {
		return nil, nil
	}
	before, err := LoadOther(ctx, d, name, keepGoing)
	if err == nil && s.PBS != nil && before.PBS == nil {
		err = fmt.Errorf("%s is of Grid Engine, and the other bundle of PBS", name)
	}
	return before, err
}

// Audit recomputes the last run of Grid Engine before the snapshot.
func (s GridEngine) Audit(ctx context.Context, o AuditOptions) (*batch.Audit, error) {
	if o.Logs.Given() {
		return nil, errors.New("--sched-log and --accounting are for bundles of PBS; those of Grid Engine hold what is needed")
	}
	stop := func() bool { return ctx.Err() != nil }
	a := gridengine.Audit(s.Snapshot, audit.Options{Options: s.Look, Before: o.Before, Stop: stop})
	a.Rules = s.Rules
	return a, ctx.Err()
}

// Audit recomputes the cycle of PBS next to the snapshot, and its fairshare tree.
func (s OpenPBS) Audit(_ context.Context, o AuditOptions) (*batch.Audit, error) {
	opts, err := s.retracing(&o)
	if err != nil {
		return nil, err
	}
	a := pbs.Audit(s.Snapshot, opts)
	a.Rules = s.Rules
	return a, nil
}

func (GridEngine) FullBundle() string { return "scripts/capture-ge.sh on the master" }

func (OpenPBS) FullBundle() string {
	return "scripts/capture-pbs.sh on the server's host, or name the scheduler's log with --sched-log"
}

// Shares is the share tree of Grid Engine.
func (s GridEngine) Shares(v batch.ShareView) (*batch.Shares, error) {
	if v.Entity != "" || v.Outline || len(v.Compare) > 0 {
		return nil, errors.New("--entity, --tree and --compare are for bundles of PBS, and this is one of Grid Engine")
	}
	return gridengine.Shares(s.Snapshot, s.Look), nil
}

// Shares is the fairshare tree of PBS.
func (s OpenPBS) Shares(v batch.ShareView) (*batch.Shares, error) {
	if n := len(v.Compare); n != 0 && n != 2 {
		return nil, errors.New("--compare needs two entities: --compare bob,suzy")
	}
	a, err := pbs.Shares(s.Snapshot, v)
	var none *batch.NoEntityError
	if errors.As(err, &none) {
		err = fmt.Errorf("there is no fairshare entity %s; --tree lists all", show.Printable(none.Name))
	}
	return a, err
}
