package lastrun

import (
	"time"

	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// Options choose the run and the rules.
type Options struct {
	At     time.Time // the moment of the run; zero to infer it
	Quirks model.Quirks
}

// Look recomputes the last run of a snapshot at the moment that fits best. The view is nil if the policy or
// the moment is unknown.
func Look(s *model.Snapshot, opts Options) (*View, Moment) {
	var best *View
	var at Moment
	var most Agreement
	moments := Moments(s, opts)
	for _, m := range moments {
		v := Recompute(m.Of(s), m.Instant(), opts.Quirks, split.Assumed{Later: m.Later})
		if len(moments) == 1 {
			return v, m
		}
		if a := v.Agreement(); best == nil || a.Better(most) {
			best, at, most = v, m, a
		}
		if most.Whole() {
			break
		}
	}
	return best, at
}

// Moments are the possible moments of the last run, the most likely first; none if the policy is unknown.
func Moments(s *model.Snapshot, opts Options) []Moment {
	switch {
	case !s.HasFile("sched_conf.txt"):
		return nil
	case !opts.At.IsZero():
		return withLater(s, []Moment{{At: opts.At, Source: "--now"}}, opts.Quirks)
	}
	return withBegun(s, withLater(s, findMoments(s, opts.Quirks), opts.Quirks))
}
