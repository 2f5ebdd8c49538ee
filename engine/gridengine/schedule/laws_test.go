package schedule

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"qprism/compat"
	"qprism/engine/forecast"
	"qprism/engine/gridengine/cluster"
	"qprism/engine/gridengine/memory"
	"qprism/engine/gridengine/parallel"
	"qprism/engine/model"
)

// drawLab is a small cluster with running and pending jobs of all kinds.
func drawLab(t *rapid.T) *lab {
	hosts, slots := rapid.IntRange(1, 4).Draw(t, "hosts"), rapid.IntRange(1, 4).Draw(t, "slots")
	l := newLab(hosts, slots).consumable("license", "5", model.ConsumeYes).consumable("token", "", model.ConsumeJob).
		pe("mpi", rapid.SampledFrom([]string{"$fill_up", "$round_robin", "$pe_slots", "2"}).Draw(t, "rule"),
			6).pe("mpi2", "$fill_up", 3)
	l.Policy.MaxReservation = rapid.SampledFrom([]int{0, 2, 20}).Draw(t, "max_reservation")
	l.Policy.QueueSort = rapid.SampledFrom([]string{"load", "seqno"}).Draw(t, "sort")
	for i := range l.Instances {
		l.Instances[i].SeqNo = rapid.IntRange(0, 2).Draw(t, "seq_no")
		l.Hosts[i].Capacity = []model.Setting{{Name: "token", Value: "1"}}
	}
	if rapid.Bool().Draw(t, "quota") {
		l.Quotas = []model.QuotaSet{{Name: "set", Enabled: true, Rules: []model.QuotaRule{{
			Users:  model.QuotaFilter{Set: true, Each: rapid.Bool().Draw(t, "each"), Include: []string{"*"}},
			Limits: []model.Setting{{Name: "slots", Value: "3"}}}}}}
	}
	for i := range hosts {
		if rapid.Bool().Draw(t, "busy") {
			l.runs(10*time.Second, fmt.Sprintf("-l h_rt=%d", rapid.IntRange(11, 99).Draw(t, "length")), l.Instances[i].Name)
		}
	}
	for range rapid.IntRange(0, 8).Draw(t, "pending") {
		l.submit(drawJob(t))
	}
	return l
}

func drawJob(t *rapid.T) string {
	job := fmt.Sprintf("-u %s -l h_rt=%d", rapid.SampledFrom([]string{"x", "y"}).Draw(t, "owner"),
		rapid.IntRange(5, 60).Draw(t, "h_rt"))
	if n := rapid.IntRange(0, 6).Draw(t, "license"); n > 0 {
		job += fmt.Sprintf(",license=%d", n)
	}
	if rapid.IntRange(0, 3).Draw(t, "token") == 0 {
		job += ",token=1"
	}
	switch rapid.IntRange(0, 3).Draw(t, "kind") {
	case 0:
		least := rapid.IntRange(1, 5).Draw(t, "slots")
		job += fmt.Sprintf(" -pe %s %d-%d", rapid.SampledFrom([]string{"mpi", "mpi*"}).Draw(t, "pe"), least,
			least+rapid.IntRange(0, 2).Draw(t, "more"))
	case 1:
		job += " -t 1-3"
	}
	if rapid.Bool().Draw(t, "reserve") {
		job += " -R y"
	}
	return job
}

var fixed = compat.Profiles["fixed"]

// TestALesserJobChangesNothingForAHigherOne plans each run again without the last job: what becomes of the
// others is the same, so that no job that is tried later delays a start or a reservation of one before it.
func TestALesserJobChangesNothingForAHigherOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLab(t)
		if len(l.Jobs) == 0 {
			return
		}
		all := decisions(l.plan(fixed))
		last := l.Jobs[len(l.Jobs)-1].Number
		l.Jobs = l.Jobs[:len(l.Jobs)-1]
		l.memory = memory.Memory{}
		fewer := decisions(l.plan(fixed))
		delete(all, last)
		delete(fewer, last)
		if !reflect.DeepEqual(all, fewer) {
			t.Fatalf("with job %d:\n%v\nwithout:\n%v", last, all, fewer)
		}
	})
}

