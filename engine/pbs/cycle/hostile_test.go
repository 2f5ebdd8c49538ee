package cycle_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"qprism/engine/model"
	"qprism/engine/pbs/cycle"
)

// odd are values that no healthy server prints.
func odd(t *rapid.T, usual ...string) string {
	strange := []string{
		"", "-1", "1:", ":", "+", "(", "())", "0:ncpus=0", "999999999:ncpus=1", "1:ncpus=1e99",
		"1:ncpus=-5", "1:nothing=x", "1:host=", "@n0000",
		"@@", "@nobody",
		"(n0000:ncpus=4", "(n0000)+(n0001:ncpus=99)", "(nobody:ncpus=1)", "pack:scatter", "group=",
		"group=host", "True", "00:00:99:99",
		"9223372036854775807",
		"inf", "nan", "1tb", "0kb", "[u:PBS_GENERIC=1]", "n0000:ncpus=1:mem=1gb+n0001:ncpus=1",
	}
	if rapid.IntRange(0, 3).Draw(t, "odd") > 0 {
		return rapid.SampledFrom(usual).Draw(t, "usual")
	}
	return rapid.SampledFrom(strange).Draw(t, "strange")
}

func oddTime(t *rapid.T) time.Time {
	return rapid.SampledFrom([]time.Time{{}, noon, noon.Add(-time.Hour), noon.Add(time.Hour),
		time.Unix(0, 0), time.Unix(1<<40, 0)}).Draw(t, "time")
}

// spoil puts odd values everywhere.
func spoil(t *rapid.T, s *model.Snapshot) {
	for i := range s.Jobs {
		p := s.Jobs[i].PBS
		p.State = odd(t, "Q", "R", "H", "S", "B", "E")
		p.SchedSelect, p.Place = odd(t, p.SchedSelect), odd(t, p.Place, "scatter:group=host")
		p.ExecVnode, p.Released = odd(t, p.ExecVnode, ""), odd(t, "")
		p.Started, p.Preempted, p.Substate = oddTime(t), oddTime(t), rapid.SampledFrom([]int{0, 45, 41}).Draw(t, "substate")
		s.Jobs[i].Array, p.ArrayRemaining = rapid.Bool().Draw(t, "array"),
			[]model.Range{{Min: 4294967295, Max: 4294967295}, {Min: 3, Max: 1}}
		s.Jobs[i].Hard = append(s.Jobs[i].Hard,
			model.Request{Resource: rapid.SampledFrom([]string{"min_walltime", "soft_walltime", "walltime",
				"x"}).Draw(t, "res"), Value: odd(t, "100")})
	}
	for i := range s.Hosts {
		h := &s.Hosts[i]
		h.Capacity = append(h.Capacity,
			model.Setting{Name: rapid.SampledFrom([]string{"ncpus", "host", "mem", "x"}).Draw(t, "res"),
				Value: odd(t, "n0000")})
		h.PBS.Sharing, h.PBS.State = odd(t, "default_excl", "force_exclhost", "ignore_excl"),
			[]string{odd(t, "free", "job-busy", "offline")}
		h.PBS.MaxUserRun, h.PBS.Queue = model.Count{Set: rapid.Bool().Draw(t, "limit"), N: 1}, odd(t, "", "workq")
	}
	s.PBS.Server.Limits = []model.Limit{{Attribute: "max_run_res", Resource: "ncpus", Kind: odd(t, "u", "o"),
		Entity: odd(t, "PBS_GENERIC", "PBS_ALL"), Value: odd(t, "3")},
		{Attribute: "max_run_soft", Kind: "u", Entity: "PBS_GENERIC", Value: odd(t, "1")}}
	s.PBS.Server.Available = []model.Setting{{Name: "ncpus", Value: odd(t, "4")}}
	s.PBS.Server.NodeGroupEnable, s.PBS.Server.NodeGroupKey = rapid.Bool().Draw(t, "groups"), odd(t, "host", "ncpus,host")
	s.PBS.Server.Attributes = []model.Setting{{Name: "restrict_res_to_release_on_suspend", Value: odd(t, "ncpus")}}
	s.PBS.Holidays, s.PBS.Formula = twoStates, odd(t, "", "job_priority", "1/0")
	s.PBS.Holidays.Days[1].Prime.None = rapid.Bool().Draw(t, "none")
	s.PBS.Dedicated = []model.Period{{Start: oddTime(t), End: oddTime(t)}}
	s.PBS.Schedulers[0].PreemptOrder, s.PBS.Schedulers[0].PreemptPrio = odd(t, "SCR", "R 50 S"),
		odd(t, "express_queue, fairshare, server_softlimits+fairshare, normal_jobs")
	s.PBS.Reservations = []model.PBSReservation{{ID: "R9.srv", Owner: "x@y",
		State: odd(t, "RESV_CONFIRMED", "RESV_RUNNING"),
		Start: oddTime(t), End: oddTime(t), Duration: time.Hour,
		Queue: "fast", Sched: odd(t, "1:ncpus=1"), Place: odd(t, "free"), Nodes: odd(t, "(n0000:ncpus=1)"),
		Rule: odd(t, "FREQ=DAILY;COUNT=3"), Count: 3}}
}

func TestNoSnapshotMakesACyclePanic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawComplex(t).snapshot()
		spoil(t, s)
		done := time.Now()
		for _, qrun := range []string{"", "2.srv"} {
			cycle.Run(s, cycle.Options{At: noon, Qrun: qrun})
		}
		if took := time.Since(done); took > 20*time.Second {
			t.Fatalf("two cycles of a few jobs took %v", took)
		}
	})
}

func TestASnapshotWithoutPBSGivesAnEmptyPlan(t *testing.T) {
	if p := cycle.Run(&model.Snapshot{}, cycle.Options{At: noon}); len(p.Decisions) > 0 {
		t.Errorf("%+v", p)
	}
	if p := cycle.Run(&model.Snapshot{PBS: &model.PBS{}}, cycle.Options{At: noon}); len(p.Decisions) > 0 {
		t.Errorf("%+v", p)
	}
}
