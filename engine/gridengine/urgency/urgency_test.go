package urgency_test

import (
	"testing"
	"time"

	"qprism/engine/gridengine/split"
	"qprism/engine/gridengine/urgency"
	"qprism/engine/model"
)

var quirks = model.Quirks{UrgencyMaximumPositive: true, UnsignedWaiting: true, JobConsumableTimesN: true}

// TestRequestedSlots follows sge_pe(5), urgency_slots.
func TestRequestedSlots(t *testing.T) {
	pes := []model.PE{{Name: "mpi", Slots: 16, UrgencySlots: "min"}, {Name: "top", Slots: 16, UrgencySlots: "MAX"},
		{Name: "mean", Slots: 10, UrgencySlots: "avg"}, {Name: "five", Slots: 16, UrgencySlots: "5"}, {Name: "odd", UrgencySlots: "some"}}
	span := func(ranges ...model.Range) []model.Range { return ranges }
	for name, c := range map[string]struct {
		pe     string
		ranges []model.Range
		want   int
	}{
		"a sequential job asks for one":           {pe: "", want: 1},
		"a single number is what it says":         {pe: "mpi", ranges: span(model.Range{Min: 7, Max: 7, Step: 1}), want: 7},
		"a single number needs no known PE":       {pe: "gone", ranges: span(model.Range{Min: 7, Max: 7, Step: 1}), want: 7},
		"a step that leaves one number is single": {pe: "top", ranges: span(model.Range{Min: 4, Max: 5, Step: 2}), want: 4},
		"min is the least of the first range":     {pe: "mpi", ranges: span(model.Range{Min: 2, Max: 8, Step: 1}), want: 2},
		"max is the most of the last range": {pe: "top",
			ranges: span(model.Range{Min: 2, Max: 8, Step: 1}, model.Range{Min: 10, Max: 12, Step: 1}), want: 12},
		"an open range ends with the PE's slots":    {pe: "top", ranges: span(model.Range{Min: 2, Max: 9999999, Step: 1}), want: 16},
		"avg cuts the mean to an integer":           {pe: "mean", ranges: span(model.Range{Min: 2, Max: 5, Step: 1}), want: 3},
		"avg counts none above the PE's slots":      {pe: "mean", ranges: span(model.Range{Min: 8, Max: 9999999, Step: 1}), want: 9},
		"avg of a range above the PE's slots is 0":  {pe: "mean", ranges: span(model.Range{Min: 12, Max: 14, Step: 1}), want: 0},
		"a number is that number":                   {pe: "five", ranges: span(model.Range{Min: 2, Max: 8, Step: 1}), want: 5},
		"anything else is one":                      {pe: "odd", ranges: span(model.Range{Min: 2, Max: 8, Step: 1}), want: 1},
		"an unknown PE is one":                      {pe: "gone", ranges: span(model.Range{Min: 2, Max: 8, Step: 1}), want: 1},
		"a pattern takes the first PE that it fits": {pe: "m*", ranges: span(model.Range{Min: 3, Max: 8, Step: 1}), want: 3},
	} {
		t.Run(name, func(t *testing.T) {
			if got := urgency.RequestedSlots(&model.Job{PE: c.pe, PERange: c.ranges}, pes); got != c.want {
				t.Errorf("got %d, want %d", got, c.want)
			}
		})
	}
}

