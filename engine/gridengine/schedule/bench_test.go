package schedule

import (
	"fmt"
	"math"
	"testing"
	"time"

	"qprism/compat"
	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

var benchTime = time.Unix(2_000_000, 0).UTC()

// big is a cluster of hosts with 16 slots each, and pending jobs of 16 kinds.
func big(hosts, pending int) *model.Snapshot {
	s := &model.Snapshot{Policy: model.Policy{QueueSort: "load", LoadFormula: "np_load_avg", DefaultDuration: time.Hour,
		ScheduleInterval: 15 * time.Second,
		WeightPriority:   1, MaxPendingTasks: 50, MaxFunctionalJobs: 200,
		LoadAdjustments:     []model.Setting{{Name: "np_load_avg", Value: "0.50"}},
		LoadAdjustmentDecay: 450 * time.Second},
		Resources: []model.Resource{
			{Name: "slots", Shortcut: "s", Type: model.TypeInt, Relop: model.AtMost,
				Requestable: model.RequestYes, Consumable: model.ConsumeYes,
				Default: "1"},
			{Name: "h_rt", Type: model.TypeTime, Relop: model.AtMost, Requestable: model.RequestYes,
				Consumable: model.ConsumeNo},
			{Name: "mem", Type: model.TypeMemory, Relop: model.AtMost, Requestable: model.RequestYes,
				Consumable: model.ConsumeYes, Default: "0"},
			{Name: "np_load_avg", Type: model.TypeDouble, Relop: model.AtLeast, Requestable: model.RequestYes,
				Consumable: model.ConsumeNo}},
		PEs:    []model.PE{{Name: "mpi", Slots: 100_000, AllocationRule: "$fill_up"}},
		Config: model.Config{Global: []model.Setting{{Name: "max_aj_instances", Value: "2000"}}}}
	for i := range hosts {
		name := fmt.Sprintf("node%04d", i)
		s.Hosts = append(s.Hosts, model.Host{Name: name, Capacity: []model.Setting{{Name: "mem", Value: "64G"}},
			LoadReport: []model.Setting{{Name: "np_load_avg", Value: fmt.Sprintf("0.%02d", i%50)},
				{Name: "num_proc", Value: "16"}}})
		s.Instances = append(s.Instances, model.QueueInstance{Name: "all.q@" + name, Queue: "all.q",
			Host: name, Slots: 16, Type: "BATCH",
			PEs: []string{"mpi"}, Limits: []model.Setting{{Name: "h_rt", Value: "INFINITY"},
				{Name: "s_rt", Value: "INFINITY"}}, Listed: true,
			LoadThresholds: []model.Setting{{Name: "np_load_avg", Value: "1.75"}}})
	}
	for i := range pending {
		memory := fmt.Sprintf("%dG", 1+i%16)
		amount, _ := model.ParseNumber(memory)
		s.Jobs = append(s.Jobs, model.Job{Number: uint32(i + 1), Owner: fmt.Sprintf("u%d", i%50),
			Submitted: benchTime.Add(-time.Hour),
			Detailed:  true,
			Hard: []model.Request{{Resource: "h_rt", Value: "3600", Amount: 3600},
				{Resource: "mem", Value: memory, Amount: amount}},
			Tasks: []model.Task{{IDs: []model.Range{{Min: 1, Max: 1, Step: 1}}, State: "qw", Slots: 1}}})
	}
	return s
}

// busy fills every slot of the hosts with running jobs, which end one after the other.
func busy(s *model.Snapshot) {
	n := uint32(1_000_000)
	for i := range s.Instances {
		q := &s.Instances[i]
		for k := range q.Slots {
			n++
			s.Jobs = append(s.Jobs, model.Job{Number: n, Owner: "r", Submitted: benchTime.Add(-2 * time.Hour), Detailed: true,
				Hard: []model.Request{{Resource: "h_rt", Value: fmt.Sprint(7200 + 10*(i*16+k)%50000)}},
				Tasks: []model.Task{{IDs: []model.Range{{Min: 1, Max: 1, Step: 1}}, State: "r",
					Enrolled: true, Started: benchTime.Add(-time.Hour),
					Slots:   1,
					Granted: []model.Grant{{Instance: q.Name, Slots: 1}}}}})
		}
		q.Used = q.Slots
	}
}

func rank(s *model.Snapshot, q model.Quirks) (split.Lists, *priority.Result) {
	lists := split.Jobs(s, benchTime, q, split.Assumed{})
	return lists, priority.Compute(priority.Input{Snapshot: s, Lists: lists, At: benchTime, FreeSlots: 1 << 20, Quirks: q})
}

// bench plans a run again and again, and says how long the fastest took.
func bench(b *testing.B, s *model.Snapshot, profile string) (fastest time.Duration) {
	q := compat.Profiles[profile]
	lists, ranked := rank(s, q)
	var plan *model.Plan
	fastest = time.Hour
	for b.Loop() {
		before := time.Now()
		plan = Dispatch(s, lists, ranked, Options{At: benchTime, Quirks: q})
		fastest = min(fastest, time.Since(before))
	}
	count := map[model.Verdict]float64{}
	for _, d := range plan.Decisions {
		count[d.Verdict]++
	}
	b.ReportMetric(count[model.Now], "starts")
	b.ReportMetric(count[model.Later], "reservations")
	b.ReportMetric(fastest.Seconds()*1000, "best-ms")
	return fastest
}

// BenchmarkPass dispatches 50,000 pending jobs of 16 categories on 1,000 hosts with 16 slots, without priorities.
func BenchmarkPass(b *testing.B) {
	for _, profile := range []string{"8.1.9", "fixed"} {
		b.Run(profile, func(b *testing.B) { bench(b, big(1000, 50_000), profile) })
	}
}

// BenchmarkReserve reserves for parallel jobs on 500 hosts that are all busy.
func BenchmarkReserve(b *testing.B) {
	for _, slots := range []uint32{4, 64, 512} {
		for _, profile := range []string{"8.1.9", "fixed"} {
			b.Run(fmt.Sprintf("%s/%d", profile, slots), func(b *testing.B) {
				s := big(500, 2000)
				s.Policy.MaxReservation = 100
				for i := range s.Jobs {
					s.Jobs[i].Reserve, s.Jobs[i].PE, s.Jobs[i].PERange = true, "mpi", []model.Range{{Min: slots, Max: slots, Step: 1}}
				}
				busy(s)
				spare := s.Instances[0] // keeps the run from ending because all is full
				spare.Name, spare.Queue, spare.Used, spare.PEs = "spare.q@node0000", "spare.q", 0, nil
				s.Instances = append(s.Instances, spare)
				bench(b, s, profile)
			})
		}
	}
}

// BenchmarkGrowth shows how the cost of a pass grows with the number of jobs: as this power of it, between ten thousand
// and so many. From there to a million, n log n has a slope of 1.09.
func BenchmarkGrowth(b *testing.B) {
	const first = 10_000
	var base time.Duration
	for _, n := range []int{first, 100_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			cost := bench(b, big(100, n), "8.1.9")
			if n == first {
				base = cost
				return
			}
			b.ReportMetric(math.Log(float64(cost)/float64(base))/math.Log(float64(n)/first), "slope")
		})
	}
}
