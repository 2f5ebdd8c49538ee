package push

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"qprism/cmd/qprism/subject"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
	exporterpbs "qprism/exporter/pbs"
	"qprism/fixtures/pbs"
	"qprism/importer"
	pbsfiles "qprism/importer/pbs"
)

// TestTheFirstOfAQueueIsBroughtToItsFront: by exchanges that leave the others in their order. What the next
// cycle does is said, not what is sent: queues are taken in turn, by their priority, or by the formula.
func TestTheFirstOfAQueueIsBroughtToItsFront(t *testing.T) {
	files, err := pbs.Scenario("external-driver")
	if err != nil {
		t.Fatal(err)
	}
	bundle, err := importer.Within(files, "external-driver", "before")
	if err != nil {
		t.Fatal(err)
	}
	s, err := pbsfiles.Read(bundle, pbsfiles.Options{})
	if err != nil {
		t.Fatal(err)
	}
	q := pbsQueue{Subject: subject.NewSubject(s.WithFormula(""), subject.PBSRules, lastrun.Options{}),
		at: s.TakenAt, ids: map[uint32]string{}}
	for i := range s.Jobs {
		if j := &s.Jobs[i]; j.PBS.Array == "" {
			q.ids[j.Number] = j.PBS.ID
		}
	}
	queue := largest(s)
	last := queue[len(queue)-1]
	p := &Plan{}
	q.swaps(p, []uint32{last}, true)
	at := slices.IndexFunc(p.wanted, func(id string) bool { return slices.Contains(queue, number(id)) })
	if len(p.orders) < len(queue)-1 ||
		number(p.wanted[at]) != last || !strings.Contains(strings.Join(p.said, "\n"), "to the front of their queues") {
		t.Errorf("queue %v: %d exchanges, then %v: %s", queue, len(p.orders), p.wanted, p.said)
	}
	if said := p.said[len(p.said)-1]; !strings.HasPrefix(said, "The next cycle tries these jobs in this order") {
		t.Error(said)
	}
	again := &Plan{}
	if q.swaps(again, queue[:1], true); len(again.orders) > 0 ||
		!strings.Contains(again.idle, "already the first of their queues") {
		t.Errorf("%v: %s", again.orders, again.idle)
	}
}

// largest are the waiting jobs of the queue with the most, in their order.
func largest(s *model.Snapshot) (list []uint32) {
	queues := map[string][]exporterpbs.Place{}
	waits := map[string]bool{}
	for i := range s.Jobs {
		waits[s.Jobs[i].PBS.ID] = s.Jobs[i].PBS.State == "Q" && !s.Jobs[i].Array
	}
	for _, p := range exporterpbs.PlacesOf(s) {
		if !waits[p.Job] {
			continue
		}
		queues[p.Queue] = append(queues[p.Queue], p)
	}
	for _, places := range queues {
		if len(places) > len(list) {
			slices.SortFunc(places, func(a, b exporterpbs.Place) int { return cmp.Compare(a.Rank, b.Rank) })
			list = nil
			for _, p := range places {
				list = append(list, number(p.Job))
			}
		}
	}
	return list
}

func number(id string) uint32 {
	parsed, _ := model.ParsePBSID(id)
	return parsed.Number
}
