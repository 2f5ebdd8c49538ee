package main

import (
	"cmp"
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
	"qprism/exporter"
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
	way, err := wayOf(opts.through)
	if err != nil {
		return nil, err
	}
	p := &pushPlan{at: at, system: way, unusable: way.Usable(s.Snapshot)}
	switch way := way.(type) {
	case pbs.Resource:
		err = q.resource(p, numbers, way)
	case pbs.Swaps:
		q.swaps(p, numbers)
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
	case through == "qorder":
		return pbs.Swaps{}, nil
	case through == "qrun":
		return pbs.Starts{}, nil
	}
	return nil, errors.New("say what steers PBS: --through resource=NAME, qorder or qrun")
}

// usablePBS is an error where a server cannot be steered in a way.
func usablePBS(s *model.Snapshot, through string) error {
	way, err := wayOf(through)
	if err != nil {
		return err
	}
	return way.Usable(s)
}

// A pbsQueue is the queue of a PBS server at a moment.
type pbsQueue struct {
	*subject
	at  time.Time
	ids map[uint32]string // of jobs and arrays, by sequence number
}

// resource plans levels of a resource.
func (q pbsQueue) resource(p *pushPlan, wanted []uint32, way pbs.Resource) error {
	p.drifts = "Queues of one Priority take turns (round_robin in sched_config)"
	scale := levels.Whole
	if t, ok := q.PBS.Scheduler().FormulaThreshold(); ok {
		scale.Min = max(scale.Min, int(t)+1) // at the threshold and below jobs do not start
	}
	var err error
	native := q.native(way.Name)
	possible, stages := inStages(wanted, native(nil))
	if p.steering, err = levels.Steer(possible, scale, native); err != nil {
		return err
	}
	if stages > 1 {
		p.said = []string{fmt.Sprintf("Preempt levels and queues (by_queue or round_robin in sched_config) come before the formula: the jobs are in %d groups, one after the other, and in the wanted order in each.", stages)}
	}
	p.waiting, p.passed = len(p.steering.Wanted), passedOver(wanted, p.steering.Wanted)
	if len(p.passed) > 0 && len(p.passed) == len(wanted) {
		return noneWaits(p.passed)
	}
	p.orders = way.Orders(p.changes(func(job uint32) string { return q.ids[job] }))
	return nil
}

// native are the waiting jobs as a cycle takes them that sorts by a resource, after changes of it.
func (q pbsQueue) native(name string) levels.Native {
	own := *whatif.WithFormula(q.Snapshot, name)
	own.Resources = slices.Clone(own.Resources)
	if !slices.ContainsFunc(own.Resources, func(r model.Resource) bool { return r.Name == name }) {
		own.Resources = append(own.Resources, model.Resource{Name: name, Type: model.TypePBSLong})
	}
	order := orderOfCycle(leveled(&own, name, nil, true), q.at)
	even := map[uint32]int64{} // places where all levels are equal: they decide between jobs of one level
	for i, job := range order {
		even[job] = int64(i)
	}
	base := stages(order, orderOfCycle(leveled(&own, name, reversed(order), true), q.at))
	now := map[uint32]int{}
	for i := range own.Jobs {
		now[own.Jobs[i].Number] = levelOf(&own.Jobs[i], name)
	}
	return func(changes []levels.Change) (list []levels.Waiting) {
		for _, job := range orderOfCycle(leveled(&own, name, changes, false), q.at) {
			list = append(list, levels.Waiting{Job: job, P: now[job], Base: base[job], Submitted: even[job]})
		}
		return list
	}
}

// reversed are levels that turn an order around.
func reversed(order []uint32) []levels.Change {
	list := make([]levels.Change, len(order))
	for i, job := range order {
		list[i] = levels.Change{Job: job, To: i}
	}
	return list
}

// stages are what jobs have besides their levels: a cycle takes some before others whatever their formula says, by preempt level, by_queue. Jobs
// that levels bring past each other are of one stage. The orders are those with equal levels, and with the reverse ones.
func stages(even, reverse []uint32) map[uint32]float64 {
	base := make(map[uint32]float64, len(even))
	open := map[uint32]bool{} // jobs that one order has had so far, and the other not
	stage := 0.0
	for i := range even {
		for _, job := range []uint32{even[i], reverse[i]} {
			if open[job] {
				delete(open, job)
			} else {
				open[job] = true
			}
		}
		base[even[i]] = stage
		if len(open) == 0 {
			stage -= 1 << 26 // more than all levels
		}
	}
	return base
}

// inStages is a wanted order of all jobs that levels can bring about: stage by stage, in each first those that are wanted somewhere. It says how
// many stages of more than one order there are, with those between them.
func inStages(wanted []uint32, now []levels.Waiting) (order []uint32, stages int) {
	place := make(map[uint32]int, len(wanted))
	for i, job := range wanted {
		if _, twice := place[job]; !twice {
			place[job] = i - len(wanted)
		}
	}
	jobs := slices.Clone(now)
	slices.SortStableFunc(jobs, func(a, b levels.Waiting) int {
		return cmp.Or(cmp.Compare(b.Base, a.Base), cmp.Compare(place[a.Job], place[b.Job]))
	})
	waits := map[uint32]bool{}
	for i, j := range jobs {
		order = append(order, j.Job)
		waits[j.Job] = true
		if i == 0 || j.Base != jobs[i-1].Base {
			stages++
		}
	}
	for _, job := range wanted { // the others do not wait, which is told
		if !waits[job] {
			order = append(order, job)
		}
	}
	return order, stages
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
func (q pbsQueue) swaps(p *pushPlan, wanted []uint32) {
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
	p.waiting = len(places)
	p.orders = pbs.Swaps{}.Orders(order, places)
	p.wanted = pbs.Swaps{}.After(places, p.orders)
	p.passed = missing(wanted, q.ids, func(id string) bool {
		return slices.ContainsFunc(places, func(w pbs.Place) bool { return w.Job == id })
	})
	p.idle = "the named jobs are in that order in their queues already"
	p.said = []string{fmt.Sprintf("%s put the named jobs of each queue into that order, in the places that they have together; no fewer do.", plural(len(p.orders), "exchange")),
		"A place decides only where preemption, formula, fairshare and sort keys do not."}
	if formula := q.PBS.Formula; formula != "" {
		p.said = append(p.said, fmt.Sprintf("Here job_sort_formula (%s) decides before it.", formula))
	}
}

// starts plans starts one after the other; an array starts by its subjobs.
func (q pbsQueue) starts(p *pushPlan, wanted []uint32) {
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
	p.waiting, p.orders = len(order), pbs.Starts{}.Orders(order)
	p.passed = missing(wanted, q.ids, func(id string) bool { return slices.Contains(order, id) || strings.Contains(id, "[]") })
	p.idle = "none of the named jobs waits to be started"
	p.said = []string{fmt.Sprintf("%s would start, one after the other, each where the scheduler finds room, until one finds none.", plural(len(order), "job")),
		"What has started is not taken back."}
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
