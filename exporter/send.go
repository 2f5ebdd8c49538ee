package exporter

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"qprism/engine/model"
)

// A Pusher sends orders and reports their results.
type Pusher struct {
	Controller
	Journal Journal
	System  System
	// Planned is the snapshot of the orders. Send refuses orders if it is too old. nil skips this check.
	Planned *model.Snapshot
	// Explain says why the master's order differs from the wanted one; may be nil.
	Explain func(*Report) string
}

// A Report is the result of a push.
type Report struct {
	Push    *model.Push
	Taken   bool     // the scheduler has used all confirmed values
	Order   []string // the master's last order of waiting jobs
	Agrees  bool     // Order equals the wanted order, for jobs in both
	Differs string   // the first job with another place

	Live     *Live    // the last state of the master
	Standing Standing // the comparison of both orders
	Why      string   // why the orders differ, if known
}

// Send stores a push, sends its orders, waits for the next scheduler run, and reads the result of each order.
// If there are no orders, it sends nothing.
func (p *Pusher) Send(ctx context.Context, push *model.Push) (*Report, error) {
	if len(push.Orders) == 0 {
		return &Report{Push: push, Taken: true, Agrees: true}, nil
	}
	if err := p.allowed(ctx, push); err != nil {
		return nil, err
	}
	if p.Planned != nil {
		if err := Fresh(ctx, p.Runner, p.Planned); err != nil {
			return nil, err
		}
	}
	release, err := p.admit(ctx, push)
	if err != nil {
		return nil, err
	}
	defer release()
	if err := p.compare(ctx, push); err != nil {
		return nil, err
	}
	driven, err := p.driven(ctx, push)
	if err != nil {
		return nil, err
	}
	for _, i := range driven {
		lapse(i, &push.Orders[i])
	}
	return p.begin(ctx, push)
}

func (p *Pusher) begin(ctx context.Context, push *model.Push) (*Report, error) {
	push.Begun = p.Now()
	numberCalls(push.Orders, p.System.Commands(push.Orders))
	id, err := p.Journal.BeginPush(ctx, push)
	if err != nil {
		return nil, fmt.Errorf("nothing was sent, because the push could not be stored: %w", err)
	}
	push.ID = id
	return p.carryOut(ctx, push)
}

func (p *Pusher) carryOut(ctx context.Context, push *model.Push) (*Report, error) {
	if err := p.deliver(ctx, push); err != nil {
		return nil, &InterruptedError{Push: push.ID, Err: err}
	}
	r, err := p.finish(ctx, push)
	if err != nil {
		return nil, &InterruptedError{Push: push.ID, Err: err}
	}
	return r, nil
}

// An InterruptedError says that a push is not finished. Some of its orders may have been sent.
type InterruptedError struct {
	Push int64
	Err  error
}

func (e *InterruptedError) Error() string {
	return fmt.Sprintf("push %d is not finished: %v; finish it with \"push --resume --apply\", or take "+
		"it back with \"push --undo --apply\"",
		e.Push, e.Err)
}

func (e *InterruptedError) Unwrap() error { return e.Err }

func numberCalls(orders []model.Order, commands []Command) {
	for n, c := range commands {
		for _, i := range c.Orders {
			orders[i].Call = n
		}
	}
}

// deliver sends the planned orders, batch by batch. Before it sends a batch, it stores the orders of the batch
// as sent.
func (p *Pusher) deliver(ctx context.Context, push *model.Push) error {
	limits := p.Limits
	if p.System.Chained() {
		limits.Commands = 1
	}
	batches := Batches(p.System.Commands(push.Orders), limits)
	for n, batch := range batches {
		if err := p.Stopped(ctx); err != nil {
			return err
		}
		if err := p.Recognize(ctx, push.Cluster, push.Identity); err != nil { // the connection may lead elsewhere
			return err
		}
		p.Say("execution %d of %d: %d commands", n+1, len(batches), len(batch))
		if err := p.mark(ctx, push, ordersOf(batch), func(_ int, o *model.Order) { o.State = model.OrderSent }); err != nil {
			return fmt.Errorf("qprism sends nothing more: %w", err)
		}
		if err := p.execute(ctx, push, batch); err != nil {
			return err
		}
		if p.System.Chained() && push.Orders[batch[0].Orders[0]].State != model.OrderSent {
			return p.drop(ctx, push, batches[n+1:])
		}
	}
	return nil
}

