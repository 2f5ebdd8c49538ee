package schedule

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"qprism/compat"
	"qprism/engine/gridengine/memory"
	"qprism/engine/model"
)

// A strange cluster is one that no master would print: names that nobody explains, numbers beyond all bounds, lists
// that contradict each other.
type strange struct{ *rapid.T }

func (s strange) pick(what string, from ...string) string {
	return rapid.SampledFrom(from).Draw(s.T, what)
}

func (s strange) number(what string) int {
	return rapid.SampledFrom([]int{0, 1, 1, 2, 2, 3, -1, 7, 1 << 31, -(1 << 31), 1<<62 - 1}).Draw(s.T, what)
}

func (s strange) many(what string) int { return rapid.IntRange(0, 3).Draw(s.T, what) }

func (s strange) host() string { return s.pick("host", "a", "b", "A.domain", "global", "", "nowhere") }

func (s strange) queue() string { return s.pick("queue", "all.q", "other.q", "", "@") }

func (s strange) instance() string { return s.queue() + "@" + s.host() }

func (s strange) resource() string {
	return s.pick("resource", "slots", "s", "license", "token", "alone", "np_load_avg", "h_rt", "s_rt",
		"colour", "qname", "seq_no", "nowhere", "")
}

func (s strange) value() string {
	return s.pick("value", "0", "1", "1", "2", "-3", "1.5", "1e308", "-1e308", "NaN", "INFINITY", "0x",
		"TRUE", "", "1:00:00", "::", "blue", "!(a|", "$slots*2", "99999999999")
}

func (s strange) settings(what string) (list []model.Setting) {
	for range s.many(what) {
		list = append(list, model.Setting{Name: s.resource(), Value: s.value()})
	}
	return list
}

func (s strange) requests(what string) (list []model.Request) {
	for _, x := range s.settings(what) {
		amount, _ := model.ParseNumber(x.Value)
		list = append(list, model.Request{Resource: x.Name, Value: x.Value, Amount: amount})
	}
	return list
}

func (s strange) ranges(what string) (list []model.Range) {
	bound := rapid.SampledFrom([]uint32{0, 1, 1, 2, 3, 5, 1 << 31, 1<<32 - 1})
	for range s.many(what) {
		list = append(list, model.Range{Min: bound.Draw(s.T, "min"), Max: bound.Draw(s.T, "max"),
			Step: bound.Draw(s.T, "step")})
	}
	return list
}

func (s strange) grants() (list []model.Grant) {
	for range s.many("grants") {
		list = append(list, model.Grant{Instance: s.instance(), Slots: s.number("slots")})
	}
	return list
}

func (s strange) when(what string) time.Time {
	return rapid.SampledFrom([]time.Time{{}, noon, noon.Add(-time.Minute), noon.Add(time.Hour),
		time.Unix(0, 0), time.Unix(-5, 0), time.Unix(1<<40, 0)}).Draw(s.T, what)
}

func (s strange) length(what string) time.Duration {
	return rapid.SampledFrom([]time.Duration{0, time.Second, time.Hour, -time.Hour, model.Forever,
		1<<63 - 1}).Draw(s.T, what)
}

func (s strange) names(what string) (list []string) {
	for range s.many(what) {
		list = append(list, s.pick("name", "u", "x", "mpi", "all.q", "a", "@staff", "*", ""))
	}
	return list
}

