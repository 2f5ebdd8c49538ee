package drive

import (
	"cmp"
	"context"
	"errors"
	"time"

	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/assign"
	"qprism/engine/model"
	"qprism/engine/pbs/steer"
	"qprism/exporter"
	"qprism/exporter/drive"
	"qprism/exporter/pbs"
)

// stepPBS makes a step on a PBS server: it sets -p of waiting jobs to the wanted order.
func (v *Driver) stepPBS(ctx context.Context, s *subject.Subject) (again bool, err error) {
	if err := errors.Join(v.Own.drivable(s.Snapshot), exporter.Unsafe(s.Snapshot)); err != nil {
		return false, err
	}
	session, err := v.Open(ctx, model.Drive{Cluster: s.Cluster, Identity: s.Identity, System: s.System, Owns: v.Own.words})
	if err != nil {
		return false, err
	}
	defer session.Close()
	if err := v.permitted(ctx, pbs.Priority{}); err != nil {
		return false, err
	}
	var failed error
	p, err := plannedPBS(ctx, s, v.opts, v.Own, v.askOrFallBack(session.Drive.Cluster, &failed))
	if err != nil {
		return false, err
	}
	orders, again, err := (&pbs.Dispatcher{Session: session}).Steer(ctx, p.wanted, v.opts.MaxChanges)
	return again, errors.Join(interrupted(err), printSteered(v.Out, s, p, orders), refusedBy(orders), failed)
}

// drivable returns an error if a drive cannot manage the server by -p.
func (o own) drivable(s *model.Snapshot) error {
	if !o.All {
		return errors.New("on PBS, qprism drive needs all jobs, because -p ranks a job among all others: --own all")
	}
	if err := (pbs.Priority{}).Usable(s); err != nil {
		return &exporter.RefusalError{Why: err.Error()}
	}
	return nil
}

// plannedPBS decides on the -p of jobs. They are above 0, the default, so that a new job is last until its
// place is found. Without a wanted order, jobs keep their own -p.
func plannedPBS(ctx context.Context, s *subject.Subject, opts Options, own own, ask source) (*plan, error) {
	at := s.TakenAt.Truncate(time.Second).Add(time.Second)
	d, err := ask(ctx, s, opts, at)
	if err != nil {
		return nil, err
	}
	if len(d.Rules) > 0 || opts.Rules != "" {
		return nil, errors.New("rules are only for Grid Engine; on PBS, give --order or --policy")
	}
	p := &plan{at: at, asked: len(d.Order) > 0, wanted: map[string]drive.Wanted{},
		priorities: map[uint32]assign.Change{},
		ids:        map[uint32]string{}}
	jobs := map[string]*model.Job{}
	for i := range s.Jobs {
		if j := &s.Jobs[i]; j.PBS.Array == "" {
			p.ids[j.Number], jobs[j.PBS.ID] = j.PBS.ID, j
		}
	}
	if !p.asked {
		p.notes = append(p.notes, "Without --order or --policy, qprism does not change the order of the jobs")
	}
	if !p.asked || (pbs.Priority{}).Usable(s.Snapshot) != nil {
		return p, nil
	}
	c, err := steer.NewPriorities(s.Snapshot, at)
	if errors.Is(err, steer.ErrNoneWaits) {
		return p, nil
	} else if err != nil {
		return nil, &exporter.RefusalError{Why: err.Error()}
	}
	c.AboveDefault()
	st, _, err := c.Steer(d.Order)
	if err != nil {
		return nil, err
	}
	p.order, p.owned = st.Wanted, len(st.Wanted)
	for _, change := range st.Changes {
		p.priorities[change.Job] = change
	}
	whose := exporter.WhoseJobs(s.Snapshot)
	for _, number := range st.Wanted {
		if id := p.ids[number]; jobs[id] != nil {
			w, _ := p.want(jobs[id])
			w.Whose = whose[id]
			p.wanted[id] = w
		}
	}
	return p, nil
}

func (v *Driver) showPBS(ctx context.Context, s *subject.Subject, own own, out show.Output) error {
	p, err := plannedPBS(ctx, s, v.opts, own, v.askWanted)
	if err != nil {
		return err
	}
	return printPlanned(out, s, p, cmp.Or(own.drivable(s.Snapshot), exporter.Unsafe(s.Snapshot)))
}
