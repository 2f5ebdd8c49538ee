package forecast

import (
	"slices"
	"time"

	"qprism/engine/model"
)

// A History has run times of ended tasks: by owner and job name, and by owner.
type History struct {
	byName  map[[2]string][]time.Duration // sorted
	byOwner map[string][]time.Duration
}

// Learn makes a history from records of the accounting file. It ignores tasks that never ran, or failed
// before their job began.
func Learn(ended []model.EndedTask) *History {
	h := &History{byName: map[[2]string][]time.Duration{}, byOwner: map[string][]time.Duration{}}
	for i := range ended {
		e := &ended[i]
		if e.Started.IsZero() || e.Wallclock <= 0 {
			continue
		}
		name := [2]string{e.Owner, e.Name}
		h.byName[name] = append(h.byName[name], e.Wallclock)
		h.byOwner[e.Owner] = append(h.byOwner[e.Owner], e.Wallclock)
	}
	for _, list := range h.byName {
		slices.Sort(list)
	}
	for _, list := range h.byOwner {
		slices.Sort(list)
	}
	return h
}

// Runtime is the median run time of the owner's tasks with the same name, else of all tasks of the owner. If
// the task has already run for ran, only longer run times count. ok is false without such tasks.
func (h *History) Runtime(j *model.Job, ran time.Duration) (d time.Duration, ok bool) {
	if h == nil {
		return 0, false
	}
	if d, ok = median(h.byName[[2]string{j.Owner, j.Name}], ran); ok {
		return d, true
	}
	return median(h.byOwner[j.Owner], ran)
}

// median is the middle one of the sorted lengths beyond a bound: of two, the longer.
func median(sorted []time.Duration, beyond time.Duration) (d time.Duration, ok bool) {
	first, _ := slices.BinarySearch(sorted, beyond+1)
	longer := sorted[first:]
	if len(longer) == 0 {
		return 0, false
	}
	return longer[len(longer)/2], true
}
