package exporter

import (
	"context"

	"qprism/engine/model"
)

// A push does not change jobs that an open drive in the same store manages. On Grid Engine, orders for such
// jobs are given up, and all other orders are sent. A drive of PBS manages the whole server. A push can always
// be undone, because a drive does not change values that the undo restores.

// notDriven refuses a push if a drive manages the whole server.
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
			return refuse("%s: since %s UTC, \"qprism drive\" (started by %s) decides which job starts next; "+
				"\"qprism drive --release --apply\" ends it",
				nameOf(push.Cluster), d.Begun.UTC().Format("2006-01-02 15:04:05"), d.By)
		}
	}
	return nil
}

// driven returns the planned orders for jobs that a drive manages.
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

// lapse gives up an order for a job that a drive manages.
func lapse(_ int, o *model.Order) {
	o.State, o.Words = model.OrderOvertaken, "not sent: \"qprism drive\" controls the job; \"qprism drive "+
		"--release --apply\" restores it"
}
