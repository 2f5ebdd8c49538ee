package exporter

import (
	"context"

	"qprism/engine/model"
)

// A push leaves alone what an open drive of the same store decides about. Under Grid Engine these are some
// jobs: their orders lapse, and all others go through. A PBS server is driven as a whole. Taking a push back is
// always possible, as a drive changes nothing that it restores.

// notDriven refuses a push of a server that is driven.
func (p *Pusher) notDriven(ctx context.Context, push *model.Push) error {
	if push.Undoes != 0 {
		return nil
	}
	open, err := p.Journal.OpenDrives(ctx, push.Cluster)
	if err != nil {
		return err
	}
	for _, d := range open {
		if d.System != model.GridEngine {
			return refuse("%s has been driven since %s UTC (by %s): the drive decides which job starts "+
				"next; \"qprism drive --release --apply\" ends it",
				nameOf(push.Cluster), d.Begun.UTC().Format("2006-01-02 15:04:05"), d.By)
		}
	}
	return nil
}

// driven are the planned orders for driven jobs.
func (p *Pusher) driven(ctx context.Context, push *model.Push) (orders []int, err error) {
	open, err := p.Journal.OpenDrives(ctx, push.Cluster)
	if err != nil {
		return nil, err
	}
	driven := map[string]bool{}
	for _, d := range open {
		for _, c := range d.Claims {
			driven[c.Job] = true
		}
	}
	for i, o := range push.Orders {
		if o.State == model.OrderPlanned && driven[o.Job] {
			orders = append(orders, i)
		}
	}
	return orders, nil
}

// lapse gives up an order for a driven job.
func lapse(_ int, o *model.Order) {
	o.State, o.Words = model.OrderOvertaken, "not sent: the job is driven; \"qprism drive --release "+
		"--apply\" hands it back"
}
