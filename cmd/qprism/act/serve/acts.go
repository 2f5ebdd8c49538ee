package serve

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"time"

	"qprism/cmd/cadence"
	"qprism/cmd/qprism/act/control"
	"qprism/cmd/qprism/act/push"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/past"
	"qprism/cmd/qprism/view"
)

// A pageActor pushes for users of the page, to clusters with allow: push.
type pageActor struct {
	*server
	stop chan struct{} // closed when serve stops; then an act ends after the current execution
}

// pagePolicies are the policies that the page offers. None runs a program or takes words.
var pagePolicies = []string{"fairshare", "linear"}

// may reports whether a user may change anything, by the configuration of now.
func (a *pageActor) may(name string) bool {
	config := a.config.Load()
	return config != nil && config.Page.MayAct(name)
}

func (a *pageActor) Allowed(ctx context.Context, cluster string) (view.Allowed, error) {
	allowed := view.Allowed{Kinds: []string{}, Policies: []string{}}
	s, err := a.of(ctx, cluster)
	if err != nil || s == nil {
		return allowed, err
	}
	allowed.Kinds = s.kinds()
	if s.MayPush {
		allowed.Policies = pagePolicies
	}
	return allowed, nil
}

// kinds are the acts that a cluster allows. What serve itself drives is left out, as the next step would take
// it again; the stop file gives it back.
func (s *Served) kinds() (list []string) {
	if s.MayPush && s.Push != nil {
		list = append(list, "configured")
	}
	if s.MayPush {
		list = append(list, "first", "policy", "undo", "resume", "release")
	}
	if s.MayDrive && s.Drive == nil {
		list = append(list, giveBack)
	}
	return list
}

// of finds the served cluster by its name in the store; nil for none, or if nothing is allowed.
func (a *pageActor) of(ctx context.Context, cluster string) (found *Served, err error) {
	config := a.config.Load()
	if config == nil {
		return nil, nil
	}
	for _, c := range config.Clusters {
		s := NewServed(DepsFor(a.Deps, config), config, c, a.log)
		list, err := s.snapshots(ctx)
		if err != nil {
			return nil, err
		}
		if len(s.kinds()) == 0 || len(list) == 0 || list[len(list)-1].Cluster != cluster {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf(
				"clusters %s and %s are both called %s: set cluster to give each another name in the store",
				found.Name, c.Name, cluster)
		}
		found = s
	}
	return found, nil
}

// Plan returns what an act would send. For a new push it captures the cluster first.
func (a *pageActor) Plan(ctx context.Context, act view.Act, by string) (*view.Plan, error) {
	p := &view.Plan{Commands: [][]string{}, Orders: []past.JSONOrder{}}
	err := a.alone(ctx, act, func(s *Served, opts push.Options) (err error) {
		if act.Kind == giveBack {
			return s.planBack(ctx, act.Cluster, by+" by "+control.ThisProcess(), p)
		}
		if !opts.Undo && !opts.Resume && !opts.Release {
			if p.Snapshot, _, err = s.fresh(ctx, false); err != nil {
				return err
			}
		}
		opts.By, opts.Apply = by+" by "+control.ThisProcess(), false
		planFrom(&opts, p.Snapshot)
		return planOf(ctx, s.Deps, opts, p)
	})
	// end a drive that has no claims left
	if err == nil && p.Refused == "" && len(p.Commands) == 0 && act.Kind != giveBack {
		p.Refused = "nothing would be sent: the cluster is already in this state"
	}
	return p, err
}

// Do sends a plan, unless the plan would now be different.
func (a *pageActor) Do(ctx context.Context, act view.Act, plan *view.Plan, by string, tell func(string)) (
	o *view.Outcome, err error) {
	err = a.alone(ctx, act, func(s *Served, opts push.Options) error {
		opts.By = by + " by " + control.ThisProcess()
		if act.Kind == giveBack {
			o, err = s.doBack(ctx, act.Cluster, opts.By, plan, tell)
			return err
		}
		planFrom(&opts, plan.Snapshot)
		opts.Sees = func(commands [][]string) error {
			if !slices.EqualFunc(commands, plan.Commands, slices.Equal) {
				return errMovedOn
			}
			return nil
		}
		o, err = outcome(ctx, s.Deps, opts, tell)
		return err
	})
	return o, err
}

