package lastrun

import (
	"time"

	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// Options say which run is looked at, and by which rules.
type Options struct {
	At     time.Time // the moment of the run; zero to infer it
	Quirks model.Quirks
}

// Look recomputes the last run of a snapshot, at the moment that fits it best. There is no view where the policy or the moment
// is not known.
func Look(s *model.Snapshot, opts Options) (*View, Moment) {
	var best *View
	var at Moment
	var most Agreement
	moments := Moments(s, opts)
	for _, m := range moments {
		v := Recompute(s, m.Instant(), opts.Quirks, split.Assumed{Later: m.Later})
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

// Moments are those at which the last run may have taken place, the likeliest first; none where the policy is not known.
func Moments(s *model.Snapshot, opts Options) []Moment {
	switch {
	case !s.HasFile("sched_conf.txt"):
		return nil
	case !opts.At.IsZero():
		return withLater(s, []Moment{{At: opts.At, Source: "--now"}}, opts.Quirks)
	}
	return withLater(s, findMoments(s, opts.Quirks), opts.Quirks)
}
