package urgency

import (
	"math"
	"strings"
	"time"

	"qprism/engine/gridengine/split"
	"qprism/engine/model"
	"qprism/engine/model/glob"
	"qprism/engine/room"
)

// A Value is the urgency of one job.
type Value struct {
	Resource float64 // rrcontr
	Waiting  float64 // wtcontr
	Deadline float64 // dlcontr
	Total    float64 // urg
	Norm     float64 // nurg, between 0 and 1
}

// Epsilon is the smallest range of values. If the range is less, the master normalizes all values to 0.5.
const Epsilon = 0.00001

// Normalize maps v from lo…hi to 0…1. If the range is less than Epsilon, the result is 0.5 (rule R7).
func Normalize(v, lo, hi float64) float64 {
	if hi-lo < Epsilon {
		return 0.5
	}
	return (v - lo) / (hi - lo)
}

// A Scale has the range of the urgencies of one run.
type Scale struct {
	Lo, Hi float64 // least and greatest urgency of all running and pending jobs
}

// Values are the urgencies of the jobs in two lists, in the order of each list.
type Values struct{ Running, Pending []Value }

// Compute computes the urgency of each job at the moment of the run (R12).
func Compute(lists split.Lists, s *model.Snapshot, at time.Time, quirks model.Quirks) (Values, Scale) {
	m := newMeter(s, at, quirks)
	all := valueLists.For(len(lists.Running) + len(lists.Pending))[:0]
	scale := Scale{Lo: math.MaxFloat64, Hi: -math.MaxFloat64}
	if quirks.UrgencyMaximumPositive {
		scale.Hi = 0x1p-1022
	}
	for _, list := range [][]split.Entry{lists.Running, lists.Pending} {
		for i := range list {
			v := m.value(list[i].Job)
			all = append(all, v)
			scale.Lo, scale.Hi = math.Min(scale.Lo, v.Total), math.Max(scale.Hi, v.Total)
		}
	}
	for i := range all {
		all[i].Norm = Normalize(all[i].Total, scale.Lo, scale.Hi)
	}
	return Values{all[:len(lists.Running)], all[len(lists.Running):]}, scale
}

var valueLists room.Lists[Value]

// Release lets later runs use the memory. The caller must not use the values afterwards.
func (v *Values) Release() { valueLists.Keep(v.Running) }

// A meter measures the urgency of jobs under one policy at one moment.
type meter struct {
	policy    *model.Policy
	at        time.Time
	quirks    model.Quirks
	resources map[string]weight
	slots     float64 // urgency of the slots resource, which every job asks for
	pes       []model.PE
}

// A weight is the urgency of one unit of a resource.
type weight struct {
	urgency float64
	kind    model.ResourceType
	perJob  bool
}

// Of is the urgency of one job, held or not, without the normalized value.
func Of(j *model.Job, s *model.Snapshot, at time.Time, quirks model.Quirks) Value {
	return newMeter(s, at, quirks).value(j)
}

func newMeter(s *model.Snapshot, at time.Time, quirks model.Quirks) *meter {
	m := &meter{policy: &s.Policy, at: at, quirks: quirks, resources: make(map[string]weight, len(s.Resources)),
		pes: s.PEs}
	for _, r := range s.Resources {
		urgency, err := model.ParseNumber(r.Urgency)
		if err != nil {
			urgency = 0
		}
		m.resources[r.Name] = weight{urgency: urgency, kind: r.Type, perJob: r.Consumable == model.ConsumeJob}
	}
	m.slots = m.resources["slots"].urgency
	return m
}

func (m *meter) value(j *model.Job) Value {
	v := Value{Resource: m.resource(j), Waiting: m.waiting(j), Deadline: m.deadline(j)}
	v.Total = v.Waiting + v.Deadline + v.Resource
	return v
}

// waiting is weight_waiting_time for each whole second since submission; NaN where the submission is not known (R13).
func (m *meter) waiting(j *model.Job) float64 {
	if j.Submitted.IsZero() {
		if m.policy.WeightWaitingTime == 0 {
			return 0
		}
		return math.NaN()
	}
	return float64(m.policy.WeightWaitingTime * Waited(m.at, j.Submitted, m.quirks))
}

