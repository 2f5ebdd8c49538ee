package act

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"qprism/adapters/sqlite"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/engine/model"
	"qprism/exporter"
)

// runPushAgain takes stored pushes back, or finishes one. Without --apply it only shows what it would send.
func runPushAgain(ctx context.Context, d *cli.Deps, opts pushOptions, args []string, w, warn io.Writer) error {
	if len(args) > 0 {
		return errors.New("--undo, --resume and --release go by stored pushes, not by a bundle; --push NUMBER names another than the last")
	}
	out := d.Output(w)
	return withPusher(ctx, d, opts, warn, func(p *exporter.Pusher) error {
		again, err := plannedAgain(ctx, p, opts)
		if err != nil {
			return err
		}
		if !opts.apply {
			return printAgain(out, again, p.System)
		}
		send := p.TakeBack
		if opts.resume {
			send = func(ctx context.Context, push *model.Push) (*exporter.Report, error) { return p.Resume(ctx, push.ID) }
		}
		r, err := send(ctx, again)
		if err != nil {
			return err
		}
		return printReport(out, d.Hints(""), r, "nothing to send: nothing of it is left")
	})
}

// plannedAgain is what --undo, --resume or --release would send.
func plannedAgain(ctx context.Context, p *exporter.Pusher, opts pushOptions) (*model.Push, error) {
	store := p.Journal.(*sqlite.Store)
	if opts.release {
		pushes, err := pushesInForce(ctx, p, opts)
		if err != nil {
			return nil, err
		}
		if p.System, err = systemOf(ctx, store, pushes[0].ID); err != nil {
			return nil, err
		}
		return p.Everything(ctx, pushes)
	}
	id, err := stored(ctx, p, opts)
	if err != nil {
		return nil, err
	}
	if p.System, err = systemOf(ctx, store, id); err != nil {
		return nil, err
	}
	if opts.resume {
		return p.Rest(ctx, id)
	}
	return p.Inverse(ctx, id)
}

// pushesInForce are all pushes to the cluster that is reached with their orders, the oldest first.
func pushesInForce(ctx context.Context, p *exporter.Pusher, opts pushOptions) ([]model.Push, error) {
	store := p.Journal.(*sqlite.Store)
	all, err := store.Pushes(ctx, opts.Cluster)
	if err != nil {
		return nil, err
	}
	list, elsewhere, err := ofReached(ctx, p, all)
	switch {
	case err != nil:
		return nil, err
	case len(list) == 0 && elsewhere != "":
		return nil, fmt.Errorf("no push is left to be taken back of the cluster that is reached; %s", elsewhere)
	case len(list) == 0:
		return nil, errors.New("no push is left to be taken back")
	}
	for i := range list {
		if list[i].Kind != list[0].Kind {
			return nil, fmt.Errorf("push %d is of another kind (%s) than push %d (%s): take them back one by one with --undo --push NUMBER, the last one first",
				list[i].ID, list[i].Kind, list[0].ID, list[0].Kind)
		}
		full, err := store.Push(ctx, list[i].ID)
		if err != nil {
			return nil, err
		}
		list[i] = *full
	}
	return list, nil
}

// printAgain shows what would be sent to take pushes back, or to finish one.
func printAgain(out show.Output, push *model.Push, system exporter.System) error {
	var orders []model.Order
	for _, o := range push.Orders {
		if o.State == model.OrderPlanned {
			orders = append(orders, o)
		}
	}
	commands := system.Commands(orders)
	if out.Format == "json" {
		list := make([][]string, len(commands))
		for i, c := range commands {
			list[i] = c.Args
		}
		return out.JSON(struct {
			Push     int64       `json:"push,omitempty"`
			Undoes   int64       `json:"undoes,omitempty"`
			Cluster  string      `json:"cluster"`
			Kind     string      `json:"kind"`
			Orders   []jsonOrder `json:"orders"`
			Commands [][]string  `json:"commands"`
		}{push.ID, push.Undoes, push.Cluster, push.Kind, ordersJSON(orders), list})
	}
	out.Terminal = out.Terminal || out.Format == "table"
	if len(orders) == 0 && !out.Tabular() {
		out.Say("Nothing would be sent: nothing of it is left.")
		return nil
	}
	t := show.Sheet{Columns: show.Columns(">job", ">from", ">to", "why")}
	for _, o := range orders {
		t.Add(o.Job, o.From, o.To, o.Why)
	}
	if err := out.Sheet(t); err != nil || out.Tabular() {
		return err
	}
	out.Say("")
	for _, c := range commands {
		out.Say("%s", show.Printable(strings.Join(c.Args, " ")))
	}
	out.Say("")
	out.Say("Nothing was sent; --apply sends it.")
	return nil
}
