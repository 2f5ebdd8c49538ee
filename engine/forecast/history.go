package forecast

import (
	"slices"
	"time"

	"qprism/engine/model"
)

// A History knows how long tasks that have ended ran: by owner and job name, and by owner.
type History struct {
	byName  map[[2]string][]time.Duration // sorted
	byOwner map[string][]time.Duration
}

// Learn makes a history of records of the accounting file. Tasks that never ran or failed before their job began tell nothing.
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

// Runtime is the median run time of the owner's tasks of the same name, else of all of the owner's. Of a task that has been
// running for a while, only those that ran longer tell anything. ok is false where there are none.
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
