package assign

import "testing"

// TestANewJobFindsItsPlaceBetweenTwo: of jobs that are spread evenly none has to make room for one that comes between them.
func TestANewJobFindsItsPlaceBetweenTwo(t *testing.T) {
	const n = 50
	for _, even := range []bool{true, false} {
		s := Scale{Weight: 1, Min: 1, Max: 1024, Strict: true, Rest: 512, Margin: 0.001, Even: even}
		jobs := make([]Waiting, n)
		for i := range jobs {
			jobs[i].Job = uint32(2 * (i + 1))
		}
		place(jobs, steer(jobs, s))
		most := 0
		for at := range n + 1 {
			list := append(append(append([]Waiting{}, jobs[:at]...), Waiting{Job: uint32(2*at + 1)}), jobs[at:]...)
			most = max(most, len(settled(list, s, len(list)).Changes))
		}
		if even && most != 1 {
			t.Errorf("a new job changes %d", most)
		}
		if !even && most == 1 {
			t.Error("so it is without being even: the test says nothing")
		}
	}
}

// place gives jobs the priorities that were found.
func place(jobs []Waiting, st *Steering) {
	priority := priorityAfter(st.Changes)
	for i := range jobs {
		jobs[i].P = priority(&jobs[i])
	}
}
