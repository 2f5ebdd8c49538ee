package schedule

import (
	"slices"
	"testing"

	"qprism/compat"
	"qprism/engine/model"
)

// TestScopesArePlanned is rule O15: each host has memory, host c has a graphics processor as well.
func TestScopesArePlanned(t *testing.T) {
	cases := map[string]struct {
		options, want string
		change        func(*lab)
	}{
		"the master goes where it has what it asks for": {options: "-pe mpi 2 -master gpu=1 -slave mem=1",
			want: "1 starts on c+d"},
		"nobody goes before the master where its resource is unknown": {options: "-pe mpi 4 -master gpu=1",
			want: "1 starts on c+d+a+b"},
		"memory beside the master": {options: "-pe mpi 2 -master gpu=1,mem=6 -slave mem=4", want: "1 starts on c+d",
			change: func(l *lab) { l.PEs[0].AllocationRule = "$fill_up" }},
		"the master does not ask for what the others do": {options: "-pe mpi 3 -slave mem=8", want: "1 starts on a×2+b",
			change: func(l *lab) { l.PEs[0].AllocationRule = "$fill_up" }},
		"where no master may be, others may": {options: "-pe mpi 3 -masterq all.q@c -slaveq all.q@a",
			want: "1 starts on c+a×2"},
		"what the master asks for in vain": {options: "-pe mpi 2 -master gpu=9 -slave mem=1", want: "1 waits"},
		"the others do not fit":            {options: "-pe mpi 2 -master gpu=1 -slave mem=20", want: "1 waits"},
		"they are spared on the master's host": {options: "-pe mpi 2 -master gpu=1 -slave mem=20", want: "1 starts on c×2",
			change: func(l *lab) {
				l.PEs[0].AllocationRule = "$pe_slots"
				l.PEs[0].Settings = []model.Setting{{Name: "ign_sreq_on_mhost", Value: "TRUE"}}
			}},
	}
	for name, c := range cases {
		l := newLab(4, 2).consumable("mem", "", model.ConsumeYes).consumable("gpu", "", model.ConsumeYes).pe(
			"mpi", "$round_robin", 10)
		l.PEs[0].JobIsFirstTask = true
		for i := range l.Hosts {
			l.Hosts[i].Capacity = []model.Setting{{Name: "mem", Value: "8"}}
		}
		l.Hosts[2].Capacity = append(l.Hosts[2].Capacity, model.Setting{Name: "gpu", Value: "4(0-3)"})
		if c.change != nil {
			c.change(l)
		}
		l.submit(c.options)
		expect(t, name, l, compat.Profiles["9.1"], c.want)
	}
}

// TestScopesAreBookedApart is rule O15: of four slots the master has one.
func TestScopesAreBookedApart(t *testing.T) {
	l := newLab(2, 2).consumable("mem", "", model.ConsumeYes).pe("mpi", "$round_robin", 10)
	l.PEs[0].JobIsFirstTask = true
	for i := range l.Hosts {
		l.Hosts[i].Capacity = []model.Setting{{Name: "mem", Value: "8"}}
	}
	l.submit("-pe mpi 4 -master mem=3 -slave mem=1")
	var got []float64
	for _, line := range l.plan(compat.Profiles["9.1"]).Lines {
		if line.Resource == "mem" {
			got = append(got, line.Amount)
		}
	}
	if want := []float64{3, 1, 2}; !slices.Equal(got, want) {
		t.Errorf("booked %v, want %v", got, want)
	}
}
