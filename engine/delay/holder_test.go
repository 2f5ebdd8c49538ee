package delay

import (
	"math"
	"reflect"
	"testing"
	"time"

	"qprism/engine/model"
)

// TestPlacesSortByNames keeps what hosts have together before what they have each, and quotas among the resources.
func TestPlacesSortByNames(t *testing.T) {
	sorted := []Place{{"G", "global", "mem"}, {"H", "a", "mem"}, {"Q", "q@a", "mem"}, {"L", "set", "joe/////"}, {"Q", "q@a", "slots"},
		{"H", "z", "slots"}}
	for i := range sorted {
		for k := range sorted {
			if got, want := sorted[i].compare(sorted[k]), map[bool]int{true: -1}[i < k]+map[bool]int{true: 1}[i > k]; got != want {
				t.Errorf("%v and %v: %d", sorted[i], sorted[k], got)
			}
		}
	}
}

// TestReasonsAreTheSameWhereTheySayTheSame holds pairs of reasons against each other.
func TestReasonsAreTheSameWhereTheySayTheSame(t *testing.T) {
	reason := func(kind model.ReasonKind, object, asked, offered string) model.Reason {
		return model.Reason{Kind: kind, Level: "Q", Object: object, Resource: "r", Asked: asked, Offered: offered}
	}
	reserved := func(offered string) model.Reason {
		return model.Reason{Kind: model.ReasonResource, Object: "a", Resource: "mem", Offered: offered, Later: true, Reserved: true}
	}
	logged := func(text, offered string) model.Reason {
		return model.Reason{Kind: model.ReasonResource, Level: "H", Object: "a", Resource: "ncpus", Offered: offered, Text: text,
			Comment: "Not Running: " + text,
			Failure: model.FailInsufficient}
	}
	differs := func(offered string) model.Reason {
		return model.Reason{Kind: model.ReasonResource, Resource: "arch", Asked: "linux", Offered: offered, Failure: model.FailInsufficient,
			Differs: true}
	}
	for what, c := range map[string]struct {
		a, b model.Reason
		same bool
	}{
		"at another place": {reason(model.ReasonFull, "q@a", "", ""), reason(model.ReasonFull, "q@b", "", ""), true},
		"where each admits others": {reason(model.ReasonAccess, "q@a", "joe", "staff"), reason(model.ReasonAccess, "q@b", "joe", "root"),
			true},
		"in another state": {reason(model.ReasonQueueState, "q@a", "", "d"), reason(model.ReasonQueueState, "q@a", "", "au"),
			false},
		"with less": {reason(model.ReasonResource, "q@a", "2", "1"), reason(model.ReasonResource, "q@a", "2", "0"),
			false},
		"with less, reserved for others": {reserved("3"), reserved("4"), true},
		"for another reason":             {reason(model.ReasonForced, "q@a", "", ""), reason(model.ReasonExclusive, "q@a", "", ""), false},
		"of PBS with as much of more":    {logged("(R: 2 A: 1 T: 4)", "1"), logged("(R: 2 A: 1 T: 8)", "1"), true},
		"of PBS where something else is": {differs("aix"), differs("hpux"), false},
		"of PBS where a limit says another": {model.Reason{Kind: model.ReasonLimit, Failure: model.FailNodeJobLimit},
			model.Reason{Kind: model.ReasonLimit, Failure: model.FailNodeUserLimit}, false},
	} {
		if got := withoutPlace(c.a) == withoutPlace(c.b); got != c.same {
			t.Errorf("%s: %v", what, got)
		}
	}
}

// TestAPlaceOfUnknownSizeLeavesFreeOpen keeps a number that nobody knows from being printed as one.
func TestAPlaceOfUnknownSizeLeavesFreeOpen(t *testing.T) {
	p := &model.Plan{Lines: []model.ScheduleLine{{Job: 1, Start: time.Unix(0, 0), Duration: time.Hour, Level: "H", Object: "a",
		Resource: "mem",
		Amount:   1}}}
	if list := Holders(&model.Snapshot{}, p, map[Place]bool{{"H", "a", "mem"}: true}); len(list) != 1 || !math.IsNaN(list[0].Free) ||
		list[0].Owner != "" {
		t.Errorf("got %+v", list)
	}
}

// TestAReservationWaitsForItsOwnPlaces leaves out what other places lack; where no reason says what its own lack, it is slots.
func TestAReservationWaitsForItsOwnPlaces(t *testing.T) {
	s := &model.Snapshot{Instances: []model.QueueInstance{{Name: "q@a", Queue: "q", Host: "a", Slots: 1},
		{Name: "q@b", Queue: "q", Host: "b", Slots: 1}}}
	lack := func(level, object string) model.Reason {
		return model.Reason{Kind: model.ReasonResource, Level: level, Object: object, Resource: "mem", Later: true}
	}
	for what, c := range map[string]struct {
		verdict model.Verdict
		why     []model.Reason
		want    []Place
	}{
		"its own host, queue and what all have": {model.Later, []model.Reason{lack("H", "a"), lack("H", "b"), lack("Q", "q"),
			lack("G", "global")}, []Place{{"H", "a", "mem"}, {"Q", "q", "mem"}, {"G", "global", "mem"}}},
		"nothing said": {model.Later, []model.Reason{{Kind: model.ReasonPESlots, Later: true}},
			[]Place{{"Q", "q@a", "slots"}}},
		"no reservation": {model.Never, []model.Reason{lack("H", "b"),
			{Kind: model.ReasonFull, Level: "Q", Object: "q@b", Later: true}}, []Place{{"H", "b", "mem"}, {"Q", "q@b", "slots"}}},
		"a quota, by its set": {model.Never, []model.Reason{{Kind: model.ReasonQuota, Level: "L", Object: "set/1",
			Resource: "joe/////", Later: true}}, []Place{{"L", "set", "joe/////"}}},
		"what no time mends": {model.Never, []model.Reason{{Kind: model.ReasonAccess, Level: "Q", Object: "q"}}, nil},
	} {
		want := map[Place]bool{}
		for _, p := range c.want {
			want[p] = true
		}
		if got := WantedBy(s, &model.Decision{Verdict: c.verdict, Why: c.why,
			Slots: []model.Grant{{Instance: "q@a", Slots: 1}}}); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %v", what, got)
		}
	}
}
