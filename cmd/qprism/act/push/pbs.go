package push

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/model"
	"qprism/engine/pbs/steer"
	"qprism/exporter"
	"qprism/exporter/pbs"
)

func planPBS(ctx context.Context, s *subject.Subject, opts Options, at time.Time, warn io.Writer) (*Plan, error) {
	numbers, err := Wanted(ctx, s, opts, at, warn)
	if err != nil {
		return nil, err
	}
	numbers, never, err := worthAPlace(s, opts, numbers)
	if err != nil {
		return nil, err
	}
	q := pbsQueue{Subject: s, at: at, ids: map[uint32]string{}}
	for i := range s.Jobs {
		if j := &s.Jobs[i]; j.PBS.Array == "" {
			q.ids[j.Number] = j.PBS.ID
		}
	}
	way, err := wayOf(opts.Through)
	if err != nil {
		return nil, err
	}
	p := &Plan{at: at, never: never, system: way, unusable: way.Usable(s.Snapshot)}
	switch way := way.(type) {
	case pbs.Resource:
		err = q.resource(p, numbers, way)
	case pbs.Priority:
		err = q.priority(p, numbers, way)
	case pbs.Swaps:
		q.swaps(p, numbers, len(opts.First) > 0)
	case pbs.Starts:
		q.starts(p, numbers)
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

// A wayOfPBS is one of several ways to steer PBS.
type wayOfPBS interface {
	exporter.System
	Usable(*model.Snapshot) error // why a server cannot be steered in this way
}

// wayOf is the way that --through names.
func wayOf(through string) (wayOfPBS, error) {
	way, name, _ := strings.Cut(through, "=")
	switch {
	case way == "resource" && name != "":
		return pbs.Resource{Name: name}, nil
	case through == "priority":
		return pbs.Priority{}, nil
	case through == "qorder":
		return pbs.Swaps{}, nil
	case through == "qrun":
		return pbs.Starts{}, nil
	}
	return nil, errors.New("name the way to order jobs on PBS: --through resource=NAME, priority, qorder or qrun")
}

// UsablePBS returns an error if this way of --through cannot steer the server.
func UsablePBS(s *model.Snapshot, through string) error {
	way, err := wayOf(through)
	if err != nil {
		return err
	}
	return way.Usable(s)
}

// pbsQueue is the queue of a PBS server at a moment.
type pbsQueue struct {
	*subject.Subject
	at  time.Time
	ids map[uint32]string // of jobs and arrays, by sequence number
}

func (q pbsQueue) resource(p *Plan, wanted []uint32, way pbs.Resource) error {
	if err := q.priorities(p, wanted, steer.NewCycle(q.Snapshot, q.at, way.Name)); err != nil {
		return err
	}
	p.orders = way.Orders(p.changes(func(job uint32) string { return q.ids[job] }), q.Snapshot)
	return nil
}

// priority plans priorities of -p; none if the formula does not read them.
func (q pbsQueue) priority(p *Plan, wanted []uint32, way pbs.Priority) error {
	if p.unusable != nil {
		p.idle = p.unusable.Error()
		return nil
	}
	c, err := steer.NewPriorities(q.Snapshot, q.at)
	if err == nil {
		err = q.priorities(p, wanted, c)
	}
	if err != nil {
		return err
	}
	if formula := strings.TrimSpace(q.PBS.Formula); formula != "job_priority" {
		p.said = append(p.said, fmt.Sprintf(
			"The order also depends on the other terms of job_sort_formula (%s): if their values change, the order changes.",
			formula))
	}
	p.orders = way.Orders(p.changes(func(job uint32) string { return q.ids[job] }))
	return nil
}

// priorities finds priorities for a wanted order.
func (q pbsQueue) priorities(p *Plan, wanted []uint32, c *steer.Cycle) error {
	p.drifts = "Queues of the same Priority take turns (round_robin in sched_config)"
	steering, groups, err := c.Steer(wanted)
	if err != nil {
		return err
	}
	p.steering = steering
	if groups > 1 {
		p.said = []string{fmt.Sprintf("Preempt priorities and queues (by_queue or round_robin in "+
			"sched_config) come before the formula. The jobs form %d groups, one after the other; each "+
			"group is in the wanted order.", groups)}
	}
	p.Waiting, p.passed = len(p.steering.Wanted), passedOver(wanted, p.steering.Wanted)
	if len(p.passed) > 0 && len(p.passed) == len(wanted) {
		return noneWaits(p.passed)
	}
	return nil
}

// swaps plans exchanges of places. They sort the named jobs within the places that these have. With first they
// bring the named jobs to the front of their queues.
func (q pbsQueue) swaps(p *Plan, wanted []uint32, first bool) {
	places := pbs.PlacesOf(q.Snapshot)
	var named []string
	for _, job := range wanted {
		if id := q.ids[job]; id != "" {
			named = append(named, id)
		}
	}
	order := named
	if first {
		order = slices.Concat(named, pbs.Swaps{}.After(places, nil)) // a job has the place where it is named first
	}
	p.Waiting = len(places)
	p.orders = pbs.Swaps{}.Orders(order, places)
	p.wanted = pbs.Swaps{}.After(places, p.orders)
	p.passed = missing(wanted, q.ids, func(id string) bool {
		return slices.ContainsFunc(places, func(w pbs.Place) bool { return w.Job == id })
	})
	p.idle = "the named jobs are already in this order in their queues"
	does := "the jobs get the wanted order in each queue"
	if first {
		does, p.idle = "the named jobs move to the front of their queues, and the other jobs keep their order",
			"the named jobs are already the first of their queues"
	}
	p.said = []string{fmt.Sprintf("With %s, %s. Fewer calls are not possible.", show.Plural(len(p.orders), "qorder call"), does),
		"The place in the queue decides only between jobs with equal preempt priority, formula value, " +
			"fairshare and sort keys."}
	p.said = append(p.said, q.nextCycle(named, places, p.orders))
	if formula := q.PBS.Formula; formula != "" {
		p.said = append(p.said, fmt.Sprintf("Here job_sort_formula (%s) decides first.", formula))
	}
}

// nextCycle says in which order the next cycle takes the named jobs after the exchanges.
func (q pbsQueue) nextCycle(named []string, places []pbs.Place, orders []model.Order) string {
	order := steer.AfterExchanges(q.Snapshot, q.at, pbs.Swaps{}.Ranks(places, orders))
	var taken []string
	for _, id := range order {
		if slices.Contains(named, id) {
			taken = append(taken, id)
		}
	}
	asked := slices.DeleteFunc(slices.Clone(named), func(id string) bool { return !slices.Contains(taken, id) })
	switch {
	case len(taken) == 0:
		return "The next cycle starts none of these jobs."
	case !slices.Equal(taken, asked):
		return fmt.Sprintf("But the next cycle does not use the wanted order. The cycle tries the jobs in the order %s.",
			show.Printable(strings.Join(taken, ", ")))
	case slices.Equal(order[:len(taken)], taken):
		return "The next cycle tries these jobs in this order, before all others."
	}
	return fmt.Sprintf("The next cycle tries these jobs in this order, but tries %s before the last of these jobs.",
		show.Plural(slices.Index(order, taken[len(taken)-1])+1-len(taken), "other job"))
}

func (q pbsQueue) starts(p *Plan, wanted []uint32) {
	queued := pbs.Startable(q.Snapshot)
	var order []string
	for _, job := range wanted {
		order = append(order, queued[job]...)
	}
	p.Waiting, p.orders = len(order), pbs.Starts{}.Orders(order)
	p.passed = missing(wanted, q.ids, func(id string) bool {
		return slices.Contains(order, id) || strings.Contains(id, "[]")
	})
	p.idle = "none of the named jobs waits to be started"
	p.said = []string{fmt.Sprintf("%s would start, one after the other. The scheduler chooses the "+
		"vnodes. The push stops at the first job for which no vnode is free.",
		show.Plural(len(order), "job")),
		"A start cannot be taken back."}
}

func missing(wanted []uint32, ids map[uint32]string, there func(id string) bool) []uint32 {
	return slices.DeleteFunc(slices.Clone(wanted), func(job uint32) bool { return there(ids[job]) })
}
