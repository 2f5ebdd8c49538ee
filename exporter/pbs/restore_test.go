package pbs_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"qprism/engine/model"
	"qprism/exporter"
	"qprism/exporter/pbs"
)

// A queueServer stands in for a PBS server that knows qorder and qalter -l: jobs with their queues, ranks,
// priorities and owners.
type queueServer struct {
	jobs  map[string]*queued
	user  string // who runs commands; root if empty
	float bool   // whether resource x is of type float
}

type queued struct {
	queue, owner string
	rank         int64
	priority     string
}

func newQueueServer(jobs int) *queueServer {
	s := &queueServer{jobs: map[string]*queued{}}
	for i := range jobs {
		s.jobs[fmt.Sprintf("%d.s", i+1)] = &queued{queue: []string{"a", "b"}[i%2], owner: "ann",
			rank: int64(10 * (i + 1)), priority: "0"}
	}
	return s
}

func (s *queueServer) Run(_ context.Context, commands [][]string) (results []exporter.Result, err error) {
	for _, argv := range commands {
		var r exporter.Result
		switch argv[0] {
		case "id":
			r.Out = cmp.Or(s.user, "root") + "\n"
		case "qmgr":
			switch {
			case argv[2] == "list resource x" && s.float:
				r.Out = "Resource x\n    type = float\n    flag = i\n"
			case argv[2] == "list server operators":
				r.Out = "Server s\n    operators = olaf@*\n\n"
			default:
				r.Out = "Server s\n\n"
			}
		case "qstat":
			r.Out = s.listing()
		case "qorder":
			a, b := s.jobs[argv[1]], s.jobs[argv[2]]
			a.rank, b.rank, a.queue, b.queue = b.rank, a.rank, b.queue, a.queue
		case "qalter":
			for _, job := range argv[3:] {
				if s.jobs[job].priority = strings.TrimPrefix(argv[2], "x="); s.jobs[job].priority == "" && !s.float {
					s.jobs[job].priority = "0"
				}
			}
		}
		results = append(results, r)
	}
	return results, nil
}

func (s *queueServer) listing() string {
	jobs := map[string]any{}
	for id, j := range s.jobs {
		asks := map[string]string{"ncpus": "1"}
		if j.priority != "" {
			asks["x"] = j.priority
		}
		jobs[id] = map[string]any{"Job_Owner": j.owner + "@h", "ctime": "Sun Nov 22 21:00:00 2026",
			"job_state": "Q", "queue": j.queue,
			"queue_rank": j.rank, "Resource_List": asks}
	}
	text, _ := json.Marshal(map[string]any{"Jobs": jobs})
	return string(text)
}

// places are the jobs' places, by queue and rank.
func (s *queueServer) places() (list []pbs.Place) {
	for id, j := range s.jobs {
		list = append(list, pbs.Place{Job: id, Queue: j.queue, Rank: j.rank})
	}
	slices.SortFunc(list, func(a, b pbs.Place) int { return int(a.Rank - b.Rank) })
	return list
}

// orders are the jobs of each queue, in their order.
func (s *queueServer) orders() map[string][]string {
	list := map[string][]string{}
	for _, p := range s.places() {
		list[p.Queue] = append(list[p.Queue], p.Job)
	}
	return list
}

func (s *queueServer) pusher(j *journal) *exporter.Pusher {
	return &exporter.Pusher{Journal: j, System: pbs.Swaps{},
		Controller: exporter.Controller{Runner: s, Locks: j, Holder: "root@here:1", Limits: exporter.Gentle,
			Now: time.Now, Sleep: exporter.Wait}}
}

func fatal(t interface{ Fatal(...any) }, err error) {
	if err != nil {
		t.Fatal(err)
	}
}

