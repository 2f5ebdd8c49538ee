package act

import (
	"context"
	"errors"
	"fmt"
	"time"

	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/model"
	"qprism/engine/pbs/cycle"
	"qprism/engine/whatif"
	"qprism/exporter"
	"qprism/exporter/drive"
	"qprism/exporter/pbs"
)

// stepPBS makes a step of a PBS server: with the scheduler off, a cycle is planned and carried out.
func (v *driver) stepPBS(ctx context.Context, s *subject.Subject) (again bool, err error) {
	if err := v.own.drivable(s.Snapshot); err != nil {
		return false, err
	}
	if err := exporter.Unsafe(s.Snapshot); err != nil {
		return false, err
	}
	session, err := v.Open(ctx, model.Drive{Cluster: s.Cluster, Identity: s.Identity, System: s.System, Owns: v.own.words})
	if err != nil {
		return false, err
	}
	defer session.Close()
	d := &pbs.Dispatcher{Session: session}
	if err := permitted(d.Rights(ctx)); err != nil {
		return false, err
	}
	if err := v.Beat(ctx); err != nil {
		return false, err
	}
	if err := d.Settle(ctx); err != nil {
		return false, err
	}
	if err := d.Guard(ctx); err != nil {
		return false, err
	}
	did, err := d.SwitchOff(ctx)
	if err != nil {
		return false, err
	}
	if did { // the scheduler may have started jobs since the capture
		if s, err = v.capture(ctx); err != nil {
			return false, err
		}
	}
	var failed error
	starts, plan, err := cycleStarts(ctx, s, v.opts, v.failSafe(session.Drive.Cluster, &failed))
	if err != nil {
		return false, err
	}
	if later := len(starts) - v.Limits.Changes; later > 0 {
		session.Say("%s started at a later step: at one no more than %d (--max-changes)", jobsAre(later), v.Limits.Changes)
		starts = starts[:v.Limits.Changes]
	}
	for _, note := range plan.Notes {
		session.Say("%s", note)
	}
	orders, err := d.Start(ctx, starts)
	return false, errors.Join(interrupted(err), printStarts(v.out, s, orders), failed)
}

// drivable is an error where a server cannot be driven: while its scheduler is off nothing else starts, whosever it is.
func (o own) drivable(s *model.Snapshot) error {
	switch {
	case !o.All:
		return errors.New("while PBS is driven its scheduler is off, and no other job would start: --own all")
	case len(s.PBS.Schedulers) > 1:
		return &exporter.RefusalError{Why: fmt.Sprintf("the server has %d schedulers, and the cycle of one is planned", len(s.PBS.Schedulers))}
	}
	return nil
}

// cycleStarts are the starts of a cycle in the wanted order. Nothing is preempted for them.
func cycleStarts(ctx context.Context, s *subject.Subject, opts driveOptions, ask asks) ([]model.Start, *model.Plan, error) {
	at := s.TakenAt.Truncate(time.Second).Add(time.Second)
	own := withoutPreemption(s.Snapshot)
	d, err := ask(ctx, s, opts, at)
	if err != nil {
		return nil, nil, err
	}
	if len(d.Rules) > 0 || opts.rules != "" {
		return nil, nil, errors.New("rules are for Grid Engine; under PBS an order is followed alone")
	}
	if d.Order != nil {
		own = whatif.GivenPBS(own, d.Order)
	}
	plan, whose := cycle.Run(own, cycle.Options{At: at}), exporter.WhoseJobs(s.Snapshot)
	var starts []model.Start
	for _, d := range plan.Decisions {
		if d.Verdict == model.Now && d.Placed != "" {
			starts = append(starts, model.Start{Job: d.ID, Places: d.Placed, State: model.OrderPlanned, Whose: whose[d.ID]})
		}
	}
	return starts, plan, nil
}

// withoutPreemption is a snapshot whose scheduler preempts nothing: qrun could not suspend a job first.
func withoutPreemption(s *model.Snapshot) *model.Snapshot {
	own, p := *s, *s.PBS
	p.SchedConfig.Prime.Preemptive, p.SchedConfig.NonPrime.Preemptive = false, false
	own.PBS = &p
	return &own
}

func (v *driver) giveBackPBS(ctx context.Context, s *drive.Session) error {
	return (&pbs.Dispatcher{Session: s}).Release(ctx)
}

// showPBS shows what a step would start.
func (v *driver) showPBS(ctx context.Context, s *subject.Subject, own own, out show.Output) error {
	unsafe := own.drivable(s.Snapshot)
	if unsafe == nil {
		unsafe = exporter.Unsafe(s.Snapshot)
	}
	starts, plan, err := cycleStarts(ctx, s, v.opts, v.strictly)
	if err != nil {
		return err
	}
	if out.Format == "json" {
		r := driveReport{Cluster: s.Cluster, At: plan.RunAt, Starts: []driveStart{}}
		for _, st := range starts {
			r.Starts = append(r.Starts, driveStart{Job: st.Job, Places: st.Places, State: string(st.State)})
		}
		if unsafe != nil {
			r.Refused = unsafe.Error()
		}
		return out.JSON(r)
	}
	out.Terminal = true
	out.Say("%s, %s %s%s; the cycle at %s", show.Printable(nameOfCluster(s.Cluster)), s.Batch.Product(),
		show.Printable(subject.Release(s.Snapshot)), subject.Taken(out, s.Snapshot), out.Moment(plan.RunAt))
	out.Say("")
	if s.PBS.Server.Scheduling {
		out.Say("The scheduler would be switched off first (scheduling = False), and the cluster captured anew.")
		out.Say("")
	}
	if len(starts) == 0 {
		out.Say("Nothing would start.")
	} else {
		t := show.Sheet{Columns: show.Columns(">job", "starts on")}
		for _, st := range starts {
			t.Add(st.Job, st.Places)
		}
		if err := out.Sheet(t); err != nil {
			return err
		}
	}
	out.Say("")
	for _, note := range plan.Notes {
		out.Say("%s.", note)
	}
	return sayUnsent(out, unsafe)
}
