package dispatch

import (
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"qprism/engine/model"
)

// limited has jobs of carl: some run until a limit, the others wait.
func limited(running []time.Duration, waiting int) *model.Snapshot {
	s := &model.Snapshot{TakenAt: noon}
	for i := range len(running) + waiting {
		j := model.Job{Number: uint32(i + 1), Owner: "carl"}
		t := model.Task{State: "qw"}
		if i < len(running) {
			t.State, t.Started = "r", noon.Add(-time.Minute)
			j.Hard = []model.Request{{Resource: "h_rt", Amount: (time.Minute + running[i]).Seconds()}}
		}
		j.Tasks = []model.Task{t}
		s.Jobs = append(s.Jobs, j)
	}
	return s
}

func waitingOf(jobs ...uint32) map[uint32]model.TaskSet {
	list := map[uint32]model.TaskSet{}
	for _, j := range jobs {
		list[j] = model.TaskSet{1: true}
	}
	return list
}

// TestWhoComesNextWaitsForTheEndOfOneThatRuns: the first of them for the first end, as far as ends are soon; else who waits for one
// stays with it. Who several rules hold, arrays, and jobs that wait for others anyway are held, and so are all behind the latter.
func TestWhoComesNextWaitsForTheEndOfOneThatRuns(t *testing.T) {
	carl := Rule{Jobs: []string{"user=carl"}, AtMost: 3}
	for name, c := range map[string]struct {
		running []time.Duration
		change  func(*Input)
		want    map[uint32]uint32 // of the waiting jobs 4, 5, 6, 7
		again   bool
	}{
		"by their ends": {[]time.Duration{time.Hour, time.Second, time.Minute}, nil, map[uint32]uint32{4: 2, 5: 3, 6: 1}, false},
		"long overdue":  {[]time.Duration{-time.Minute / 2, time.Hour, time.Second}, nil, map[uint32]uint32{4: 3, 5: 2, 6: 1}, false},
		"not without a leave": {[]time.Duration{time.Hour, time.Second, time.Minute},
			func(in *Input) { in.Chains = false }, map[uint32]uint32{}, false},
		"who waits for one stays": {[]time.Duration{time.Hour, time.Minute, 2 * time.Minute},
			func(in *Input) { in.After = map[uint32][]uint32{6: {2}} }, map[uint32]uint32{6: 2, 4: 3, 5: 1}, false},
		"but not for one that ends soon": {[]time.Duration{time.Hour, time.Second, 2 * time.Minute},
			func(in *Input) { in.After = map[uint32][]uint32{6: {2}} }, map[uint32]uint32{5: 3, 6: 1}, true}, // 4 gets it at the next step
		"an array": {[]time.Duration{time.Hour, time.Second, time.Minute},
			func(in *Input) { in.Snapshot.Jobs[4].Array = true }, map[uint32]uint32{4: 2}, false},
		"one that waits for another": {[]time.Duration{time.Hour, time.Second, time.Minute},
			func(in *Input) { in.Snapshot.Jobs[3].PredecessorNames = []string{"x"} }, map[uint32]uint32{}, false},
		"two rules": {[]time.Duration{time.Hour, time.Second, time.Minute},
			func(in *Input) { in.Rules = append(in.Rules, Rule{Jobs: []string{"4"}, NotNow: "a reason"}) }, map[uint32]uint32{5: 3, 6: 1}, false},
	} {
		in := Input{Snapshot: limited(c.running, 4), Owned: waitingOf(4, 5, 6, 7), Order: []uint32{4, 5, 6, 7}, Rules: []Rule{carl},
			Idle: waitingOf(4, 5, 6, 7), Chains: true}
		if c.change != nil {
			c.change(&in)
		}
		r, err := Decide(in)
		if err != nil {
			t.Fatal(err)
		}
		got := map[uint32]uint32{}
		for job, w := range r.Wishes {
			if w.After > 0 {
				got[job] = w.After
			}
			if len(w.Held) == 0 {
				t.Errorf("%s: job %d is not held until the master has it", name, job)
			}
		}
		if !maps.Equal(got, c.want) || r.Again != c.again {
			t.Errorf("%s: %v, again %v; want %v, %v", name, got, r.Again, c.want, c.again)
		}
	}
}

// A toyMaster starts what nothing keeps from it, whenever it likes.
type toyMaster struct {
	runs, gone, held map[uint32]bool
	after            map[uint32]uint32
}

