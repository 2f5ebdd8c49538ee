package push

import (
	"context"
	"errors"
	"io"
	"slices"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/past"
	"qprism/cmd/qprism/show"
	"qprism/engine/model"
	"qprism/exporter"
	"qprism/exporter/pbs"
)

// runStored takes stored pushes back, or finishes one. Without --apply it only shows that.
func runStored(ctx context.Context, d *cli.Deps, opts Options, args []string, w, warn io.Writer) error {
	if len(args) > 0 {
		return errors.New("--undo, --resume and --release work on stored pushes, so do not give a " +
			"bundle; --push NUMBER names a push other than the last")
	}
	out := d.Output(w)
	return WithPusher(ctx, d, opts, warn, func(p *exporter.Pusher) error {
		list, err := planStored(ctx, p, opts)
		if err != nil {
			return err
		}
		if opts.Apply {
			if err := opts.Sees.commands(commandsOf(list)); err != nil {
				return err
			}
		}
		for _, a := range worthShowing(list, opts) {
			if err := a.show(ctx, d, opts, out, p); err != nil {
				return err
			}
		}
		return nil
	})
}

// storedPush is a push that takes stored ones back, or a stored one to finish.
type storedPush struct {
	push   *model.Push
	system exporter.System
}

func commandsOf(list []storedPush) (all []exporter.Command) {
	for _, a := range list {
		all = append(all, a.system.Commands(plannedOf(a.push))...)
	}
	return all
}

// worthShowing leaves out pushes with nothing to send. With --apply it leaves out none, since a push without
// orders ends one that is open.
func worthShowing(list []storedPush, opts Options) []storedPush {
	left := slices.DeleteFunc(slices.Clone(list), func(a storedPush) bool { return len(a.push.Orders) == 0 })
	switch {
	case opts.Apply:
		return list
	case len(left) == 0:
		return list[:1]
	}
	return left
}

// show prints the orders. With --apply it sends them and prints the result.
func (a storedPush) show(ctx context.Context, d *cli.Deps, opts Options, out show.Output, p *exporter.Pusher) error {
	if !opts.Apply {
		return printStored(out, a.push, a.system)
	}
	p.System = a.system
	r, err := a.send(ctx, p, opts)
	if err != nil {
		return err
	}
	return printReport(out, d.Hints(""), r, a.nothing())
}

func (a storedPush) send(ctx context.Context, p *exporter.Pusher, opts Options) (*exporter.Report, error) {
	if opts.Resume {
		return p.Resume(ctx, a.push.ID)
	}
	return p.SendInverse(ctx, a.push)
}

// nothing says why there is nothing to send.
func (a storedPush) nothing() string {
	if a.push.Kind == (pbs.Starts{}).Kind() {
		return "nothing to send: the jobs that " + a.push.Kind + " started continue to run"
	}
	return "nothing to send: no change by " + a.push.Kind + " is left"
}

// planStored returns the push that --undo, --resume or --release would send.
func planStored(ctx context.Context, p *exporter.Pusher, opts Options) ([]storedPush, error) {
	if opts.Release {
		return everything(ctx, p, opts)
	}
	id, err := stored(ctx, p, opts)
	if err != nil {
		return nil, err
	}
	if p.System, err = SystemOf(ctx, p.Journal, id); err != nil {
		return nil, err
	}
	plan := p.Inverse
	if opts.Resume {
		plan = p.Rest
	}
	push, err := plan(ctx, id)
	return []storedPush{{push, p.System}}, err
}

// everything takes all pushes to this cluster back: one push for each kind, the kind of the last push first, as
// that may be open.
func everything(ctx context.Context, p *exporter.Pusher, opts Options) (list []storedPush, err error) {
	pushes, err := pushesInForce(ctx, p, opts)
	if err != nil {
		return nil, err
	}
	kinds := map[string][]model.Push{}
	for _, push := range slices.Backward(pushes) {
		if kinds[push.Kind] == nil {
			system, err := SystemOf(ctx, p.Journal, push.ID)
			if err != nil {
				return nil, err
			}
			list = append(list, storedPush{&push, system})
		}
		kinds[push.Kind] = append(kinds[push.Kind], push)
	}
	for i := range list {
		ofKind := kinds[list[i].push.Kind]
		slices.Reverse(ofKind)
		p.System = list[i].system
		if list[i].push, err = p.InverseOfAll(ctx, ofKind); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// pushesInForce are all stored pushes to this cluster with their orders, the oldest first.
func pushesInForce(ctx context.Context, p *exporter.Pusher, opts Options) ([]model.Push, error) {
	list, elsewhere, err := ofReached(ctx, p, opts.Cluster)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, orElsewhere(errNothingLeft, elsewhere)
	}
	for i := range list {
		full, err := p.Journal.Push(ctx, list[i].ID)
		if err != nil {
			return nil, err
		}
		list[i] = *full
	}
	return list, nil
}

// plannedOf are the unsent orders of a push.
func plannedOf(push *model.Push) []model.Order {
	return slices.DeleteFunc(slices.Clone(push.Orders), func(o model.Order) bool { return o.State != model.OrderPlanned })
}

func printStored(out show.Output, push *model.Push, system exporter.System) error {
	orders := plannedOf(push)
	commands := system.Commands(orders)
	if out.Format == "json" {
		return out.JSON(JSONAgain{push.ID, push.Undoes, push.Cluster, push.Kind, past.OrdersJSON(orders), argvs(commands)})
	}
	out.Terminal = out.Terminal || out.Format == "table"
	if len(orders) == 0 && !out.Tabular() {
		out.Say("Nothing would be sent: no change of this push is left.")
		return nil
	}
	if err := out.Sheet(sheetOf(orders)); err != nil || out.Tabular() {
		return err
	}
	out.Say("")
	sayCommands(out, commands)
	out.Say("Nothing was sent; --apply sends the changes.")
	return nil
}

// JSONAgain is what --resume or --undo would send.
type JSONAgain struct {
	Push     int64            `json:"push,omitempty"`
	Undoes   int64            `json:"undoes,omitempty"`
	Cluster  string           `json:"cluster"`
	Kind     string           `json:"kind"`
	Orders   []past.JSONOrder `json:"orders"`
	Commands [][]string       `json:"commands"`
}
