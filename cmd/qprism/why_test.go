package main

import (
	"reflect"
	"strings"
	"testing"

	"qprism/compat"
	"qprism/engine/audit"
	"qprism/engine/explain"
	"qprism/engine/model"
)

// TestClosedQueueInstancesAreNamedInWords leaves full ones to the table of hosts, and joins those closed for the same reason.
func TestClosedQueueInstancesAreNamedInWords(t *testing.T) {
	r := &delay{decision: &model.Decision{Verdict: model.Never}, closed: []model.Reason{
		{Kind: model.ReasonFull, Object: "q@a", Later: true},
		{Kind: model.ReasonLoad, Object: "q@b", Resource: "np_load_avg", Asked: "1.75", Offered: "3", Later: true},
		{Kind: model.ReasonCalendar, Object: "q@c", Asked: "night", Later: true}}}
	for _, place := range []string{"q@d", "q@e", "q@f", "q@g", "q@h"} {
		r.closed = append(r.closed, model.Reason{Kind: model.ReasonQueueState, Object: place, Offered: "d"})
	}
	want := []string{"closed to all jobs: q@b: over the load threshold np_load_avg=1.75, at 3", "closed to all jobs: q@c: closed by calendar night",
		"closed to all jobs: q@d, q@e, q@f, q@g and 1 more: the queue instance is disabled (d)"}
	if got := r.closedWords(); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	for what, d := range map[string]*model.Decision{"starts": {Verdict: model.Now}, "is held": {Why: []model.Reason{{Kind: model.ReasonHold}}}, "is not there": nil} {
		if r.decision = d; r.closedWords() != nil {
			t.Errorf("a job that %s does not care", what)
		}
	}
}

// TestHostsClosedToAllJobsSayWhy has one host over its load threshold, which time mends, and one whose queue does not take the job.
func TestHostsClosedToAllJobsSayWhy(t *testing.T) {
	s := &model.Snapshot{Instances: []model.QueueInstance{{Name: "q@a", Queue: "q", Host: "a", Slots: 2, State: "a"}, {Name: "p@b", Queue: "p", Host: "b", Slots: 2}}}
	r := &delay{decision: &model.Decision{Verdict: model.Never, Why: []model.Reason{{Kind: model.ReasonQueueList, Level: "Q", Object: "p", Asked: "q"}}},
		closed: []model.Reason{{Kind: model.ReasonLoad, Object: "q@a", Resource: "np_load_avg", Asked: "1.75", Offered: "3", Later: true}}}
	r.sortReasons(s)
	if len(r.hosts) != 2 || !r.hosts[0].candidate || r.hosts[0].text != "over the load threshold np_load_avg=1.75, at 3" || r.hosts[1].candidate {
		t.Errorf("got %+v", r.hosts)
	}
}

