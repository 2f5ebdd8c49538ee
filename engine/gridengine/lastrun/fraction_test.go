package lastrun

import (
	"testing"
	"time"

	"qprism/engine/model"
)

// TestWaitingTimesTellTheFractionOfARunsSecond: of two jobs of one second, the one that came later has waited a second less.
func TestWaitingTimesTellTheFractionOfARunsSecond(t *testing.T) {
	second := time.Unix(1_795_248_000, 0).UTC()
	job := func(number uint32, fraction time.Duration, waited float64) model.Job {
		return model.Job{Number: number, Submitted: second.Add(-10*time.Second + fraction), Reported: &model.JobReport{WTContr: waited}}
	}
	s := &model.Snapshot{Policy: model.Policy{WeightWaitingTime: 1, WeightDeadline: 3_600_000},
		Jobs: []model.Job{job(1, 300*time.Millisecond, 10), job(2, 600*time.Millisecond, 9)}}
	if got := withFraction(s, second, model.Quirks{}).Sub(second); got < 300*time.Millisecond || got >= 600*time.Millisecond {
		t.Errorf("the run was %v into its second", got)
	}
	left := 100*time.Second - 450*time.Millisecond
	s.Jobs = append(s.Jobs, model.Job{Number: 3, Deadline: second.Add(100 * time.Second),
		Reported: &model.JobReport{DLContr: 3_600_000 / left.Seconds()}})
	if got := withFraction(s, second, model.Quirks{}).Sub(second); (got - 450*time.Millisecond).Abs() > time.Microsecond {
		t.Errorf("by the deadline the run was %v into its second", got)
	}
	exact := second.Add(957105 * time.Microsecond)
	if got := withFraction(s, exact, model.Quirks{}); !got.Equal(exact) {
		t.Errorf("a moment known to the microsecond became %v", got)
	}
}

// TestAJobThatARunHasRankedWasThereBeforeIt: of two jobs submitted in the second of the run, the one with numbers came before it.
func TestAJobThatARunHasRankedWasThereBeforeIt(t *testing.T) {
	second := time.Unix(1_795_248_000, 0).UTC()
	job := func(number uint32, fraction time.Duration, npprior float64) model.Job {
		return model.Job{Number: number, Submitted: second.Add(fraction), Reported: &model.JobReport{NPPrior: npprior}}
	}
	s := &model.Snapshot{Policy: model.Policy{ReportPendingTickets: true},
		Jobs: []model.Job{job(1, 400*time.Millisecond, 0.5), job(2, 700*time.Millisecond, 0)}}
	if got := withFraction(s, second, model.Quirks{}).Sub(second); got < 400*time.Millisecond || got >= 700*time.Millisecond {
		t.Errorf("the run was %v into its second", got)
	}
}
