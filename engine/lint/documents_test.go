package lint_test

import (
	"io/fs"
	"strings"
	"testing"
	"time"

	"qprism/compat"
	"qprism/engine/lint"
	"qprism/engine/model"
	"qprism/importer/cluster"
)

// TestNumbersOfTheDocumentsAreSaid holds what lint says of the documents' cases against their own numbers and words.
func TestNumbersOfTheDocumentsAreSaid(t *testing.T) {
	for name, c := range map[string]struct{ bundle, step, trap, says string }{
		"000: 215275 (!?) tickets, and why": {"three-users", "run2/after", "category-weights-unused",
			"for waiting jobs, Grid Engine uses only 250000 of 1000000 functional tickets. An owner's second waiting job gets 1/2 of the tickets of the first one"},
		"002: waiting counts during hold": {"departments", "run2/after", "waiting-too-slow", "Waiting time also grows while a job is held"},
		"004: the third behind it starts all the same": {"licence-reservation", "run1/before", "reservation-astray",
			"job 3 has lower priority and starts in this run, as if job 2 had no reservation"},
	} {
		files, err := example(t, c.bundle)()
		if err != nil {
			t.Fatal(err)
		}
		r, _ := check(t, bundle(t, files, c.step))
		found := false
		for _, trap := range r.Traps {
			found = found || trap.Name == c.trap && strings.Contains(trap.Effect, c.says)
		}
		if !found {
			t.Errorf("%s: %+v", name, r.Traps)
		}
	}
}

// read is a step of an example, and a check of it after a change.
func read(t *testing.T, name, step string) (*model.Snapshot, func() *lint.Report) {
	files, err := example(t, name)()
	if err != nil {
		t.Fatal(err)
	}
	place, err := fs.Sub(files, step)
	if err != nil {
		t.Fatal(err)
	}
	s, err := cluster.Read(place, cluster.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s, func() *lint.Report { return checked(lint.Input{Snapshot: s, Quirks: compat.Profiles[compat.Fixed]}) }
}

func trapOf(r *lint.Report, name string) *lint.Trap {
	for i := range r.Traps {
		if r.Traps[i].Name == name {
			return &r.Traps[i]
		}
	}
	return nil
}

// TestASmallJobNeverPassesLargeOnesThatAreHeld is of "Managing relative priorities": a small job and eight dependent ones of four slots.
func TestASmallJobNeverPassesLargeOnesThatAreHeld(t *testing.T) {
	s, lints := read(t, "departments-14.4", "run2/before")
	first := s.TakenAt.Add(-time.Hour)
	waits := func(number uint32, slots uint32, after ...uint32) model.Job {
		j := model.Job{Number: number, Owner: "grid1", Department: "ClusterGrid", Submitted: first, Predecessors: after, PE: "smp",
			PERange: []model.Range{{Min: slots, Max: slots, Step: 1}}}
		j.Tasks = []model.Task{{IDs: []model.Range{{Min: 1, Max: 1, Step: 1}}, State: "qw", Slots: int(slots)}}
		return j
	}
	s.Jobs = nil
	for n := uint32(1); n <= 8; n++ {
		j := waits(n, 4)
		if n > 1 {
			j.Predecessors, j.Tasks[0].State = []uint32{n - 1}, "hqw"
		}
		s.Jobs = append(s.Jobs, j)
	}
	s.Jobs = append(s.Jobs, waits(9, 1))
	trap := trapOf(lints(), "held-jobs-gather-time")
	if trap == nil || !strings.Contains(trap.Effect, "1 waiting job is permanently behind jobs that are still held: for example, job 9 of grid1 is behind 7 of them") {
		t.Fatalf("%+v", trap)
	}
	s.Jobs[8].Submitted = first.Add(-4 * time.Hour) // four slots are worth four hours, three a little less
	if trap := trapOf(lints(), "held-jobs-gather-time"); trap != nil {
		t.Errorf("a job that has waited longer: %+v", trap)
	}
}

// TestReservationsAreForBottlenecks is of the specification of resource reservation, max_reservation.
func TestReservationsAreForBottlenecks(t *testing.T) {
	s, lints := read(t, "licence-reservation", "run1/before")
	s.Policy.MaxReservation = 100000
	if trap := trapOf(lints(), "reservations-for-all"); trap != nil {
		t.Errorf("three jobs that queue for licences: %+v", trap)
	}
	for n := uint32(10); n < 110; n++ {
		j := s.Jobs[1]
		j.Number, j.Submitted = n, j.Submitted.Add(-time.Duration(n)*time.Second)
		s.Jobs = append(s.Jobs, j)
	}
	trap := trapOf(lints(), "reservations-for-all")
	if trap == nil || !strings.Contains(trap.Effect, "103 of 103 waiting jobs request a reservation, 103 of them are not parallel. The next run makes 102 reservations") {
		t.Fatalf("%+v %+v", trap, lints().Traps)
	}
	s.Policy.MaxReservation = 20
	if trap := trapOf(lints(), "reservations-for-all"); trap != nil {
		t.Errorf("20 in a run: %+v", trap)
	}
}

func TestMonitoringSaysWhatItCosts(t *testing.T) {
	s, lints := read(t, "licence-reservation", "run1/before")
	for _, interval := range []time.Duration{15 * time.Second, 0} {
		s.Policy.ScheduleInterval = interval
		said := ""
		for _, w := range lints().Words {
			if w.About == "monitoring" {
				said = w.Says
			}
		}
		want := "MONITOR is on: each run appends lines to common/schedule, and nothing truncates that file. The next run appends 6 lines. If each run appends this number of lines, the file grows by about 2.419 MB a day"
		if interval == 0 {
			want = ""
		}
		if said != want {
			t.Errorf("%v: %q", interval, said)
		}
	}
}