func (s strange) snapshot() *model.Snapshot {
	m := &model.Snapshot{Policy: s.policy(), Location: s.pick("zone", "+0000", "", "x")}
	for _, r := range []model.Resource{
		{Name: "slots", Shortcut: "s", Type: model.TypeInt, Relop: model.AtMost, Consumable: model.ConsumeYes, Default: "1"},
		{Name: "license", Type: model.TypeInt, Relop: model.AtMost, Consumable: model.ConsumeYes},
		{Name: "token", Type: model.TypeInt, Relop: model.AtMost, Consumable: model.ConsumeJob},
		{Name: "alone", Type: model.TypeBool, Relop: model.Exclusive, Consumable: model.ConsumeYes},
		{Name: "np_load_avg", Type: model.TypeDouble, Relop: model.AtLeast},
		{Name: "h_rt", Type: model.TypeTime, Relop: model.AtMost},
		{Name: "s_rt", Type: model.TypeTime, Relop: model.AtMost},
		{Name: "colour", Type: model.TypeReString, Relop: model.Equal},
		{Name: "qname", Type: model.TypeString, Relop: model.Equal},
	} {
		r.Requestable = model.Requestable(
			s.pick("requestable", string(model.RequestYes), string(model.RequestYes), string(model.RequestNo),
				string(model.RequestForced), ""))
		if r.Default == "" {
			r.Default = s.value()
		}
		if s.number("left out") < 3 {
			m.Resources = append(m.Resources, r)
		}
	}
	for range s.many("hosts") {
		m.Hosts = append(m.Hosts, model.Host{Name: s.host(), Capacity: s.settings("capacity"), LoadReport: s.settings("load"),
			ACL: s.names("acl"), Projects: s.names("projects")})
	}
	for range s.many("instances") {
		q := model.QueueInstance{Queue: s.queue(), Host: s.host(), SeqNo: s.number("seq_no"),
			Slots: s.number("slots"), Used: s.number("used"),
			Listed: s.number("listed") > 0,
			Type:   s.pick("type", "BATCH", "INTERACTIVE", "BATCH INTERACTIVE", ""),
			State:  s.pick("state", "", "", "d", "D", "C", "o", "au"),
			PEs:    []string{"mpi"}, Calendar: s.pick("calendar", "", "night"),
			Capacity: s.settings("capacity"), Limits: s.settings("limits"), LoadThresholds: s.settings("thresholds"),
			SuspendThresholds: s.settings("thresholds")}
		q.Name = q.Queue + "@" + q.Host
		q.Subordinates = []model.Subordinate{{Queue: s.queue(), Threshold: s.number("threshold")}}
		m.Instances = append(m.Instances, q)
	}
	for range s.many("pes") {
		m.PEs = append(m.PEs, model.PE{Name: s.pick("pe", "mpi", "mpi2"), Slots: s.number("slots"),
			AllocationRule: s.pick("rule", "$fill_up", "$round_robin", "$pe_slots", "2", "0", "-1", "x", "1e99"),
			ACL:            s.names("acl")})
	}
	m.Calendars = []model.Calendar{{Name: "night",
		Week: []model.WeekEntry{{State: s.pick("state", "off", "suspended", "on"),
			Times: []model.Daytime{{From: s.length("from"), To: s.length("to")}}}}}}
	for range s.many("quotas") {
		m.Quotas = append(m.Quotas, model.QuotaSet{Name: "set", Enabled: true,
			Rules: []model.QuotaRule{{Users: model.QuotaFilter{Set: true, Each: true, Include: s.names("users")},
				Limits: s.settings("limits")}}})
	}
	for range s.many("reserved") {
		m.Reserved = append(m.Reserved, model.AdvanceReservation{Number: uint32(s.many("number")),
			State: s.pick("state", "r", "w", ""),
			Start: s.when("start"), End: s.when("end"), Duration: s.length("duration"),
			PE: s.pick("pe", "", "mpi"), Requests: s.requests("requests"), Granted: s.grants()})
	}
	for i := range rapid.IntRange(0, 6).Draw(s.T, "jobs") {
		m.Jobs = append(m.Jobs, s.job(uint32(i/2)))
	}
	return m
}

func (s strange) policy() model.Policy {
	p := model.Policy{QueueSort: s.pick("sort", "load", "seqno", ""),
		LoadFormula:      s.pick("formula", "np_load_avg", "-license/slots", "1e308*1e308-slots", "", "$x^"),
		DefaultDuration:  s.length("default_duration"),
		ScheduleInterval: s.length("interval"), MaxReservation: s.number("max_reservation"),
		MaxUserJobs: s.number("maxujobs"), WeightPriority: 1,
		MaxPendingTasks: 5,
		LoadAdjustments: s.settings("adjustments"), LoadAdjustmentDecay: s.length("decay")}
	p.Params = []model.Setting{{Name: "DURATION_OFFSET", Value: s.value()},
		{Name: "PE_RANGE_ALG", Value: s.pick("algorithm", "auto", "bin", "least", "highest", "x")}}
	return p
}

func (s strange) job(number uint32) model.Job {
	j := model.Job{Number: number, Owner: s.pick("owner", "u", "x", ""), Submitted: s.when("submitted"), Detailed: true,
		Reserve: s.number("reserve") > 0, Type: uint32(s.many("type")),
		PE: s.pick("pe", "", "mpi", "*", "none"), PERange: s.ranges("range"), Hard: s.requests("hard"),
		Soft:       s.requests("soft"),
		SoftQueues: s.names("soft queues"), HardQueues: s.names("queues"),
		MasterQueues: s.names("master queues"), Checkpoint: s.pick("checkpoint", "", "", "c"),
		Reservation: uint32(s.many("advance")),
		Structure:   s.ranges("structure"), Array: s.number("array") > 0,
		MaxRunningTasks: uint32(s.many("tc"))}
	for range s.many("tasks") {
		t := model.Task{IDs: s.ranges("ids"), State: s.pick("state", "qw", "r", "hqw", "Rq", "Eqw", "S", ""),
			Enrolled: s.number("enrolled") > 0,
			Slots:    s.number("slots"), Started: s.when("started"), Ended: s.when("ended"), Granted: s.grants(),
			PE: s.pick("pe", "", "mpi")}
		if t.Enrolled || !t.Started.IsZero() || !t.Ended.IsZero() { // the importer makes one of each
			n := uint32(s.many("task"))
			t.IDs = []model.Range{{Min: n, Max: n, Step: 1}}
		}
		j.Tasks = append(j.Tasks, t)
	}
	return j
}

// TestNothingPanics plans clusters that cannot be, in bounded time.
func TestNothingPanics(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := strange{t}.snapshot()
		profile := rapid.SampledFrom([]string{"8.1.9", "6.1", "fixed"}).Draw(t, "profile")
		began := time.Now()
		memory := &memory.Memory{}
		for range 2 {
			Run(s, Options{At: noon, Quirks: compat.Profiles[profile], Memory: memory})
		}
		if took := time.Since(began); took > 10*time.Second {
			t.Fatalf("a run took %v: %s", took, fmt.Sprintf("%+v", s))
		}
	})
}
