package assume

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"qprism/engine/model"
)

// An Assumption replaces a fact that no file of a snapshot has.
type Assumption struct {
	About string // for programs: "sched_config"
	Says  string // a sentence without its period
}

// Topics of assumptions.
const (
	Moment    = "taken_at"
	Options   = "sched_config"
	Scheduler = "sched"
	Groups    = "egroup"
	Others    = "query_other_jobs"
	Waiting   = "eligible_time"
	Shares    = "fairshare"
	Suspended = "suspended"
)

// Fill makes a snapshot of PBS with all facts that a cycle needs, and lists the assumptions. If nothing is
// missing, it returns the same snapshot. It never changes the original. It leaves snapshots of other systems
// as they are.
func Fill(s *model.Snapshot) (*model.Snapshot, []Assumption) {
	if s.PBS == nil || s.System == model.Torque {
		return s, nil
	}
	own, pbs := *s, *s.PBS
	own.PBS = &pbs
	f := &filling{Snapshot: &own}
	for _, step := range []func(*filling){(*filling).moment, (*filling).options, (*filling).attributes,
		(*filling).jobs, (*filling).shares} {
		step(f)
	}
	if !f.changed {
		return s, nil
	}
	return f.Snapshot, f.list
}

// A filling is a snapshot that is being filled.
type filling struct {
	*model.Snapshot
	list    []Assumption
	changed bool
}

func (f *filling) say(about, format string, args ...any) {
	f.changed = true
	f.list = append(f.list, Assumption{about, fmt.Sprintf(format, args...)})
}

// moment takes the latest time in the listings for that of the snapshot, where none is known.
func (f *filling) moment() {
	if !f.TakenAt.IsZero() {
		return
	}
	latest := time.Time{}
	for i := range f.Jobs {
		if p := f.Jobs[i].PBS; p != nil {
			latest = slices.MaxFunc([]time.Time{latest, f.Jobs[i].Submitted, p.Queued, p.Eligible,
				p.Started, p.Modified}, time.Time.Compare)
		}
	}
	if f.TakenAt = latest; !latest.IsZero() {
		f.say(Moment, "no file says when the listings were taken; qprism uses the latest time in them (--now sets another)")
	}
}

// options are those of the file that PBS installs, where there is no sched_config.
func (f *filling) options() {
	if f.PBS.SchedConfig.Present {
		return
	}
	x := Installed()
	f.PBS.SchedConfig, f.PBS.Fairshare.Policy = x.Config, x.Fairshare
	missing := "sched_config is not in the bundle (only root can read it)"
	if p := f.PBS.Planned; p != "" && p != cmp.Or(f.PBS.FilesOf, model.DefaultScheduler) {
		missing = "the bundle has the files of scheduler " + cmp.Or(f.PBS.FilesOf, model.DefaultScheduler) + ", not of " + p
	}
	f.say(Options, "%s; qprism assumes the options that PBS installs: by_queue, no strict_ordering, no "+
		"fair_share, preemptive_sched; no primetime, no dedicated time", missing)
}

// attributes notes that those of the scheduler are not known.
func (f *filling) attributes() {
	if len(f.PBS.Schedulers) == 0 {
		f.say(Scheduler, "the scheduler's attributes are not in the bundle (qmgr -c 'print sched'); "+
			"qprism assumes that they are unset: only the server's formula, preempt_prio and preempt_order as installed")
	}
}

// shares notes that a formula reads what only the scheduler's files tell.
func (f *filling) shares() {
	if !f.PBS.SchedConfig.Present && len(f.PBS.Fairshare.Groups) == 0 &&
		readsAny(f.PBS.Formula, "fairshare_perc", "fairshare_tree_usage", "fairshare_factor") {
		f.say(Shares, "the formula reads fairshare, but the tree is not in the bundle (only root can "+
			"read it); all entities count as equal")
	}
}