var errMovedOn = errors.New("nothing was sent, because the cluster has changed since the preview; look again")

// planFrom lets a push be planned from a stored snapshot; 0 for none.
func planFrom(opts *push.Options, snapshot int64) {
	if snapshot != 0 {
		opts.Snapshot, opts.Known, opts.Cluster = snapshot, opts.Cluster, ""
	}
}

// patience is how long an act waits for other work on the cluster.
const patience = 30 * time.Second

// alone runs an act while no other task of serve works on the cluster.
func (a *pageActor) alone(ctx context.Context, act view.Act, do func(*Served, push.Options) error) error {
	s, err := a.of(ctx, act.Cluster)
	if err != nil {
		return err
	}
	if s == nil || !slices.Contains(s.kinds(), act.Kind) {
		return errors.New("the configuration does not allow this")
	}
	opts := s.PushOptions(a.stop)
	opts.Deadline = cmp.Or(s.Deadline, opts.Deadline) + opts.Await
	if act.Kind != "configured" {
		opts.Policy, opts.Order = "", ""
	}
	switch act.Kind {
	case "first":
		opts.First, opts.Leads = act.Jobs, true
	case "policy":
		opts.Policy = act.Policy
	case "undo", "resume":
		opts.ID, opts.Undo, opts.Resume = act.Push, act.Kind == "undo", act.Kind == "resume"
	case "release":
		opts.Release = true
	}
	try := s.exclusively(func(context.Context, <-chan struct{}) ([]slog.Attr, error) { return nil, do(s, opts) })
	for late := time.After(patience); ; {
		_, err := try(ctx, a.stop)
		if _, busy := errors.AsType[*cadence.SkippedError](err); !busy {
			return err
		}
		select {
		case <-time.After(200 * time.Millisecond):
		case <-late:
			return err
		case <-a.stop:
			return errStopping
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// printed has the fields of push's JSON output that the page needs.
type printed struct {
	Commands [][]string       `json:"commands"`
	Orders   []past.JSONOrder `json:"orders"`
	Refused  string           `json:"refused"`
	Outcome  string           `json:"outcome"`
}

// printedBy runs push and reads all documents that it prints.
func printedBy(ctx context.Context, d *cli.Deps, opts push.Options, warn io.Writer) (list []printed, err error) {
	var out bytes.Buffer
	err = push.Run(ctx, d, opts, nil, &out, warn)
	for docs := json.NewDecoder(&out); ; {
		var doc printed
		if e := docs.Decode(&doc); e == io.EOF {
			return list, err
		} else if e != nil {
			return list, errors.Join(err, e)
		}
		list = append(list, doc)
	}
}

func planOf(ctx context.Context, d *cli.Deps, opts push.Options, to *view.Plan) error {
	list, err := printedBy(ctx, d, opts, io.Discard)
	for _, doc := range list {
		to.Commands, to.Orders = append(to.Commands, doc.Commands...), append(to.Orders, doc.Orders...)
		to.Refused = cmp.Or(to.Refused, doc.Refused)
	}
	return err
}

func outcome(ctx context.Context, d *cli.Deps, opts push.Options, tell func(string)) (*view.Outcome, error) {
	list, err := printedBy(ctx, d, opts, lineFunc(tell))
	o := &view.Outcome{Orders: []past.JSONOrder{}}
	var words []string
	for _, doc := range list {
		o.Orders, words = append(o.Orders, doc.Orders...), append(words, doc.Outcome)
	}
	o.Outcome = strings.Join(words, "; ")
	return o, err
}

// A lineFunc gets each line that is written to it.
type lineFunc func(string)

func (t lineFunc) Write(p []byte) (int, error) {
	for line := range strings.Lines(string(p)) {
		t(strings.TrimPrefix(strings.TrimSpace(line), "qprism: "))
	}
	return len(p), nil
}
