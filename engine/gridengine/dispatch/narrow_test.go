package dispatch

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"qprism/engine/model"
)

// spread gives slots to hosts in an order, as sge_pe(5) says of each allocation rule; nil where they do not suffice.
func spread(rule string, free map[string]int, order []string, n int) (slots []model.Grant) {
	got := map[string]int{}
	give := func(host string, k int) {
		k = min(k, free[host]-got[host], n)
		got[host], n = got[host]+k, n-k
	}
	each, fixed := strconv.Atoi(rule)
	for round := 0; n > 0 && round < 50; round++ {
		for _, host := range order {
			switch {
			case rule == "$fill_up":
				give(host, free[host])
			case rule == "$round_robin":
				give(host, 1)
			case fixed == nil && got[host] == 0 && free[host] >= each:
				give(host, each)
			}
		}
	}
	if n > 0 {
		return nil
	}
	for _, host := range order {
		if got[host] > 0 {
			slots = append(slots, model.Grant{Instance: "q@" + host, Slots: got[host]})
		}
	}
	return slots
}

// TestNoOrderOfHostsChangesANarrowedStart: slots are granted to some hosts; among these, with those that are to fill first before the
// others, every order of hosts grants the same.
func TestNoOrderOfHostsChangesANarrowedStart(t *testing.T) {
	asked := 0
	rapid.Check(t, func(t *rapid.T) {
		rule := rapid.SampledFrom([]string{"$fill_up", "$round_robin", "1", "2", "3"}).Draw(t, "rule")
		free := map[string]int{}
		var hosts []string
		for i := range rapid.IntRange(1, 5).Draw(t, "hosts") {
			hosts = append(hosts, fmt.Sprint("h", i))
			free[hosts[i]] = rapid.IntRange(0, 5).Draw(t, "free")
		}
		n := rapid.IntRange(1, 12).Draw(t, "slots")
		if k, err := strconv.Atoi(rule); err == nil {
			n = n / k * k
		}
		granted := spread(rule, free, rapid.Permutation(hosts).Draw(t, "order"), n)
		if len(granted) < 2 {
			return
		}
		before := first(rule, granted)
		var names []string
		for _, g := range granted {
			names = append(names, strings.TrimPrefix(g.Instance, "q@"))
		}
		for range 20 {
			order := rapid.Permutation(names).Draw(t, "another order")
			slices.SortStableFunc(order, func(a, b string) int { return place(before, a) - place(before, b) })
			if got := spread(rule, free, order, n); !sameSlots(got, granted) {
				t.Fatalf("%s, %d slots of %v: granted %v, %v first; in the order %v %v", rule, n, free, granted, before, order, got)
			}
		}
		if before != nil {
			asked++
		}
	})
	if asked == 0 {
		t.Error("no start asked for an order")
	}
}

// place is 0 for hosts that are to fill first, else 1.
func place(first []string, host string) int {
	if slices.Contains(first, host) {
		return 0
	}
	return 1
}

func TestHoldsAreLiftedAndLaidTaskByTask(t *testing.T) {
	row := func(state string, ids ...model.Range) model.Task { return model.Task{State: state, IDs: ids} }
	s := &model.Snapshot{Jobs: []model.Job{
		{Number: 1, Tasks: []model.Task{row("hqw")}},
		{Number: 2, Array: true, Tasks: []model.Task{row("hqw", model.Range{Min: 1, Max: 9, Step: 2}),
			row("qw", model.Range{Min: 2, Max: 4, Step: 2})}},
	}}
	text := func(s *model.Snapshot) (text string) {
		for _, j := range s.Jobs {
			for _, t := range j.Tasks {
				text += fmt.Sprintf("%d.%s %s; ", j.Number, model.TasksOf(t.IDs), t.State)
			}
		}
		return text
	}
	before := text(s)
	if got, want := text(Lift(s, map[uint32]model.TaskSet{1: {1: true}, 2: {3: true, 5: true, 4: true}})),
		"1.1 qw; 2.3,5 qw; 2.1,7,9 hqw; 2.2,4 qw; "; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	owned := map[uint32]model.TaskSet{1: {1: true}, 2: {1: true, 2: true, 3: true}}
	start := []Start{{Job: 2, Tasks: model.TaskSet{3: true}, Hosts: []string{"a", "b"}, Queues: []string{"q"}, First: []string{"a"}}}
	narrowed := narrowed(s, owned, start)
	if got, want := text(narrowed), "1.1 hqw; 2.3 qw; 2.1,5,7,9 hqw; 2.2 hqw; 2.4 qw; "; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if j := narrowed.Jobs[1]; j.Hard[0].Value != "a|b" || j.Hard[1].Value != "q" || j.Soft[0].Value != "a" {
		t.Errorf("it asks for %v, softly for %v", j.Hard, j.Soft)
	}
	if text(s) != before || s.Jobs[1].Hard != nil {
		t.Error("the snapshot was changed")
	}
}

func TestAPlaceWhoseNameIsAnExpressionIsLeftAlone(t *testing.T) {
	for instance, plain := range map[string]bool{"all.q@node-01.example": true, "-rf@node01": true, "~x@node01": true, "*@node01": false,
		"a?c@node01": false,
		"all.q@[x]":  false, "!x@node01": false, "a|b@node01": false, "a&b@node01": false, "(x)@node01": false, "a,b@node01": false,
		"a=b@node01": false, "é@node01": false} {
		c := &cluster{Input: Input{Snapshot: &model.Snapshot{}}, jobs: map[uint32]*model.Job{}}
		why := c.narrow(&Start{Job: 1, Slots: []model.Grant{{Instance: instance, Slots: 1}}})
		if (why == "") != plain {
			t.Errorf("%s: %q", instance, why)
		}
	}
}

func TestTheFirstStartsComeFirstWhereNotAllMay(t *testing.T) {
	r := Result{Starts: []Start{{Job: 3, Tasks: model.TaskSet{1: true}}, {Job: 1, Tasks: model.TaskSet{1: true, 2: true}},
		{Job: 2, Tasks: model.TaskSet{1: true}}}}
	r.limit(1)
	if len(r.Starts) != 1 || r.Starts[0].Job != 3 || len(r.Left) != 2 || r.Left[0].Job != 1 || r.Left[0].Tasks != 2 {
		t.Errorf("%+v", r)
	}
	if r.limit(0); len(r.Starts) != 1 {
		t.Errorf("without a bound: %+v", r.Starts)
	}
}
