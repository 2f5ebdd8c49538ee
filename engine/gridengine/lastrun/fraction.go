package lastrun

import (
	"math"
	"slices"
	"time"

	"qprism/engine/model"
)

// A fractions narrows down the part of a second in which a run took place that counts microseconds, by
// printed contributions. (Quirk O9.)
type fractions struct {
	// of submissions that the run's must reach, and stay below: a job waits for whole seconds
	later, earlier []time.Duration
	at             []time.Duration // that deadlines tell, which count fractions themselves
}

// withFraction is the moment of a run with the fraction that agrees with most printed numbers. If none is
// better, the moment stays.
func withFraction(s *model.Snapshot, at time.Time, q model.Quirks) time.Time {
	second := at.Truncate(time.Second)
	var f fractions
	for i := range s.Jobs {
		if j := &s.Jobs[i]; j.Reported != nil {
			f.addSubmission(s, j, second, q)
			f.addWaiting(j, second, math.Abs(s.Policy.WeightWaitingTime))
			f.addDeadline(j, second, s.Policy.WeightDeadline)
		}
	}
	return second.Add(f.best(at.Sub(second)))
}

// addSubmission notes a job submitted in the second of the run. If the run ranked it, the run was later.
func (f *fractions) addSubmission(s *model.Snapshot, j *model.Job, second time.Time, q model.Quirks) {
	switch fraction := j.Submitted.Sub(second); {
	case fraction < 0 || fraction >= time.Second || !s.Policy.ReportPendingTickets:
	case ranked(s, j, q):
		f.later = append(f.later, fraction)
	default:
		f.earlier = append(f.earlier, fraction)
	}
}

func (f *fractions) addWaiting(j *model.Job, second time.Time, weight float64) {
	if weight == 0 || j.Submitted.IsZero() || !(math.Abs(j.Reported.WTContr) > 0) {
		return
	}
	fraction := j.Submitted.Sub(j.Submitted.Truncate(time.Second))
	switch whole := float64(second.Unix() - j.Submitted.Unix()); math.Round(math.Abs(j.Reported.WTContr) / weight) {
	case whole:
		f.later = append(f.later, fraction)
	case whole - 1:
		f.earlier = append(f.earlier, fraction)
	}
}

func (f *fractions) addDeadline(j *model.Job, second time.Time, weight float64) {
	v := j.Reported.DLContr
	if j.Deadline.IsZero() || !(v > 0) || v >= weight {
		return
	}
	left := time.Duration(weight / v * float64(time.Second))
	if at := j.Deadline.Add(-left).Sub(second); at >= 0 && at < time.Second {
		f.at = append(f.at, at)
	}
}

// best is the fraction that agrees with most numbers: the given one, or the first that is better. Files that
// count microseconds give a fraction close to that of the priorities.
func (f *fractions) best(given time.Duration) time.Duration {
	const near = 50 * time.Millisecond
	slices.Sort(f.later)
	slices.Sort(f.earlier)
	best, most := given, f.agree(given)
	for _, at := range slices.Concat(f.later, f.at) {
		if n := f.agree(at); n > most && (given == 0 || (at-given).Abs() <= near) {
			best, most = at, n
		}
	}
	return best
}

// agree counts the numbers that agree with a fraction.
func (f *fractions) agree(at time.Duration) int {
	const slack = 200 * time.Microsecond // of a printed deadline contribution
	reached, _ := slices.BinarySearch(f.later, at+1)
	passed, _ := slices.BinarySearch(f.earlier, at+1)
	n := reached + len(f.earlier) - passed
	for _, d := range f.at {
		if (d - at).Abs() <= slack {
			n++
		}
	}
	return n
}
