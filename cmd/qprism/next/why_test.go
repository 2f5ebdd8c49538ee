package next

import (
	"reflect"
	"strings"
	"testing"

	"qprism/cmd/qprism/recorded"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/compat"
	"qprism/engine/delay"
	"qprism/engine/explain"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
)

// TestClosedQueueInstancesAreNamedInWords names the first of many that are closed for the same reason.
func TestClosedQueueInstancesAreNamedInWords(t *testing.T) {
	r := &whyReport{Delay: &delay.Delay{Closed: []delay.Group{
		{Why: model.Reason{Kind: model.ReasonLoad, Resource: "np_load_avg", Asked: "1.75", Offered: "3"},
			Places: []string{"q@b"}},
		{Why: model.Reason{Kind: model.ReasonCalendar, Asked: "night"}, Places: []string{"q@c"}},
		{Why: model.Reason{Kind: model.ReasonQueueState, Offered: "d"},
			Places: []string{"q@d", "q@e", "q@f", "q@g", "q@h"}}}}}
	want := []string{"closed to all jobs: q@b: over the load threshold np_load_avg=1.75, at 3",
		"closed to all jobs: q@c: closed by calendar night",
		"closed to all jobs: q@d, q@e, q@f, q@g and 1 more: the queue instance is disabled (d)"}
	if got := r.closedWords(); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestTooFewSlotsSayWhatThereWillBe prints a number that would do as one of another time, and names
// environments where the job can have several.
func TestTooFewSlotsSayWhatThereWillBe(t *testing.T) {
	lack := func(pe, asked, offered string) model.Reason {
		return model.Reason{Kind: model.ReasonPESlots, Level: "P", Object: pe, Resource: "slots",
			Asked: asked, Offered: offered, Later: true}
	}
	ruled := func(rule, offered string) []model.Reason {
		r := lack("mpi", "8", offered)
		r.Rule = rule
		return []model.Reason{r}
	}
	for want, why := range map[string][]model.Reason{
		"too few slots together on one host (allocation_rule $pe_slots): requested 8":        ruled("$pe_slots", "0"),
		"too few slots together, 4 on each host (allocation_rule): requested 8, available 4": ruled("4", "4"),
		"too few slots together: requested 8, available 0":                                   ruled("$fill_up", "0"),
		"too few slots together: requested 2-6, available 1":                                 {lack("mpi", "2-6", "1")},
		"too few slots together now: requested 2-6, there will be 2":                         {lack("mpi", "2-6", "2")},
		"too few slots together now: requested 4, there will be 5":                           {lack("mpi", "4", "5")},
		"x: too few slots together: requested 4, available 0|y: too few slots together: requested 4, available 1": {lack("x", "4", "0"),
			lack("y", "4", "1")},
		"x, y: too few slots together: requested 4, available 0": {lack("x", "4", "0"),
			lack("y", "4", "0")},
	} {
		r := &whyReport{Delay: &delay.Delay{General: why}}
		if got := strings.Join(r.generalWords(), "|"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestCommandsAgreeOnPlaces: what explain says of the next run is what why counts before a job, and the
// order of priorities where jobs came after the last run.
func TestCommandsAgreeOnPlaces(t *testing.T) {
	places, lists := 0, 0
	for name, bundle := range recorded.RecordedStates(t) {
		s := subject.NewSubject(recorded.Read(t, bundle), "", lastrun.Options{})
		_, s.Look.Quirks = compat.For(s.Release)
		sc, err := s.Batch.Scene()
		if err != nil {
			continue
		}
		p, said := s.Batch.Plan(s.TakenAt), map[uint32]int{}
		for i := range s.Jobs {
			j := &s.Jobs[i]
			e, err := sc.Explain(show.Number32(j.Number))
			if err != nil {
				t.Fatal(err)
			}
			if e.Next {
				said[j.Number] = e.Place
			} else if e.Since != nil && e.Since.Place > 0 {
				said[j.Number] = e.Since.Place
			}
			r := whyNot(s, p, j, 0)
			if place := said[j.Number]; place > 0 && r.Ahead != nil && len(r.Starts) == 0 {
				if places++; r.Ahead.Jobs != place-1 {
					t.Errorf("%s: job %d is %s by explain, and %d are before it by why", name,
						j.Number, explain.Ordinal(place), r.Ahead.Jobs)
				}
			}
		}
		a, err := s.Batch.Ranking("pri")
		if err != nil {
			t.Fatal(err)
		}
		if a.Fresh == 0 {
			continue
		}
		lists++
		before := 0
		for _, r := range a.Jobs {
			if place := said[r.Job.Number]; r.Waits && place > 0 {
				if place < before {
					t.Errorf("%s: job %d is %s by explain, and not by priorities", name, r.Job.Number, explain.Ordinal(place))
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
	s := subject.NewSubject(&model.Snapshot{Jobs: []model.Job{{Number: 4, Array: true, Tasks: []model.Task{{IDs: tasks(1, 9), State: "qw"}}}}},
		"", lastrun.Options{})
	p := &model.Plan{Decisions: []model.Decision{
		{Job: 4, Tasks: tasks(1, 2), Verdict: model.Never,
			Why: []model.Reason{{Kind: model.ReasonFull, Level: "Q", Object: "q@a", Later: true}}},
		{Job: 4, Tasks: tasks(3, 9), Verdict: model.Never,
			Why: []model.Reason{{Kind: model.ReasonTaskLimit, Asked: "2", Later: true}}}}}
	for task, want := range map[uint32]string{
		0: "tasks 1-2:1: no place can take it now|tasks 3-9:1: -tc 2 limits its running tasks",
		2: "tasks 1-2:1: no place can take it now",
		5: "tasks 3-9:1: -tc 2 limits its running tasks",
	} {
		if got := strings.Join(whyNot(s, p, &s.Jobs[0], task).reasons(), "|"); got != want {
			t.Errorf("task %d: got %q, want %q", task, got, want)
		}
	}
}

// TestNoTwoGroupsOfHostsReadTheSame asks of every job of every recording: hosts are grouped by what their
// reasons hold, and what that leaves out of two is nothing that a reader would see.
func TestNoTwoGroupsOfHostsReadTheSame(t *testing.T) {
	several := 0
	check := func(name string, s *subject.Subject) {
		p := s.Batch.Plan(s.TakenAt)
		for i := range s.Jobs {
			r := whyNot(s, p, &s.Jobs[i], 0)
			seen := map[string]bool{}
			for k := range r.Hosts {
				text := r.because(&r.Hosts[k])
				if seen[text] {
					t.Errorf("%s: job %s: two lines say %q", name, r.id, text)
				}
				seen[text] = true
			}
			if len(seen) > 1 {
				several++
			}
		}
	}
	for name, bundle := range recorded.RecordedStates(t) {
		s := subject.NewSubject(recorded.Read(t, bundle), "", lastrun.Options{})
		_, s.Look.Quirks = compat.For(s.Release)
		check(name, s)
	}
	eachStepOfPBS(t, func(t *testing.T, name string, s *subject.Subject) { check(name, s) })
	t.Logf("%d jobs with several groups", several)
	if several < 100 {
		t.Errorf("only %d jobs with several groups", several)
	}
}
