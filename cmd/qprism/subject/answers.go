package subject

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/engine/batch"
	"qprism/engine/gridengine"
	"qprism/engine/gridengine/audit"
	"qprism/engine/gridengine/lastrun"
	gelint "qprism/engine/gridengine/lint"
	"qprism/engine/lint"
	"qprism/engine/model"
	"qprism/engine/pbs"
	"qprism/engine/pbs/criteria"
	"qprism/engine/pbs/cycle"
	pbslint "qprism/engine/pbs/lint"
	"qprism/engine/pbs/retrace"
)

// AuditOptions has more data for an audit.
type AuditOptions struct {
	Before *model.Snapshot // snapshot from before the run; nil for none
	Logs   MasterLogs
	Bundle string // folder of the bundle, because logs may be beside it; empty for a stored snapshot
	Counts bool   // without the list of differences, for Grid Engine
}

// LoadOther loads another bundle of the cluster, or a stored snapshot by number. It is nil for an empty name.
func (s *Subject) LoadOther(ctx context.Context, d *cli.Deps, name string, keepGoing bool) (*model.Snapshot, error) {
	if name == "" {
		return nil, nil
	}
	before, err := LoadOther(ctx, d, name, keepGoing)
	if err == nil && s.KeepsCycleLog() && !before.KeepsCycleLog() {
		err = fmt.Errorf("%s is from Grid Engine, and the other bundle is from PBS", name)
	}
	return before, err
}

// Audit recomputes the last Grid Engine run before the snapshot.
func (s GridEngine) Audit(ctx context.Context, o AuditOptions) (*batch.Audit, error) {
	if o.Logs.Given() {
		return nil, errors.New("--sched-log and --accounting are for bundles of PBS; bundles of Grid " +
			"Engine need no other files")
	}
	compared := gridengine.Audit
	if o.Counts {
		compared = gridengine.AuditCounts
	}
	a := compared(s.Snapshot, audit.Options{Options: s.Look, Before: o.Before})
	a.Rules = s.Rules
	return a, ctx.Err()
}

// Audit recomputes the PBS cycle nearest to the snapshot, and its fairshare tree.
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
	return "scripts/capture-pbs.sh on the host of the server, or name the log of the scheduler with --sched-log"
}

func (s GridEngine) Shares(v batch.ShareView) (*batch.Shares, error) {
	if v.Entity != "" || v.Outline || len(v.Compare) > 0 {
		return nil, errors.New("--entity, --tree and --compare are for bundles of PBS, but this bundle is from Grid Engine")
	}
	return gridengine.Shares(s.Snapshot, s.Look), nil
}

func (s GridEngine) Due(by string, active []batch.Party) batch.Due {
	return gridengine.Due(s.Snapshot, by, active)
}

func (s OpenPBS) Due(by string, active []batch.Party) batch.Due {
	return pbs.Due(s.Snapshot, by, active)
}

func (s OpenPBS) Shares(v batch.ShareView) (*batch.Shares, error) {
	if !s.PBS.SchedConfig.Present && len(s.PBS.Fairshare.Groups) == 0 && len(s.PBS.Fair) == 0 {
		return nil, errors.New("the bundle has no fairshare tree: only root can read resource_group, " +
			"usage and pbsfs; run scripts/capture-pbs.sh as root")
	}
	if n := len(v.Compare); n != 0 && n != 2 {
		return nil, errors.New("--compare needs two entities: --compare bob,suzy")
	}
	a, err := pbs.Shares(s.Snapshot, v)
	if none, is := errors.AsType[*batch.NoEntityError](err); is {
		err = fmt.Errorf("there is no fairshare entity %s; --tree lists all", show.Printable(none.Name))
	}
	return a, err
}

// Views are the views of priority tables. PBS has the first and the last of them.
var Views = []string{"pri", "urg", "ext", "all"}