// TestAllExchangesAreTakenBackWhateverHasLeft: after several pushes by qorder, and some undone in between,
// one release puts the jobs that still wait into the order that they had to each other. Where all still
// wait, each has its very rank again. A second release sends nothing.
func TestAllExchangesAreTakenBackWhateverHasLeft(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, j := newQueueServer(rapid.IntRange(2, 12).Draw(t, "jobs")), &journal{}
		p := s.pusher(j)
		before, ranks := s.orders(), s.places()
		for range rapid.IntRange(1, 4).Draw(t, "pushes") {
			places := s.places()
			wanted := rapid.Permutation(slices.Sorted(maps.Keys(s.jobs))).Draw(t, "wanted")
			push := &model.Push{Kind: "qorder", Orders: pbs.Swaps{}.Orders(wanted, places)}
			r, err := p.Send(context.Background(), push)
			fatal(t, err)
			if r.Push.ID != 0 && rapid.Bool().Draw(t, "undone") {
				_, err := p.Undo(context.Background(), r.Push.ID)
				fatal(t, err)
			}
			if rapid.Bool().Draw(t, "one leaves") && len(s.jobs) > 1 {
				delete(s.jobs, rapid.SampledFrom(slices.Sorted(maps.Keys(s.jobs))).Draw(t, "left"))
			}
		}
		for round := range 2 {
			var pushes []model.Push
			for _, push := range j.pushes {
				pushes = append(pushes, *push)
			}
			back, err := p.InverseOfAll(context.Background(), pushes)
			fatal(t, err)
			if round == 1 && len(back.Orders) > 0 {
				t.Fatalf("a second release sends %v", back.Orders)
			}
			_, err = p.SendInverse(context.Background(), back)
			fatal(t, err)
		}
		now := s.orders()
		for queue, was := range before {
			was = slices.DeleteFunc(slices.Clone(was), func(job string) bool { return s.jobs[job] == nil })
			if !slices.Equal(now[queue], was) {
				t.Fatalf("queue %s is %v, was %v", queue, now[queue], was)
			}
		}
		if len(s.jobs) == len(ranks) && !slices.Equal(s.places(), ranks) {
			t.Fatalf("the places are %v, were %v", s.places(), ranks)
		}
	})
}

// TestAnExchangeOfSomebodyElseIsLeft: he brought the last job to the front after the push; it stays there,
// and the others go back.
func TestAnExchangeOfSomebodyElseIsLeft(t *testing.T) {
	s, j := newQueueServer(10), &journal{}
	p := s.pusher(j)
	_, err := p.Send(context.Background(),
		&model.Push{Kind: "qorder", Orders: pbs.Swaps{}.Orders([]string{"5.s", "3.s", "1.s"}, s.places())})
	fatal(t, err)
	s.jobs["9.s"].rank = 1
	back, err := p.InverseOfAll(context.Background(), []model.Push{*j.pushes[0]})
	fatal(t, err)
	_, err = p.SendInverse(context.Background(), back)
	fatal(t, err)
	if got := s.orders()["a"]; !slices.Equal(got, []string{"9.s", "1.s", "3.s", "5.s", "7.s"}) || s.jobs["9.s"].rank != 1 {
		t.Errorf("got %v", got)
	}
}

// TestAnExchangeIsNotTakenBackFromAJobThatHasTheNumberNow: nor is its partner moved by it.
func TestAnExchangeIsNotTakenBackFromAJobThatHasTheNumberNow(t *testing.T) {
	s, j := newQueueServer(6), &journal{}
	p := s.pusher(j)
	push := &model.Push{Kind: "qorder", Orders: pbs.Swaps{}.Orders([]string{"5.s", "3.s", "1.s"}, s.places())}
	for i := range push.Orders {
		push.Orders[i].Whose, push.Orders[i].WithWhose = "ann 2026-11-22T21:00:00", "ann 2026-11-22T21:00:00"
	}
	_, err := p.Send(context.Background(), push)
	fatal(t, err)
	s.jobs["1.s"].owner = "ben"
	back, err := p.InverseOfAll(context.Background(), []model.Push{*j.pushes[0]})
	fatal(t, err)
	for _, o := range back.Orders {
		if o.Whose == "" || o.WithWhose == "" {
			t.Errorf("%+v is for whomever", o)
		}
	}
	rank := s.jobs["1.s"].rank
	_, err = p.SendInverse(context.Background(), back)
	fatal(t, err)
	if s.jobs["1.s"].rank != rank {
		t.Errorf("ben's job went from %d to %d by %+v", rank, s.jobs["1.s"].rank, back.Orders)
	}
}