// Waited is the waiting time in seconds, as a run counts it from the submission (R13, Q7, O9).
func Waited(run, submitted time.Time, q model.Quirks) float64 {
	switch {
	case q.FractionalClock:
		return math.Max(math.Floor(run.Sub(submitted).Seconds()), 0)
	case q.UnsignedWaiting:
		return float64(uint32(run.Unix() - submitted.Unix()))
	}
	return float64(run.Unix() - submitted.Unix())
}

// deadline is weight_deadline divided by the seconds that are left, and the whole weight from one second
// before on (R14).
func (m *meter) deadline(j *model.Job) float64 {
	if j.Deadline.IsZero() {
		return 0
	}
	return m.policy.WeightDeadline / Left(m.at, j.Deadline, m.quirks)
}

// Left is the time in seconds until a deadline, as a run counts it, at least 1 (R14, O9).
func Left(run, deadline time.Time, q model.Quirks) float64 {
	if q.FractionalClock {
		return math.Max(deadline.Sub(run).Seconds(), 1)
	}
	return float64(max(int32(deadline.Unix()-run.Unix()), 1))
}

// resource sums what the hard requests contribute, the slots first (R15).
func (m *meter) resource(j *model.Job) float64 {
	n := float64(RequestedSlots(j, m.pes))
	sum := 0.0
	sum += m.slots * n
	for i := range j.Hard {
		sum += m.request(&j.Hard[i], n)
	}
	return sum
}

// request is the urgency that one request contributes to a job of n slots.
func (m *meter) request(r *model.Request, n float64) float64 {
	w, known := m.resources[r.Resource]
	switch {
	case !known:
		return 0
	case !w.kind.Numeric():
		return w.urgency
	case w.perJob && !m.quirks.JobConsumableTimesN:
		return r.Amount * w.urgency
	}
	return r.Amount * w.urgency * n
}

// RequestedSlots is the number of slots that urgency counts for a job, sge_pe(5) urgency_slots (R16).
func RequestedSlots(j *model.Job, pes []model.PE) int {
	if j.PE == "" || len(j.PERange) == 0 {
		return 1
	}
	first, last := j.PERange[0], j.PERange[len(j.PERange)-1]
	if model.CountOf(j.PERange) == 1 {
		return int(first.Min)
	}
	pe := FindPE(j.PE, pes)
	if pe == nil {
		return 1
	}
	switch rule := strings.ToLower(pe.UrgencySlots); {
	case rule == "min":
		return int(first.Min)
	case rule == "max" && last.Max >= infiniteSlots:
		return pe.Slots
	case rule == "max":
		return int(last.Max)
	case rule == "avg":
		return averageSlots(j.PERange, uint32(pe.Slots))
	case rule != "" && rule[0] >= '0' && rule[0] <= '9':
		return leadingNumber(rule)
	}
	return 1
}

// infiniteSlots stands for an open range, "4-".
const infiniteSlots = 9999999

// averageSlots is the mean of all slot counts of the ranges, none counted above what the PE has, cut to an integer.
func averageSlots(ranges []model.Range, slots uint32) int {
	sum, n := 0.0, 0.0
	for _, r := range ranges {
		top := r.Max
		if slots != 0 {
			top = min(top, slots)
		}
		if top < r.Min {
			continue
		}
		step := max(r.Step, 1)
		count := float64((top-r.Min)/step + 1)
		n += count
		sum += count * (float64(r.Min) + float64(step)*(count-1)/2)
	}
	if n == 0 {
		return 0
	}
	return int(sum / n)
}

// leadingNumber reads the digits a text begins with, as C's atoi does.
func leadingNumber(text string) int {
	n := 0
	for _, c := range text {
		if c < '0' || c > '9' || n > 1<<24 {
			break
		}
		n = n*10 + int(c-'0')
	}
	return n
}

// FindPE is the parallel environment with that name. If there is none, it is the first that matches the name
// as a pattern.
func FindPE(name string, pes []model.PE) *model.PE {
	for i := range pes {
		if pes[i].Name == name {
			return &pes[i]
		}
	}
	for i := range pes {
		if glob.Match(name, pes[i].Name) {
			return &pes[i]
		}
	}
	return nil
}
