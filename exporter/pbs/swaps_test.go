package pbs_test

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"qprism/engine/model"
	"qprism/exporter/pbs"
)

// naive is the least number of exchanges that sort a list, by trying all of one, of two, of three …
func naive(now, wanted []string) int {
	seen := map[string]bool{}
	level := [][]string{now}
	for n := 0; ; n++ {
		var next [][]string
		for _, list := range level {
			if slices.Equal(list, wanted) {
				return n
			}
			for i := range list {
				for k := range i {
					other := slices.Clone(list)
					other[i], other[k] = other[k], other[i]
					if key := join(other); !seen[key] {
						seen[key] = true
						next = append(next, other)
					}
				}
			}
		}
		level = next
	}
}

func join(list []string) (key string) {
	for _, s := range list {
		key += s + " "
	}
	return key
}

// TestTheWholeOrderAfterExchangesIsKnown: jobs that nobody named stay where they are, and those of other queues in between.
func TestTheWholeOrderAfterExchangesIsKnown(t *testing.T) {
	places := []pbs.Place{{Job: "1.s", Queue: "a", Rank: 10}, {Job: "2.s", Queue: "b", Rank: 20}, {Job: "3[].s", Queue: "a", Rank: 30},
		{Job: "4.s", Queue: "a", Rank: 40}, {Job: "5.s", Queue: "b", Rank: 50}}
	orders := pbs.Swaps{}.Orders([]string{"4.s", "5.s", "1.s", "2.s"}, places)
	if got, want := (pbs.Swaps{}).After(places, orders), []string{"4.s", "5.s", "3[].s", "1.s", "2.s"}; !slices.Equal(got, want) ||
		len(orders) != 2 {
		t.Errorf("got %v by %v", got, orders)
	}
}

func TestNoFewerExchangesSortAQueue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "n")
		var now []string
		var places []pbs.Place
		for i := range n {
			now = append(now, strconv.Itoa(i))
			places = append(places, pbs.Place{Job: now[i], Queue: "q", Rank: int64(100 * i)})
		}
		wanted := rapid.Permutation(now).Draw(t, "wanted")
		orders := pbs.Swaps{}.Orders(wanted, places)
		if least := naive(now, wanted); len(orders) != least {
			t.Fatalf("%d exchanges, want %d", len(orders), least)
		}
		rank := map[string]int64{}
		for _, p := range places {
			rank[p.Job] = p.Rank
		}
		for _, o := range orders {
			if from := strconv.FormatInt(rank[o.Job], 10); from != o.From {
				t.Fatalf("job %s comes from %s, the order says %s", o.Job, from, o.From)
			}
			rank[o.Job], rank[o.With] = rank[o.With], rank[o.Job]
			if to := strconv.FormatInt(rank[o.Job], 10); to != o.To {
				t.Fatalf("job %s comes to %s, the order says %s", o.Job, to, o.To)
			}
		}
		got := slices.SortedFunc(maps.Keys(rank), func(a, b string) int { return int(rank[a] - rank[b]) })
		if !slices.Equal(got, wanted) {
			t.Fatalf("got %v, wanted %v", got, wanted)
		}
	})
}

func TestJobsOfOtherQueuesStayWhereTheyAre(t *testing.T) {
	places := []pbs.Place{{"1", "a", 1}, {"2", "b", 2}, {"3", "a", 3}, {"4", "b", 4}, {"5", "a", 5}}
	for _, o := range (pbs.Swaps{}).Orders([]string{"5", "4", "9", "3", "2", "1"}, places) {
		queue := map[string]string{"1": "a", "2": "b", "3": "a", "4": "b", "5": "a"}
		if queue[o.Job] != queue[o.With] {
			t.Errorf("jobs %s and %s are of two queues", o.Job, o.With)
		}
	}
}

// A journal keeps one push and what undoes it.
type journal struct{ pushes []*model.Push }

func (j *journal) BeginPush(_ context.Context, p *model.Push) (int64, error) {
	kept := *p
	kept.ID, kept.Orders = int64(len(j.pushes)+1), slices.Clone(p.Orders)
	j.pushes = append(j.pushes, &kept)
	return kept.ID, nil
}

func (j *journal) RecordOrders(_ context.Context, push int64, orders map[int]model.Order) error {
	for i, o := range orders {
		j.pushes[push-1].Orders[i] = o
	}
	return nil
}

func (j *journal) EndPush(_ context.Context, push int64, at time.Time, outcome string) error {
	j.pushes[push-1].Ended, j.pushes[push-1].Outcome = at, outcome
	return nil
}

func (j *journal) Push(_ context.Context, id int64) (*model.Push, error) {
	p := *j.pushes[id-1]
	p.Orders = slices.Clone(p.Orders)
	return &p, nil
}

func (j *journal) LastPush(ctx context.Context, _ string) (*model.Push, error) {
	if len(j.pushes) == 0 {
		return nil, model.ErrNoPush
	}
	return j.Push(ctx, int64(len(j.pushes)))
}

func (j *journal) OpenDrives(context.Context, string) ([]model.Drive, error) { return nil, nil }

func (j *journal) Lock(context.Context, string, string) (func(), string, error) {
	return func() {}, "", nil
}