// TestTooFewSlotsSayWhatThereWillBe prints a number that would do as one of another time, and names environments where the job
// can have several.
func TestTooFewSlotsSayWhatThereWillBe(t *testing.T) {
	lack := func(pe, asked, offered string) model.Reason {
		return model.Reason{Kind: model.ReasonPESlots, Level: "P", Object: pe, Resource: "slots", Asked: asked, Offered: offered, Later: true}
	}
	for want, why := range map[string][]model.Reason{
		"too few slots together: asks for 2-6, there is 1":                                                    {lack("mpi", "2-6", "1")},
		"too few slots together for now: asks for 2-6, there will be 2":                                       {lack("mpi", "2-6", "2")},
		"too few slots together for now: asks for 4, there will be 5":                                         {lack("mpi", "4", "5")},
		"x: too few slots together: asks for 4, there is 0|y: too few slots together: asks for 4, there is 1": {lack("x", "4", "0"), lack("y", "4", "1")},
		"x, y: too few slots together: asks for 4, there is 0":                                                {lack("x", "4", "0"), lack("y", "4", "0")},
	} {
		r := &delay{decision: &model.Decision{Why: why}}
		r.sortReasons(&model.Snapshot{})
		if got := strings.Join(r.generalWords(), "|"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestCommandsAgreeOnPlaces: what explain says of the next run is what why counts before a job, and the order of priorities where jobs
// came after the last run.
func TestCommandsAgreeOnPlaces(t *testing.T) {
	places, lists := 0, 0
	for name, bundle := range recordedStates(t) {
		s := newSubject(read(t, bundle), "", audit.Options{})
		_, s.look.Quirks = compat.For(s.Release)
		sc, err := s.system.scene()
		if err != nil {
			continue
		}
		p, said := s.system.plan(s.TakenAt), map[uint32]int{}
		for i := range s.Jobs {
			j := &s.Jobs[i]
			e, err := sc.Explain(number32(j.Number))
			if err != nil {
				t.Fatal(err)
			}
			if e.Next {
				said[j.Number] = e.Place
			} else if e.Since != nil && e.Since.Place > 0 {
				said[j.Number] = e.Since.Place
			}
			r := s.system.why(p, j, 0)
			if place := said[j.Number]; place > 0 && r.ahead.known && len(r.starts) == 0 {
				if places++; r.ahead.jobs != place-1 {
					t.Errorf("%s: job %d is %s by explain, and %d are before it by why", name, j.Number, explain.Ordinal(place), r.ahead.jobs)
				}
			}
		}
		v, _ := audit.Look(s.Snapshot, s.look)
		rows, fresh := rowsOf(s.Snapshot, v)
		if fresh == 0 {
			continue
		}
		lists++
		before := 0
		for _, r := range rows {
			if place := said[r.job.Number]; r.waits() && place > 0 {
				if place < before {
					t.Errorf("%s: job %d is %s by explain, and not by priorities", name, r.job.Number, explain.Ordinal(place))
				}
				before = place
			}
		}
	}
	t.Logf("%d places, %d lists with jobs that came after the run", places, lists)
	if places < 100 || lists < 3 {
		t.Errorf("too few: %d places, %d lists", places, lists)
	}
}

// TestTasksThatALimitHoldsBackAreTold: of an array some tasks wait for slots, and the others for them (-tc).
func TestTasksThatALimitHoldsBackAreTold(t *testing.T) {
	tasks := func(first, last uint32) []model.Range { return []model.Range{{Min: first, Max: last, Step: 1}} }
	s := newSubject(&model.Snapshot{Jobs: []model.Job{{Number: 4, Array: true, Tasks: []model.Task{{IDs: tasks(1, 9), State: "qw"}}}}}, "", audit.Options{})
	p := &model.Plan{Decisions: []model.Decision{
		{Job: 4, Tasks: tasks(1, 2), Verdict: model.Never, Why: []model.Reason{{Kind: model.ReasonFull, Level: "Q", Object: "q@a", Later: true}}},
		{Job: 4, Tasks: tasks(3, 9), Verdict: model.Never, Why: []model.Reason{{Kind: model.ReasonTaskLimit, Asked: "2", Later: true}}}}}
	for task, want := range map[uint32]string{
		0: "Tasks 1-2:1 do not start now, and nothing is reserved for them.|Nor do tasks 3-9:1:|  -tc 2 lets no more of its tasks run at a time",
		2: "Tasks 1-2:1 do not start now, and nothing is reserved for them.",
		5: "Tasks 3-9:1 do not start now, and nothing is reserved for them.|  -tc 2 lets no more of its tasks run at a time",
	} {
		if got := strings.Join(s.system.why(p, &s.Jobs[0], task).answer(output{}), "|"); got != want {
			t.Errorf("task %d: got %q, want %q", task, got, want)
		}
	}
}

// TestAJobWaitsForNoSlotThatItCanNeverHave has two full queue instances of one host, of which one's queue is too short for the job.
func TestAJobWaitsForNoSlotThatItCanNeverHave(t *testing.T) {
	s := &model.Snapshot{Instances: []model.QueueInstance{{Name: "long@a", Queue: "long", Host: "a", Slots: 1}, {Name: "short@a", Queue: "short", Host: "a", Slots: 1}}}
	r := &delay{taken: map[string]int{"long@a": 1, "short@a": 1}, hosts: []hostGroup{{names: []string{"a"}, full: true}},
		decision: &model.Decision{Why: []model.Reason{{Kind: model.ReasonResource, Level: "Q", Object: "short", Resource: "h_rt", Asked: "3600"}}}}
	want := map[[3]string]bool{{"Q", "long@a", "slots"}: true}
	if got := r.wanted(s); !reflect.DeepEqual(got, want) {
		t.Errorf("it waits for %v", got)
	}
}