// TestUrgency follows sge_priority(5) and the quirks of 8.1.9.
func TestUrgency(t *testing.T) {
	now := time.Unix(2_000_000, 0)
	policy := model.Policy{WeightWaitingTime: 0.278, WeightDeadline: 3_600_000}
	resources := []model.Resource{{Name: "slots", Type: model.TypeInt, Urgency: "1000"}, {Name: "lic", Type: model.TypeInt, Urgency: "100"},
		{Name: "app", Type: model.TypeString, Urgency: "7"}, {Name: "job", Type: model.TypeInt, Consumable: model.ConsumeJob, Urgency: "10"},
		{Name: "bad", Type: model.TypeInt, Urgency: "many"}}
	four := []model.Range{{Min: 4, Max: 4, Step: 1}}
	for name, c := range map[string]struct {
		job  model.Job
		want float64
	}{
		"a job that just came has its slot's urgency": {job: model.Job{Submitted: now}, want: 1000},
		"each second of waiting adds":                 {job: model.Job{Submitted: now.Add(-100 * time.Second)}, want: 1027.8},
		"slots multiply":                              {job: model.Job{Submitted: now, PE: "x", PERange: four}, want: 4000},
		"a number counts its amount for each slot": {job: model.Job{Submitted: now, PE: "x", PERange: four,
			Hard: []model.Request{{Resource: "lic", Amount: 2}}}, want: 4800},
		"a string counts once": {job: model.Job{Submitted: now, PE: "x", PERange: four,
			Hard: []model.Request{{Resource: "app", Value: "a"}}}, want: 4007},
		"a JOB consumable counts for each slot (Q9)": {job: model.Job{Submitted: now, PE: "x", PERange: four,
			Hard: []model.Request{{Resource: "job", Amount: 1}}}, want: 4040},
		"an unknown resource counts nothing": {job: model.Job{Submitted: now, Hard: []model.Request{{Resource: "none", Amount: 5}}},
			want: 1000},
		"an urgency that is no number counts nothing": {job: model.Job{Submitted: now, Hard: []model.Request{{Resource: "bad", Amount: 5}}},
			want: 1000},
		"a soft request counts nothing": {job: model.Job{Submitted: now, Soft: []model.Request{{Resource: "lic", Amount: 5}}},
			want: 1000},
		"a deadline counts by the seconds left":           {job: model.Job{Submitted: now, Deadline: now.Add(3600 * time.Second)}, want: 2000},
		"a deadline that is past counts in full for ever": {job: model.Job{Submitted: now, Deadline: now.Add(-time.Hour)}, want: 3_601_000},
	} {
		t.Run(name, func(t *testing.T) {
			s := &model.Snapshot{Policy: policy, Resources: resources}
			values, _ := urgency.Compute(split.Lists{Pending: []split.Entry{{Job: &c.job}}}, s, now, quirks)
			if got := values.Pending[0].Total; got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// TestUrgencyOfASingleNegativeJobIsZero is quirk Q6: the scale ends at the smallest positive number.
func TestUrgencyOfASingleNegativeJobIsZero(t *testing.T) {
	s := &model.Snapshot{Resources: []model.Resource{{Name: "slots", Type: model.TypeInt, Urgency: "-1000"}}}
	job := &model.Job{Submitted: time.Unix(1, 0)}
	lists := split.Lists{Pending: []split.Entry{{Job: job}}}
	for name, c := range map[string]struct {
		quirks model.Quirks
		want   float64
	}{"8.1.9": {quirks, 0}, "fixed": {model.Quirks{}, 0.5}} {
		values, _ := urgency.Compute(lists, s, time.Unix(1, 0), c.quirks)
		if got := values.Pending[0].Norm; got != c.want {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}

// TestSubmissionInTheFutureWaitsForEver is quirk Q7: the difference of the two clocks is unsigned.
func TestSubmissionInTheFutureWaitsForEver(t *testing.T) {
	s := &model.Snapshot{Policy: model.Policy{WeightWaitingTime: 1}}
	job := &model.Job{Submitted: time.Unix(101, 0)}
	values, _ := urgency.Compute(split.Lists{Pending: []split.Entry{{Job: job}}}, s, time.Unix(100, 0), quirks)
	if got, want := values.Pending[0].Waiting, float64(1<<32-1); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestAJobConsumableCountsOnceWithoutQ9: "fixed" has no quirk.
func TestAJobConsumableCountsOnceWithoutQ9(t *testing.T) {
	s := &model.Snapshot{Resources: []model.Resource{{Name: "job", Type: model.TypeInt, Urgency: "10", Consumable: model.ConsumeJob}}}
	j := &model.Job{Submitted: time.Unix(1, 0), PE: "x", PERange: []model.Range{{Min: 4, Max: 4, Step: 1}},
		Hard: []model.Request{{Resource: "job", Amount: 1}}}
	for want, q := range map[float64]model.Quirks{10: {}, 40: quirks} {
		values, _ := urgency.Compute(split.Lists{Pending: []split.Entry{{Job: j}}}, s, time.Unix(1, 0), q)
		if got := values.Pending[0].Resource; got != want {
			t.Errorf("got %v, want %v", got, want)
		}
	}
}
