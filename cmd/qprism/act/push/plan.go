package push

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"qprism/cmd/qprism/subject"
	"qprism/engine/assign"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/gridengine/steer"
	"qprism/engine/model"
	"qprism/exporter"
	"qprism/exporter/gridengine"
)

// A Plan is what a push would send.
type Plan struct {
	at       time.Time
	system   exporter.System
	orders   []model.Order
	wanted   []string // the wanted order of job ids, to compare with the master's order
	never    []uint32 // wanted jobs that can never run
	passed   []uint32 // wanted jobs that no run ranks
	Waiting  int
	steering *assign.Steering // nil if the push sets no priorities
	drifts   string           // other changes that the priorities cause
	said     []string         // other needs and effects of the push
	idle     string           // why there is nothing to send, if the push sets no priorities
	unusable error            // why qprism must not send it, in addition to exporter.Unsafe

	margin   float64 // distance that the priorities should keep
	leads    bool    // only the named jobs keep the margin, before all others
	worth    float64 // the most that urgency and tickets add to prio
	expected map[string]gridengine.Ranked
	weights  gridengine.Weights
}

// Unsafe returns an error if qprism must not send the push, even with a new snapshot.
func (p *Plan) Unsafe(s *subject.Subject) error {
	if p.unusable != nil {
		return &exporter.RefusalError{Why: p.unusable.Error()}
	}
	return exporter.Unsafe(s.Snapshot, "p")
}

// refusal is why --apply would send nothing now. The age is by the clock of this machine, as the cluster is not
// asked.
func (p *Plan) refusal(s *subject.Subject, opts Options) error {
	if err := p.Unsafe(s); err != nil {
		return err
	}
	return exporter.Age(s.Snapshot, opts.Now())
}

func NewPlan(ctx context.Context, s *subject.Subject, opts Options, warn io.Writer) (*Plan, error) {
	if err := s.Batch.Guesses(); err != nil {
		return nil, err
	}
	at, err := s.Moment()
	if err != nil {
		return nil, err
	}
	return subject.Choose(s.Snapshot, planGridEngine, planPBS)(ctx, s, opts, at.At, warn)
}

func planGridEngine(ctx context.Context, s *subject.Subject, opts Options, at time.Time,
	warn io.Writer) (*Plan, error) {
	if opts.Through != "" && opts.Through != "priority" {
		return nil, fmt.Errorf("--through %s is for PBS; on Grid Engine, qprism uses only -p", opts.Through)
	}
	scale, err := scaleOf(s.Policy.WeightPriority, opts.Priorities, opts.Margin)
	if err != nil {
		return nil, err
	}
	worth := s.Policy.WeightUrgency + s.Policy.WeightTicket
	if scale.Lead = len(opts.First) > 0; opts.Leads {
		scale.Margin = worth
	}
	run := SchedulerRun(s, at)
	wanted, err := Wanted(ctx, s, opts, at, warn)
	if err != nil {
		return nil, err
	}
	wanted, never, err := worthAPlace(s, opts, wanted)
	if err != nil {
		return nil, err
	}
	p := &Plan{at: at, system: gridengine.Priorities{}, margin: scale.Margin, leads: scale.Lead,
		worth: worth, never: never,
		drifts: "Changing jobs moves tickets between them; a second push corrects this"}
	if p.steering, err = run.Steer(wanted, scale); err != nil {
		return nil, err
	}
	p.expected, p.weights = expected(run, p.steering.Changes)
	p.Waiting = len(p.steering.Wanted)
	if p.passed = passedOver(wanted, p.steering.Wanted); len(p.passed) > 0 && len(p.passed) == len(wanted) {
		return nil, noneWaits(p.passed)
	}
	p.orders = gridengine.Priorities{}.Orders(p.changes(JobID))
	for _, job := range p.steering.Order {
		p.wanted = append(p.wanted, JobID(job))
	}
	return p, nil
}

func scaleOf(weight float64, text string, margin float64) (s assign.Scale, err error) {
	s.Weight, s.Margin = weight, margin
	low, high, _ := strings.Cut(text, "..")
	var bad error
	s.Min, err = strconv.Atoi(low)
	s.Max, bad = strconv.Atoi(high)
	if err != nil || bad != nil || s.Min < gridengine.MinP || s.Max > gridengine.MaxP || s.Min > s.Max {
		return s, fmt.Errorf("--priorities %q: give a range within %d..%d, such as -500..0",
			text, gridengine.MinP, gridengine.MaxP)
	}
	if margin < 0 {
		return s, fmt.Errorf("--margin %v: give the least distance of prio from one job to the next, such as 0.005", margin)
	}
	return s, nil
}

// expected returns the terms that rank each job in the run after the changes, and the weights of that run.
func expected(run steer.Run, changes []assign.Change) (map[string]gridengine.Ranked, gridengine.Weights) {
	list, weights := run.Ranked(changes)
	jobs := make(map[string]gridengine.Ranked, len(list))
	for _, j := range list {
		jobs[JobID(j.Job)] = gridengine.Ranked{P: j.P, Terms: exporter.Terms{Urgency: j.Urgency, Tickets: j.Tickets}}
	}
	return jobs, gridengine.Weights(weights)
}

func SchedulerRun(s *subject.Subject, at time.Time) steer.Run {
	return steer.NewRun(s.Snapshot, at, s.Look.Quirks, sequence(s))
}

// sequence returns the place of each job in the scheduler's list, by its last run. It is nil if no run is
// known.
func sequence(s *subject.Subject) map[uint32]int {
	if view, _ := lastrun.Look(s.Snapshot, lastrun.Options{Quirks: s.Look.Quirks}); view != nil {
		return view.Ordered().Sequence()
	}
	return nil
}

// JobID prints a job number of Grid Engine.
func JobID(job uint32) string { return strconv.FormatUint(uint64(job), 10) }

// changes are the new priorities, each with the neighbors of the job as its reason.
func (p *Plan) changes(id func(job uint32) string) []exporter.PriorityChange {
	order := p.steering.Order
	place := make(map[uint32]int, len(order))
	for i, job := range order {
		place[job] = i
	}
	list := make([]exporter.PriorityChange, len(p.steering.Changes))
	for i, c := range p.steering.Changes {
		list[i] = exporter.PriorityChange{Job: id(c.Job), From: c.From, To: c.To, Why: between(order, place[c.Job])}
	}
	return list
}

// between names the neighbors of a job in an order.
func between(order []uint32, i int) string {
	switch {
	case len(order) == 1:
		return "alone"
	case i == 0:
		return fmt.Sprintf("first, before %d", order[1])
	case i == len(order)-1:
		return fmt.Sprintf("last, after %d", order[i-1])
	}
	return fmt.Sprintf("after %d, before %d", order[i-1], order[i+1])
}