// TestARequestThatWasNotThereIsTakenAway: a job that did not ask for the resource does not request it after
// an undo, where its type lets qalter take a request away; else it asks for 0. Before that 0 is stored, for
// a server that starts anew has what was stored last.
func TestARequestThatWasNotThereIsTakenAway(t *testing.T) {
	for _, float := range []bool{true, false} {
		s, j := newQueueServer(3), &journal{}
		s.float = float
		s.jobs["1.s"].priority, s.jobs["2.s"].priority = "", "5"
		snapshot := &model.Snapshot{Jobs: []model.Job{{Number: 1, PBS: &model.PBSJob{ID: "1.s"}},
			{Number: 2, Hard: []model.Request{{Resource: "x", Amount: 5}}, PBS: &model.PBSJob{ID: "2.s"}}}}
		kind := model.TypePBSLong
		if float {
			kind = model.TypePBSFloat
		}
		snapshot.Resources = []model.Resource{{Name: "x", Type: kind}}
		p := s.pusher(j)
		way := pbs.Resource{Name: "x"}
		p.System = way
		r, err := p.Send(context.Background(), &model.Push{Kind: way.Kind(),
			Orders: way.Orders([]exporter.PriorityChange{{Job: "1.s", To: 9}, {Job: "2.s", From: 5, To: 7}}, snapshot)})
		fatal(t, err)
		if s.jobs["1.s"].priority != "9" || s.jobs["2.s"].priority != "7" || r.Count(model.OrderConfirmed) != 2 {
			t.Fatalf("float %v: pushed to %+v and %+v: %s", float, *s.jobs["1.s"], *s.jobs["2.s"], r.Push.Outcome)
		}
		back, err := p.Inverse(context.Background(), r.Push.ID)
		fatal(t, err)
		var calls []string
		for _, c := range way.Commands(back.Orders) {
			calls = append(calls, strings.Join(c.Args[2:], " "))
		}
		want := map[bool]string{true: "x=5 2.s; x=0 1.s; x= 1.s", false: "x=5 2.s; x=0 1.s"}[float]
		if got := strings.Join(calls, "; "); got != want {
			t.Errorf("float %v: %s, want %s", float, got, want)
		}
		r, err = p.SendInverse(context.Background(), back)
		fatal(t, err)
		if want := map[bool]string{true: "", false: "0"}[float]; s.jobs["1.s"].priority != want {
			t.Errorf("float %v: job 1 asks for %q, want %q: %s", float, s.jobs["1.s"].priority, want, r.Push.Outcome)
		}
		if s.jobs["2.s"].priority != "5" || r.Count(model.OrderConfirmed) != 2 {
			t.Errorf("float %v: job 2 asks for %q: %s", float, s.jobs["2.s"].priority, r.Push.Outcome)
		}
	}
}

// TestOperatorsAreToldThatTheyCannotSeePlaces: the server shows them no queue_rank, which is no sign that
// somebody else changed it.
func TestOperatorsAreToldThatTheyCannotSeePlaces(t *testing.T) {
	s := newQueueServer(2)
	s.user = "olaf"
	missing, err := pbs.Swaps{}.Rights(context.Background(), s, nil)
	fatal(t, err)
	if !strings.Contains(missing, "queue_rank") || !strings.Contains(missing, "set server managers += olaf") {
		t.Errorf("of places: %q", missing)
	}
	missing, err = pbs.Priority{}.Rights(context.Background(), s, nil)
	fatal(t, err)
	if missing != "" {
		t.Errorf("of priorities: %q", missing)
	}
}

// TestPlacesAreNotCalledTheOrder: what a cycle makes of places other terms decide as well.
func TestPlacesAreNotCalledTheOrder(t *testing.T) {
	s, j := newQueueServer(6), &journal{}
	places := s.places()
	push := &model.Push{Kind: "qorder", Orders: pbs.Swaps{}.Orders([]string{"5.s", "3.s", "1.s"}, places)}
	push.Wanted = pbs.Swaps{}.After(places, push.Orders)
	r, err := s.pusher(j).Send(context.Background(), push)
	fatal(t, err)
	if !r.Agrees || strings.Contains(r.Push.Outcome, "the master's order is") ||
		!strings.Contains(r.Push.Outcome, "the places in the queues") {
		t.Errorf("agrees %v: %s", r.Agrees, r.Push.Outcome)
	}
}
