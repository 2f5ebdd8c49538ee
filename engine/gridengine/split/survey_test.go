package split

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"qprism/engine/model"
)

// TestOneLookFindsWhatSeveralFind makes random queues. It finds the place of each job by itself, one job after the other,
// and sorts all places.
func TestOneLookFindsWhatSeveralFind(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	phases := map[int8]int{}
	for range 300 {
		s, a := randomQueue(random)
		found := a.survey(s, noon)
		altered, begun, byNumber := alteredSince(s), begunJobs(s), s.JobsByNumber()
		if !slices.Equal(found.begun, begun) || found.begun == nil {
			t.Fatalf("begun: %d, want %d", len(found.begun), len(begun))
		}
		if a.Coming != (found.altered != nil) || a.Coming && !maps.Equal(found.altered, altered) {
			t.Fatalf("altered: %v, want %v", found.altered, altered)
		}
		var want []place
		for i := range s.Jobs {
			if j := &s.Jobs[i]; !a.Unknown(j, noon) {
				p := placeByItself(j, a, byNumber, newestStarts(begun, noon))
				if p.listed = int32(i); a.Coming && altered[j.Number] {
					p.second, p.phase = max(p.second, s.TakenAt.Unix()), 2
				}
				phases[p.phase]++
				want = append(want, p)
			}
		}
		slices.SortFunc(want, comparePlaces)
		got := slices.Concat(found.same, found.moved)
		slices.SortFunc(got, comparePlaces)
		if !slices.Equal(got, want) {
			t.Fatalf("places %v\nwant %v", got, want)
		}
		var order []int32
		for _, p := range want {
			order = append(order, p.listed)
		}
		if got := found.inOrder(s, a); !slices.Equal(got, order) {
			t.Fatalf("order %v, want %v", got, order)
		}
	}
	if len(phases) != 3 {
		t.Errorf("not all phases occurred: %v", phases)
	}
}

// placeByItself is the place of a job, found without the other jobs but for the newest starts.
func placeByItself(j *model.Job, a Assumed, byNumber map[uint32]*model.Job, newest map[int64]uint32) place {
	leader, behind := a.Order.leader(j, byNumber)
	p := place{second: lastChange(leader, noon), phase: 1, number: leader.Number, behind: int32(behind)}
	started := slices.ContainsFunc(leader.Tasks, func(t model.Task) bool {
		return has(t.State, 'R') || !t.Started.IsZero() && !StartedAt(&t, noon)
	})
	if p.number < newest[p.second] && !started {
		p.phase = 0
	}
	return p
}

// randomQueue has jobs that wait, run, ended, or were altered, within few seconds.
func randomQueue(random *rand.Rand) (*model.Snapshot, Assumed) {
	s := &model.Snapshot{TakenAt: noon, Policy: model.Policy{ReportPendingTickets: random.IntN(8) > 0}}
	if random.IntN(4) > 0 {
		s.Trace = []model.TraceLine{{At: noon.Add(-3 * time.Second), Text: "PROF: schedd run took: 0.010 s"}}
	}
	before := func() time.Time { return noon.Add(time.Duration(random.IntN(9)-8) * time.Second) }
	for n := range random.IntN(30) {
		j := model.Job{Number: uint32(n + 1), Submitted: before(), PosixPriority: -100 * random.IntN(2)}
		for id := range 1 + random.IntN(2) {
			task := model.Task{IDs: ids(fmt.Sprint(id + 1)), State: []string{"qw", "hqw", "Rq"}[random.IntN(3)]}
			if random.IntN(3) == 0 {
				task.State, task.Enrolled, task.Started = "r", true, before()
			}
			if random.IntN(8) == 0 {
				task.Ended = noon
			}
			j.Tasks = append(j.Tasks, task)
		}
		if random.IntN(4) > 0 {
			j.Reported = &model.JobReport{NPPrior: []float64{0, 0.5, 0.45117}[random.IntN(3)]}
		}
		s.Jobs = append(s.Jobs, j)
	}
	a := Assumed{Coming: random.IntN(3) > 0}
	if len(s.Jobs) > 2 && random.IntN(2) == 0 {
		a.Order = Order{1: uint32(len(s.Jobs)), 2: 1}
	}
	if random.IntN(3) == 0 {
		a.Later = uint32(20)
	}
	return s, a
}
