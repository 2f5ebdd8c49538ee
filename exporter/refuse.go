package exporter

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"qprism/engine/model"
)

// A RefusalError says why qprism sent nothing.
type RefusalError struct{ Why string }

func (e *RefusalError) Error() string { return "refused: " + e.Why + ". Nothing was sent" }

func refuse(format string, args ...any) error { return &RefusalError{fmt.Sprintf(format, args...)} }

// Unsafe returns an error if a snapshot forbids orders to its master. options are the qalter options of the
// orders.
func Unsafe(s *model.Snapshot, options ...string) error {
	if text, ok := model.Text(s.Policy.Params, "JC_FILTER"); ok && isTrue(text) {
		return refuse("the scheduler has JC_FILTER in params; with it, changing jobs can crash the master (qconf -msconf)")
	}
	if n := len(s.LeftOut); n > 0 {
		l := s.LeftOut[0]
		return refuse("qprism could not read %d records of the cluster, the first at %s:%d (%s), so changes would "+
			"not be safe",
			n, l.File, l.Line, l.Reason)
	}
	return jsvForbids(s, options)
}

// isTrue reads a value of params as the scheduler does: a name alone counts as true.
func isTrue(text string) bool {
	return text == "" || text == "1" || strings.EqualFold(text, "true")
}

// jsvForbids refuses options that jsv_allowed_mod does not name, if the master verifies jobs (sge_conf(5)).
func jsvForbids(s *model.Snapshot, options []string) error {
	url, _ := model.Text(s.Config.Global, "jsv_url")
	if url == "" || strings.EqualFold(url, "none") {
		return nil
	}
	text, known := model.Text(s.Config.Global, "jsv_allowed_mod")
	if !known {
		return nil
	}
	allowed := map[string]bool{}
	for option := range strings.SplitSeq(text, ",") {
		allowed[strings.TrimSpace(option)] = true
	}
	for _, option := range options {
		if !allowed[option] && !allowed["global_"+option] { // newer releases give lists of requests such names
			return refuse("the master verifies jobs (jsv_url %s) and jsv_allowed_mod lacks %s, so "+
				"qalter cannot change that; qconf -mconf", url,
				option)
		}
	}
	return nil
}

// admit refuses a push, or takes the locks of its cluster.
func (p *Pusher) admit(ctx context.Context, push *model.Push) (release func(), err error) {
	if err := p.allowed(ctx, push); err != nil {
		return nil, err
	}
	p.witness(push.Orders)
	return p.Lock(ctx, push.Cluster, push.Identity,
		func() error { return p.nothingOpen(ctx, push) },
		func() error { return p.notDriven(ctx, push) },
		func() error { return p.rights(ctx, push) })
}

// allowed checks everything that needs no command on the host: no stop file exists, and the push is not too
// large.
func (p *Pusher) allowed(ctx context.Context, push *model.Push) error {
	if err := p.Stopped(ctx); err != nil {
		return err
	}
	if n := len(push.Orders); n > p.Limits.Changes && push.ID == 0 && push.Undoes == 0 { // a push that began may end
		return refuse("%d jobs would change, but --max-changes allows %d", n, p.Limits.Changes)
	}
	return nil
}

func nameOf(cluster string) string {
	if cluster == "" {
		return "the cluster"
	}
	return cluster
}

// nothingOpen refuses a push while the previous one is unfinished, unless it undoes that one.
func (p *Pusher) nothingOpen(ctx context.Context, push *model.Push) error {
	last, err := p.Journal.LastPush(ctx, push.Cluster)
	switch {
	case errors.Is(err, model.ErrNoPush):
		return nil
	case err != nil:
		return err
	case last.Open() && last.ID != push.ID && last.ID != push.Undoes:
		return refuse("push %d was not finished; \"push --resume --apply\" finishes it, \"push --undo "+
			"--apply\" takes it back", last.ID)
	}
	return nil
}

func (p *Pusher) rights(ctx context.Context, push *model.Push) error {
	missing, err := p.System.Rights(ctx, p.Runner, push.Orders)
	if err != nil {
		return err
	}
	if missing != "" {
		return refuse("%s", missing)
	}
	return nil
}

// compare compares the values from which orders were planned with the master's values now. Jobs that have
// started or ended need no order. If somebody else changed a value, the push stops: two controllers would
// fight.
func (p *Pusher) compare(ctx context.Context, push *model.Push) error {
	live, err := p.System.Read(ctx, p.Runner)
	if err != nil {
		return err
	}
	whose, err := p.whose(ctx, push.Orders)
	if err != nil {
		return err
	}
	for i := range push.Orders {
		o := &push.Orders[i]
		job, there := live.Jobs[o.Job]
		other := otherJob(*o, whose)
		switch value := job.Values[o.Attribute]; {
		case !there || !job.Waiting:
			o.State, o.Words = model.OrderOvertaken, "the job no longer waits"
		case other != "":
			o.State, o.Words = model.OrderOvertaken, other
		case value != o.From:
			return refuse("job %s now has %s %s, not %s as in the snapshot: somebody else changed it. "+
				"Capture again", o.Job, o.Attribute, value,
				o.From)
		}
	}
	return nil
}