func (m *toyMaster) mayStart(job uint32) bool {
	a := m.after[job]
	return !m.runs[job] && !m.gone[job] && !m.held[job] && (a == 0 || m.gone[a])
}

// happens lets some jobs start, and some end.
func (m *toyMaster) happens(t *rapid.T, jobs []uint32) {
	for _, job := range jobs {
		switch {
		case m.runs[job] && rapid.IntRange(0, 3).Draw(t, "ends") == 0:
			m.runs[job], m.gone[job] = false, true
		case m.mayStart(job) && rapid.Bool().Draw(t, "starts"):
			m.runs[job] = true
		}
	}
}

// sees is what a step sees.
func (m *toyMaster) sees(jobs []uint32) Input {
	in := Input{Snapshot: &model.Snapshot{TakenAt: noon}, Owned: map[uint32]model.TaskSet{}, Idle: map[uint32]model.TaskSet{},
		After: map[uint32][]uint32{}, Chains: true}
	for _, job := range jobs {
		if m.gone[job] {
			continue
		}
		j := model.Job{Number: job, Owner: "carl", Tasks: []model.Task{{State: "qw"}}}
		if m.runs[job] {
			j.Tasks[0].State, j.Tasks[0].Started = "r", noon.Add(-time.Minute)
		} else {
			in.Owned[job] = model.TaskSet{1: true}
			if !m.mayStart(job) {
				in.Idle[job] = in.Owned[job]
			}
			if a := m.after[job]; a > 0 && !m.gone[a] && !m.held[job] {
				in.After[job] = []uint32{a}
			}
		}
		in.Snapshot.Jobs = append(in.Snapshot.Jobs, j)
	}
	return in
}

// orders are those of a step, what must not start first.
func (m *toyMaster) orders(r *Result, in Input) (first, then []func()) {
	for job := range in.Owned {
		w := r.Wishes[job]
		held, at := m.held[job], m.after[job]
		switch {
		case w == nil || len(w.Held) == 0:
			then = append(then, func() { m.after[job], m.held[job] = 0, false })
		case w.After > 0 && at == w.After:
			then = append(then, func() { m.held[job] = false })
		default:
			if !held {
				first = append(first, func() { m.held[job] = true })
			}
			if w.After > 0 {
				then = append(then, func() { m.after[job] = w.After })
			}
		}
	}
	return first, then
}

// step looks, decides and gives orders; happens is called in between.
func (m *toyMaster) step(t *rapid.T, jobs []uint32, most int, shuffle bool, happens func()) {
	in := m.sees(jobs)
	in.Rules = []Rule{{Jobs: []string{"user=carl"}, AtMost: most}}
	in.Order = slices.Sorted(maps.Keys(in.Owned))
	if shuffle && len(in.Order) > 0 {
		in.Order = rapid.Permutation(in.Order).Draw(t, "order")
	}
	happens()
	r, err := Decide(in)
	if err != nil {
		t.Fatal(err)
	}
	first, then := m.orders(r, in)
	for _, order := range slices.Concat(first, then) {
		order()
		happens()
	}
}

// TestALimitHoldsWhateverHappensBetweenLookAndOrder: the order changes from step to step; jobs come, start and end at any moment, also
// between any two orders of a step. Never do more run than the rule says, and all have run in the end.
func TestALimitHoldsWhateverHappensBetweenLookAndOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.IntRange(1, 4).Draw(t, "most")
		m := &toyMaster{runs: map[uint32]bool{}, gone: map[uint32]bool{}, held: map[uint32]bool{}, after: map[uint32]uint32{}}
		var jobs []uint32
		happens := func() {
			m.happens(t, jobs)
			if n := countOf(m.runs); n > most {
				t.Fatalf("%d run, at most %d may", n, most)
			}
		}
		for range 20 {
			jobs = append(jobs, uint32(len(jobs)+1))
			m.held[jobs[len(jobs)-1]] = true // a new job waits until a step has seen it
			m.step(t, jobs, most, true, happens)
		}
		for range 100 {
			m.step(t, jobs, most, false, func() {})
			for _, job := range jobs {
				m.gone[job], m.runs[job] = m.gone[job] || m.runs[job], m.mayStart(job)
			}
		}
		if n := countOf(m.gone); n < len(jobs) {
			t.Fatalf("%d of %d have run: %+v", n, len(jobs), m)
		}
	})
}

func countOf(set map[uint32]bool) (n int) {
	for _, in := range set {
		if in {
			n++
		}
	}
	return n
}
