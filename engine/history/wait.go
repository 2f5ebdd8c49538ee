package history

import (
	"slices"
	"time"

	"qprism/engine/model"
)

// A Moment is a job in one snapshot.
type Moment struct {
	At       time.Time
	Job      *model.Job
	Standing *model.Standing // nil if the job does not wait, or the snapshot was not analyzed
}

// A Wait is the waiting time of a job, by cause. It lasts from submission until the last task started, or
// until the last snapshot in which the job waits.
type Wait struct {
	Submitted time.Time
	Until     time.Time     // when it started; if Waiting, the last snapshot with it
	Waiting   bool          // no start is known
	Unseen    time.Duration // from submission to the first snapshot
	Parts     []Part        // the longest first; with Unseen they sum to the whole time
}

// A Part is the waiting time for one cause.
type Part struct {
	Cause  model.Cause
	For    time.Duration
	Rivals []uint32 // jobs before it, by number; at most mostRivals
	Object string   // the place that it waited for longest; empty if there were several or none
}

// mostRivals bounds the rivals of a part.
const mostRivals = 10

// Total is the whole waiting time.
func (w *Wait) Total() time.Duration {
	total := w.Unseen
	for _, p := range w.Parts {
		total += p.For
	}
	return total
}

// WaitOf divides the waiting time of one job by cause. The moments are those of the job, by time. Between two
// snapshots the cause of the earlier one counts, so shorter intervals give more exact parts.
func WaitOf(moments []Moment) Wait {
	var w Wait
	if len(moments) == 0 {
		return w
	}
	w.Submitted, w.Until, w.Waiting = moments[0].Job.Submitted, moments[0].At, true
	if start, started := startOf(moments[0].Job); started {
		w.Until, w.Waiting = model.Latest(start, w.Submitted), false
		w.Unseen = w.Until.Sub(w.Submitted)
		return w
	}
	w.Unseen = max(moments[0].At.Sub(w.Submitted), 0)
	parts := map[model.Cause]*Part{}
	for i, m := range moments[:len(moments)-1] {
		next := moments[i+1]
		w.Until = next.At
		start, started := startOf(next.Job)
		if started {
			w.Until, w.Waiting = model.Latest(m.At, model.Earliest(start, next.At)), false
		}
		tally(parts, m.Standing, w.Until.Sub(m.At))
		if started {
			break
		}
	}
	w.Parts = listParts(parts)
	return w
}

func tally(parts map[model.Cause]*Part, st *model.Standing, pass time.Duration) {
	if st == nil {
		st = &model.Standing{Cause: model.CauseUnknown}
	}
	p := parts[st.Cause]
	if p == nil {
		p = &Part{Cause: st.Cause, Object: st.Object}
		parts[st.Cause] = p
	}
	p.For += pass
	if p.Object != st.Object {
		p.Object = ""
	}
	if st.Rival != 0 && !slices.Contains(p.Rivals, st.Rival) && len(p.Rivals) < mostRivals {
		p.Rivals = append(p.Rivals, st.Rival)
	}
}

// listParts lists the parts that took any time, the longest first.
func listParts(parts map[model.Cause]*Part) (list []Part) {
	for _, c := range Causes {
		if p := parts[c]; p != nil && p.For > 0 {
			slices.Sort(p.Rivals)
			list = append(list, *p)
		}
	}
	slices.SortStableFunc(list, func(a, b Part) int { return int(min(max(b.For-a.For, -1), 1)) })
	return list
}

// startOf is when the last of a job's tasks started that a snapshot shows; started is false while one waits.
func startOf(j *model.Job) (start time.Time, started bool) {
	if j.PBS != nil {
		return j.PBS.Started, j.PBS.State != "Q" && j.PBS.State != "H" && j.PBS.State != "W" && !j.PBS.Started.IsZero()
	}
	for i := range j.Tasks {
		t := &j.Tasks[i]
		if waits(t) {
			return time.Time{}, false
		}
		start = model.Latest(start, t.Started)
	}
	return start, !start.IsZero()
}

// waits reports whether a task waits in the queue, by its state: qw, hqw, Eqw …
func waits(t *model.Task) bool { return t.Pending() && t.Started.IsZero() }