// Ranking lists the tasks of Grid Engine in dispatch order.
func (s GridEngine) Ranking(view string) (*batch.Ranking, error) {
	v, m := lastrun.Look(s.Snapshot, s.Look)
	a := gridengine.Ranking(s.Snapshot, v, m)
	a.Columns = gridengine.Views[view]
	if v == nil {
		a.Notes = []string{"The numbers below are from the master: " + WhyUnknown(s.Snapshot)}
	} else {
		a.Notes = show.InWords(s.Snapshot, v)
	}
	return a, nil
}

// Ranking lists the jobs of PBS in the order of the next cycle, with the values that decide this order.
func (s OpenPBS) Ranking(view string) (*batch.Ranking, error) {
	if view != "pri" && view != "all" {
		return nil, fmt.Errorf("--view %s is for bundles of Grid Engine; for PBS use pri or all", view)
	}
	if err := s.Lacks(false); err != nil {
		return nil, err
	}
	at, err := s.Moment()
	if err != nil {
		return nil, err
	}
	r := pbs.Rank(s.Snapshot, at.At, view == "all")
	r.Source, r.Notes, r.Assumed = at.Source, orderWords(r), s.Assumptions()
	return &r.Ranking, nil
}

// orderWords says what decides the order of jobs, criterion by criterion.
func orderWords(r *pbs.Ranking) []string {
	lines := []string{"The order: " + show.Printable(strings.Join(criteria.Words(r.Order), "; then ")) + "."}
	if r.Broken {
		lines = append(lines, "The scheduler cannot evaluate the formula, so every job has the value 0; "+
			"qprism formula check shows why.")
	}
	if r.Threshold != "" && *r.Formula != "" {
		lines = append(lines, "Jobs with a value at or below job_sort_formula_threshold "+
			show.Printable(r.Threshold)+" are not tried.")
	}
	for _, j := range r.Jobs {
		if why := j.Cell("error").Text; why != "" {
			lines = append(lines, fmt.Sprintf("The formula fails for %s, so its value is 0: %s.", j.PBS.ID, show.Printable(why)))
			break
		}
	}
	if n := r.Sure; n != nil {
		lines = append(lines, fmt.Sprintf(
			"qprism compared each job with the next one. The order of %d pairs is certain, whatever "+
				"fairshare charged for running jobs. The order of %d pairs follows from an estimate of "+
				"these charges, and %d pairs are undecided.",
			n[cycle.Certain], n[cycle.Likely], n[cycle.Tied]))
	}
	for _, n := range r.PlanNotes {
		lines = append(lines, "Note: "+show.Printable(n))
	}
	return lines
}

func (s GridEngine) Lint(lines func(file string) []string) *lint.Report {
	return gelint.Check(s.linted(lines))
}

func (s OpenPBS) Lint(lines func(file string) []string) *lint.Report {
	return pbslint.Check(s.linted(lines))
}

// linted returns the input of the checks. lines returns the lines of a file.
func (s *Subject) linted(lines func(file string) []string) lint.Input {
	return lint.Input{Snapshot: s.Snapshot, Quirks: s.Look.Quirks, At: s.Look.At, Lines: lines}
}

// Retrace recomputes the cycle nearest to the snapshot.
func (s OpenPBS) Retrace(o AuditOptions) (*retrace.Report, error) {
	opts, err := s.retracing(&o)
	if err != nil {
		return nil, err
	}
	return retrace.Run(s.Snapshot, opts), nil
}

// retracing prepares a snapshot to be retraced. The logs come from the flags, or else from the bundle or its
// folder. For Torque, only the fairshare tree is compared.
func (s OpenPBS) retracing(o *AuditOptions) (retrace.Options, error) {
	opts := retrace.Options{At: s.Look.At, Before: o.Before}
	switch {
	case s.System == model.Torque:
		own := *s.PBS
		own.Cycles, s.PBS = nil, &own
	case o.Logs.Given():
		return opts, o.Logs.addTo(s.Snapshot)
	case len(s.PBS.Cycles) == 0 && o.Bundle != "":
		o.Logs.Beside(s.Snapshot, o.Bundle)
	}
	return opts, nil
}
