// Package lastrun recomputes the last scheduler run before a snapshot was taken: when it was, what it computed, and what the master
// shows of it afterwards.
package lastrun

import (
	"math"
	"time"

	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// Options say which run is looked at, and by which rules.
type Options struct {
	At     time.Time // the moment of the run; zero to infer it
	Quirks model.Quirks
}

// Look recomputes the last run of a snapshot: of several moments, that of which most of the printed numbers come out. There is no view
// where the policy or the moment is not known.
func Look(s *model.Snapshot, opts Options) (*View, Moment) {
	moments := Moments(s, opts)
	var best *View
	var at Moment
	most := -1
	for _, m := range moments {
		v := Recompute(s, m.Instant(), opts.Quirks, split.Assumed{Later: m.Later})
		if len(moments) == 1 {
			return v, m
		}
		if n, all := v.agreeing(); n > most {
			if best, at, most = v, m, n; n == all {
				break
			}
		}
	}
	return best, at
}

// Moments are those at which the last run may have taken place, the likeliest first; none where the policy is not known.
func Moments(s *model.Snapshot, opts Options) []Moment {
	switch {
	case !s.HasFile("sched_conf.txt"):
		return nil
	case !opts.At.IsZero():
		return withLater(s, []Moment{{At: opts.At, Source: "--now"}})
	}
	return withLater(s, findMoments(s, opts.Quirks))
}

// agreeing counts the printed numbers that come out, and all that are printed.
func (v *View) agreeing() (n, all int) {
	for i := range v.Snapshot.Jobs {
		j := &v.Snapshot.Jobs[i]
		for k := range j.Tasks {
			row := v.Row(j, &j.Tasks[k])
			for f, printed := range Reported(j, &j.Tasks[k]) {
				if math.IsNaN(printed) {
					continue
				}
				if all++; row.Agrees(Field(f), printed) {
					n++
				}
			}
		}
	}
	return n, all
}
