package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"qprism/engine/cycle"
	"qprism/engine/model"
	"qprism/engine/whatif"
	"qprism/exporter/levels"
	"qprism/exporter/pbs"
)

// steeringPBS plans a push to PBS.
func (s *subject) steeringPBS(ctx context.Context, opts pushOptions, at time.Time, warn io.Writer) (*pushPlan, error) {
	numbers, err := s.wanted(ctx, opts, at, warn)
	if err != nil {
		return nil, err
	}
	q := pbsQueue{subject: s, at: at, ids: map[uint32]string{}}
	for i := range s.Jobs {
		if j := &s.Jobs[i]; j.PBS.Array == "" {
			q.ids[j.Number] = j.PBS.ID
		}
	}
	way, name, _ := strings.Cut(opts.through, "=")
	switch {
	case way == "resource" && name != "":
		return q.resource(numbers, name)
	case opts.through == "qorder":
		return q.swaps(numbers), nil
	case opts.through == "qrun":
		return q.starts(numbers), nil
	}
	return nil, errors.New("say what steers PBS: --through resource=NAME, qorder or qrun")
}

// A pbsQueue is the queue of a PBS server at a moment.
type pbsQueue struct {
	*subject
	at  time.Time
	ids map[uint32]string // of jobs and arrays, by sequence number
}

// resource plans levels of a resource.
func (q pbsQueue) resource(wanted []uint32, name string) (*pushPlan, error) {
	way := pbs.Resource{Name: name, IDs: q.ids}
	p := &pushPlan{at: q.at, kind: "qalter -l " + name, system: way, unusable: way.Usable(q.Snapshot)}
	scale := levels.Whole
	if t, ok := q.PBS.Scheduler().FormulaThreshold(); ok {
		scale.Min = max(scale.Min, int(t)+1) // at the threshold and below jobs do not start
	}
	var err error
	if p.steering, err = levels.Steer(wanted, scale, q.native(name)); err != nil {
		return nil, err
	}
	p.waiting, p.passed = len(p.steering.Wanted), passedOver(wanted, p.steering.Wanted)
	p.orders = way.Orders(p.steering.Changes, p.why())
	return p, nil
}

// native are the waiting jobs as a cycle takes them that sorts by a resource, after changes of it.
func (q pbsQueue) native(name string) levels.Native {
	own := *whatif.WithFormula(q.Snapshot, name)
	own.Resources = slices.Clone(own.Resources)
	if !slices.ContainsFunc(own.Resources, func(r model.Resource) bool { return r.Name == name }) {
		own.Resources = append(own.Resources, model.Resource{Name: name, Type: model.TypePBSLong})
	}
	even := map[uint32]int64{} // places where all levels are equal: they decide between jobs of one level
	for i, job := range orderOfCycle(leveled(&own, name, nil, true), q.at) {
		even[job] = int64(i)
	}
	now := map[uint32]int{}
	for i := range own.Jobs {
		now[own.Jobs[i].Number] = levelOf(&own.Jobs[i], name)
	}
	return func(changes []levels.Change) (list []levels.Waiting) {
		for _, job := range orderOfCycle(leveled(&own, name, changes, false), q.at) {
			list = append(list, levels.Waiting{Job: job, P: now[job], Submitted: even[job]})
		}
		return list
	}
}

// orderOfCycle is the order in which a cycle takes jobs; subjobs stand for their array.
func orderOfCycle(s *model.Snapshot, at time.Time) (list []uint32) {
	seen := map[uint32]bool{}
	for _, d := range cycle.Order(s, cycle.Options{At: at}) {
		if !seen[d.Job] {
			seen[d.Job] = true
			list = append(list, d.Job)
		}
	}
	return list
}

// leveled is a snapshot with other levels; with even all jobs lose theirs.
func leveled(s *model.Snapshot, name string, changes []levels.Change, even bool) *model.Snapshot {
	to := map[uint32]int{}
	for _, c := range changes {
		to[c.Job] = c.To
	}
	own := *s
	own.Jobs = slices.Clone(s.Jobs)
	for i := range own.Jobs {
		j := &own.Jobs[i]
		level, changed := to[j.Number]
		if !changed && !even {
			continue
		}
		j.Hard = slices.DeleteFunc(slices.Clone(j.Hard), func(r model.Request) bool { return r.Resource == name })
		j.Hard = append(j.Hard, model.Request{Resource: name, Value: strconv.Itoa(level), Amount: float64(level)})
	}
	return &own
}

// levelOf is the amount of a resource that a job asks for, 0 for none.
func levelOf(j *model.Job, name string) int {
	for _, r := range j.Hard {
		if r.Resource == name {
			return int(r.Amount)
		}
	}
	return 0
}

// swaps plans exchanges of places.
func (q pbsQueue) swaps(wanted []uint32) *pushPlan {
	var places []pbs.Place
	var order []string
	for _, job := range wanted {
		if id := q.ids[job]; id != "" {
			order = append(order, id)
		}
	}
	for i := range q.Jobs {
		if j := q.Jobs[i].PBS; j.Array == "" && strings.Contains("QHW", j.State) {
			places = append(places, pbs.Place{Job: j.ID, Queue: j.Queue, Rank: j.QueueRank})
		}
	}
	p := &pushPlan{at: q.at, kind: "qorder", system: pbs.Swaps{}, waiting: len(places)}
	p.orders = pbs.Swaps{}.Orders(order, places)
	if !slices.ContainsFunc(places, func(w pbs.Place) bool { return w.Queue != places[0].Queue }) {
		p.wanted = order // else queues stay interleaved as they are
	}
	p.passed = missing(wanted, q.ids, func(id string) bool {
		return slices.ContainsFunc(places, func(w pbs.Place) bool { return w.Job == id })
	})
	p.said = []string{fmt.Sprintf("%s put the named jobs of each queue into that order, in the places that they have together; no fewer do.", plural(len(p.orders), "exchange")),
		"A place decides only where preemption, formula, fairshare and sort keys do not."}
	return p
}

// starts plans starts one after the other; an array starts by its subjobs.
func (q pbsQueue) starts(wanted []uint32) *pushPlan {
	queued := map[uint32][]string{}
	for i := range q.Jobs {
		if j := &q.Jobs[i]; j.PBS.State == "Q" && !strings.HasSuffix(strings.SplitN(j.PBS.ID, ".", 2)[0], "[]") {
			queued[j.Number] = append(queued[j.Number], j.PBS.ID)
		}
	}
	var order []string
	for _, job := range wanted {
		order = append(order, queued[job]...)
	}
	p := &pushPlan{at: q.at, kind: "qrun", system: pbs.Starts{}, waiting: len(order), orders: pbs.Starts{}.Orders(order), unusable: pbs.Starts{}.Usable(q.Snapshot)}
	p.passed = missing(wanted, q.ids, func(id string) bool { return slices.Contains(order, id) || strings.Contains(id, "[]") })
	p.said = []string{fmt.Sprintf("%s would start, one after the other, each where the scheduler finds room, until one finds none.", plural(len(order), "job")),
		"What has started is not taken back."}
	return p
}

// missing are wanted jobs that are not there.
func missing(wanted []uint32, ids map[uint32]string, there func(id string) bool) (list []uint32) {
	for _, job := range wanted {
		if !there(ids[job]) {
			list = append(list, job)
		}
	}
	return list
}
