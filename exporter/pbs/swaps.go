package pbs

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"qprism/engine/model"
	"qprism/exporter"
)

// Swaps exchanges the places of two jobs in their queue by qorder. Places decide only between jobs with equal
// preemption, formula, fairshare and sort keys.
type Swaps struct{ way }

// Kind returns the name of this way.
func (Swaps) Kind() string { return "qorder" }

// Usable is always nil: jobs have places in every queue.
func (Swaps) Usable(*model.Snapshot) error { return nil }

// queueRank is the attribute that qorder exchanges.
const queueRank = "queue_rank"

// queueName is the attribute that limits an exchange: both jobs must have the same queue.
const queueName = "queue"

// A Place is a waiting job and its rank in the queue. A job with a lower rank starts sooner.
type Place struct {
	Job, Queue string
	Rank       int64
}

// PlacesOf returns the places of a snapshot's waiting jobs. Subjobs move with their array.
func PlacesOf(s *model.Snapshot) (list []Place) {
	for i := range s.Jobs {
		if j := s.Jobs[i].PBS; j.Array == "" && strings.Contains("QHW", j.State) {
			list = append(list, Place{Job: j.ID, Queue: j.Queue, Rank: j.QueueRank})
		}
	}
	return list
}

// Orders returns the fewest exchanges that give the jobs of each queue the wanted order. The jobs share out the
// ranks that they have now. A cycle of n jobs needs n-1 exchanges. Orders never exchanges jobs of different
// queues, because qorder would move them to the other queue.
func (Swaps) Orders(wanted []string, places []Place) []model.Order {
	place := map[string]Place{}
	for _, p := range places {
		place[p.Job] = p
	}
	queues := map[string][]Place{} // wanted jobs, by queue
	var names []string
	for _, job := range wanted {
		p, waits := place[job]
		if !waits {
			continue
		}
		if queues[p.Queue] == nil {
			names = append(names, p.Queue)
		}
		queues[p.Queue] = append(queues[p.Queue], p)
		delete(place, job)
	}
	var list []model.Order
	for _, name := range names {
		list = append(list, exchanges(queues[name])...)
	}
	return list
}

// exchanges sorts the jobs of one queue, cycle by cycle.
func exchanges(wanted []Place) (list []model.Order) {
	now := byRankOf(wanted)
	target := map[string]int{} // for each job, the index of its wanted place
	for i, p := range wanted {
		target[p.Job] = i
	}
	comes := make([]int, len(now)) // for each index, the index of the job that belongs there
	for i, p := range now {
		comes[target[p.Job]] = i
	}
	done := make([]bool, len(now))
	for i := range now {
		displaced := now[i]
		for at := i; !done[at]; at = comes[at] {
			done[at] = true
			from := comes[at]
			if done[from] { // the displaced job now has its own place
				break
			}
			mover := now[from]
			list = append(list, model.Order{Job: mover.Job, Attribute: queueRank, From: rankText(mover.Rank),
				To:   rankText(now[at].Rank),
				With: displaced.Job,
				Why:  fmt.Sprintf("place %d of %s", at+1, mover.Queue), Call: len(list), State: model.OrderPlanned})
		}
	}
	return list
}

// Restore returns the exchanges that sort the waiting jobs of each queue by their old ranks. The jobs share out
// the ranks that they have now.
func (s Swaps) Restore(before map[string]string, live *exporter.Live) []model.Order {
	var places, wanted []Place
	for _, id := range live.Order {
		values := live.Jobs[id].Values
		now, err := strconv.ParseInt(values[queueRank], 10, 64)
		if err != nil {
			continue
		}
		places = append(places, Place{Job: id, Queue: values[queueName], Rank: now})
		if was, err := strconv.ParseInt(before[id], 10, 64); err == nil {
			now = was
		}
		wanted = append(wanted, Place{Job: id, Rank: now})
	}
	slices.SortStableFunc(wanted, func(a, b Place) int { return cmp.Compare(a.Rank, b.Rank) })
	order := make([]string, len(wanted))
	for i, p := range wanted {
		order[i] = p.Job
	}
	return s.Orders(order, places)
}

// Ranks returns the ranks of jobs after the orders.
func (Swaps) Ranks(places []Place, orders []model.Order) map[string]int64 {
	rank := map[string]int64{}
	for _, p := range places {
		rank[p.Job] = p.Rank
	}
	for _, o := range orders {
		rank[o.Job], rank[o.With] = rank[o.With], rank[o.Job]
	}
	return rank
}

// After returns all jobs, sorted by their rank after the orders.
func (s Swaps) After(places []Place, orders []model.Order) (list []string) {
	rank := s.Ranks(places, orders)
	own := slices.Clone(places)
	for i := range own {
		own[i].Rank = rank[own[i].Job]
	}
	for _, p := range byRankOf(own) {
		list = append(list, p.Job)
	}
	return list
}

func rankText(rank int64) string { return strconv.FormatInt(rank, 10) }

// Commands returns calls of qorder, in the order of the exchanges.
func (Swaps) Commands(orders []model.Order) (list []exporter.Command) {
	for i, o := range orders {
		if o.State == model.OrderPlanned {
			list = append(list, exporter.Command{Args: []string{"qorder", o.With, o.Job}, Orders: []int{i}})
		}
	}
	return list
}

// Chained is true: if one exchange fails, the later ones would move the wrong jobs.
func (Swaps) Chained() bool { return true }

// Rights asks for managers. Operators may also exchange jobs. But only managers see queue_rank, which shows the
// result.
func (Swaps) Rights(ctx context.Context, run exporter.Runner, _ []model.Order) (string, error) {
	return rights(ctx, run, "managers")
}

// Read asks the server for the ranks of jobs.
func (Swaps) Read(ctx context.Context, run exporter.Runner) (*exporter.Live, error) {
	jobs, err := read(ctx, run)
	if err != nil {
		return nil, err
	}
	live := liveOf(jobs, func(j *listed) map[string]string {
		return map[string]string{queueRank: j.rank(), queueName: j.Queue}
	})
	live.Order, live.Places = byRank(jobs), true
	return live, nil
}

// byRankOf sorts places by their rank.
func byRankOf(places []Place) []Place {
	list := slices.Clone(places)
	slices.SortFunc(list, func(a, b Place) int { return cmp.Or(cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.Job, b.Job)) })
	return list
}