// decisions are what becomes of each job, whatever the reasons.
func decisions(p *model.Plan) map[uint32][]model.Decision {
	m := map[uint32][]model.Decision{}
	for _, d := range p.Decisions {
		d.Why = nil
		m[d.Job] = append(m[d.Job], d)
	}
	return m
}

func TestEqualInputGivesEqualOutput(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLab(t)
		profile := compat.Profiles[rapid.SampledFrom([]string{"8.1.9", "6.2u5", "6.1", "fixed"}).Draw(t, "profile")]
		first := Run(l.Snapshot, Options{At: noon, Quirks: profile})
		if again := Run(l.Snapshot, Options{At: noon, Quirks: profile}); !reflect.DeepEqual(first, again) {
			t.Fatalf("first\n%s\nthen\n%s", story(first), story(again))
		}
	})
}

// TestABriefRunDecidesTheSame: it leaves out reasons, ties and what waits, and nothing else is lost.
func TestABriefRunDecidesTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLab(t)
		opts := Options{At: noon, Quirks: compat.Profiles[rapid.SampledFrom([]string{"8.1.9", "fixed"}).Draw(t, "release")]}
		full := Run(l.Snapshot, opts)
		opts.Brief = true
		if brief := Run(l.Snapshot, opts); len(brief.Decisions) != len(placed(full)) || !reflect.DeepEqual(placed(full), placed(brief)) {
			t.Fatalf("%+v\n%+v", full.Decisions, brief.Decisions)
		}
	})
}

// TestABriefRunStartsTheSame plays runs forward of which one scheduler keeps what the configuration says,
// and is asked for starts alone; the other finds everything anew.
func TestABriefRunStartsTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := forecast.NewCluster(drawLab(t).Snapshot)
		opts := Options{Quirks: compat.Profiles[rapid.SampledFrom([]string{"8.1.9", "fixed"}).Draw(t, "release")]}
		keeps, forgets := &memory.Memory{}, &memory.Memory{}
		for n := range 5 {
			opts.At = noon.Add(time.Duration(n) * 15 * time.Second)
			forgets.Register = cluster.Register{}
			opts.Memory, opts.Brief = forgets, false
			plain := Run(c.Snapshot, opts)
			opts.Memory, opts.Brief = keeps, rapid.Bool().Draw(t, "brief")
			brief := Run(c.Snapshot, opts)
			if a, b := placed(plain), placed(brief); !reflect.DeepEqual(a, b) {
				t.Fatalf("run %d: %+v\nbrief: %+v", n, a, b)
			}
			for _, s := range c.Apply(plain) {
				if rapid.Bool().Draw(t, "ends") {
					c.End(s.Job.Number, s.Task)
				}
			}
			c.Switch(c.Instances[0].Name, rapid.SampledFrom([]string{"", "o", "d"}).Draw(t, "state"))
			c.Settle(opts.At)
		}
	})
}

// placed are the starts and reservations of a plan, without reasons and ties.
func placed(p *model.Plan) (list []model.Decision) {
	for _, d := range p.Decisions {
		if d.Why, d.Tied = nil, nil; d.Verdict != model.Never {
			list = append(list, d)
		}
	}
	return list
}

// TestEveryWaitingJobHasAReason holds in all profiles.
func TestEveryWaitingJobHasAReason(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLab(t)
		p := l.plan(compat.Profiles[rapid.SampledFrom([]string{"8.1.9", "fixed"}).Draw(t, "profile")])
		for _, d := range p.Decisions {
			if d.Verdict != model.Now && len(d.Why) == 0 {
				t.Fatalf("job %d: %s without a reason", d.Job, d.Verdict)
			}
		}
	})
}

// TestSweepsAgreeWithTries compares the search for the time of a parallel reservation by sums over all hosts with the
// one that tries every moment.
func TestSweepsAgreeWithTries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLab(t)
		l.Quotas = nil
		profile := compat.Profiles[rapid.SampledFrom([]string{"8.1.9", "fixed"}).Draw(t, "profile")]
		fast := story(Run(l.Snapshot, Options{At: noon, Quirks: profile}))
		parallel.NoSweeps = true
		defer func() { parallel.NoSweeps = false }()
		if slow := story(Run(l.Snapshot, Options{At: noon, Quirks: profile})); slow != fast {
			t.Fatalf("by tries\n%s\nby sums\n%s", slow, fast)
		}
	})
}