// drop gives up the orders that are pointless after a refusal.
func (p *Pusher) drop(ctx context.Context, push *model.Push, batches [][]Command) error {
	var rest []int
	for _, b := range batches {
		rest = append(rest, ordersOf(b)...)
	}
	return p.mark(ctx, push, rest, func(_ int, o *model.Order) {
		o.State, o.Words = model.OrderOvertaken, "not sent, because the change before it failed"
	})
}

// execute runs the commands of a batch and stores the master's answers.
func (p *Pusher) execute(ctx context.Context, push *model.Push, batch []Command) error {
	argvs := make([][]string, len(batch))
	for i, c := range batch {
		argvs[i] = c.Args
	}
	results, err := p.Runner.Run(ctx, argvs)
	answers := map[int]Answer{}
	for i, r := range results[:min(len(results), len(batch))] {
		for k, a := range p.System.Answers(batch[i], push.Orders, r) {
			answers[batch[i].Orders[k]] = a
			if !a.Known && err == nil {
				err = fmt.Errorf("no answer to %s for job %s: %s", batch[i].Args[0],
					push.Orders[batch[i].Orders[k]].Job, firstLine(r))
			}
		}
	}
	if err == nil && len(results) < len(batch) {
		err = fmt.Errorf("qprism sent %d commands, and the master answered %d of them", len(batch), len(results))
	}
	// The first command without a result may have run or not. The commands after it never started.
	for _, i := range ordersOf(batch[min(len(results)+1, len(batch)):]) {
		answers[i] = Answer{Unsent: true}
	}
	// Store the known results even if the context ended with the connection.
	kept := p.mark(context.WithoutCancel(ctx), push, ordersOf(batch), func(i int, o *model.Order) {
		noteAnswer(o, answers[i])
	})
	return errors.Join(err, kept)
}

func firstLine(r Result) string {
	line, _, _ := strings.Cut(strings.TrimSpace(r.Text()), "\n")
	if line == "" {
		return fmt.Sprintf("exit status %d", r.Exit)
	}
	return line
}

// noteAnswer notes the answer to an order. An order without an answer stays sent until its value is read back.
func noteAnswer(o *model.Order, a Answer) {
	switch {
	case a.Unsent:
		o.State = model.OrderPlanned
	case !a.Known:
		return
	case a.Gone:
		o.State = model.OrderOvertaken
	case a.Refused:
		o.State = model.OrderRefused
	}
	o.Words = a.Words
}

func ordersOf(batch []Command) (list []int) {
	for _, c := range batch {
		list = append(list, c.Orders...)
	}
	return list
}

// mark changes orders and stores them.
func (p *Pusher) mark(ctx context.Context, push *model.Push, which []int, change func(int, *model.Order)) error {
	changed := map[int]model.Order{}
	for _, i := range which {
		o := push.Orders[i]
		change(i, &o)
		if !push.Orders[i].State.CanBecome(o.State) {
			return fmt.Errorf("order for job %s: state %s cannot become %s", o.Job, push.Orders[i].State, o.State)
		}
		if o != push.Orders[i] {
			changed[i] = o
		}
	}
	if len(changed) == 0 {
		return nil
	}
	if err := p.Journal.RecordOrders(ctx, push.ID, changed); err != nil {
		return err
	}
	for i, o := range changed {
		push.Orders[i] = o
	}
	return nil
}

// markAll changes all orders of a push and stores them.
func (p *Pusher) markAll(ctx context.Context, push *model.Push, change func(*model.Order)) error {
	all := make([]int, len(push.Orders))
	for i := range all {
		all[i] = i
	}
	return p.mark(ctx, push, all, func(_ int, o *model.Order) { change(o) })
}

// Batches groups commands into remote executions.
func Batches(commands []Command, l Limits) [][]Command {
	var list [][]Command
	bytes := 0
	for _, c := range commands {
		size := 0
		for _, arg := range c.Args {
			size += len(arg) + 3
		}
		if n := len(list); n == 0 || len(list[n-1]) >= l.Commands || bytes+size > l.Bytes {
			list, bytes = append(list, nil), 0
		}
		list[len(list)-1] = append(list[len(list)-1], c)
		bytes += size
	}
	return list
}
