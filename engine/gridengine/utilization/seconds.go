package utilization

import (
	"math"
	"time"

	"qprism/engine/model"
)

// Seconds are whole seconds since 1970, as the scheduler counts them. Release 8.1.9 counts in 32 bits without
// a sign.
type Seconds = int64

type seconds = Seconds

const (
	Forever  seconds = 1 << 40        // no end, or never
	EndOf32  seconds = math.MaxUint32 // the last second of 32 bits; newer releases use it for INFINITY (O12)
	RightNow seconds = 0              // start as soon as the run is over
	AtEnd    seconds = math.MaxInt32  // the start is to be found; also the end of a calendar's last state
)

// Later adds a duration, or an offset to a duration.
func Later(d, offset seconds) seconds {
	if d == Forever || offset == Forever || d+offset > Forever {
		return Forever
	}
	return d + offset
}

// Unix is a moment in the scheduler's seconds.
func Unix(t time.Time) seconds {
	if t.IsZero() {
		return 0
	}
	return min(max(t.Unix(), 0), Forever)
}

// Whole is a duration in the scheduler's seconds.
func Whole(d time.Duration) seconds {
	if d == model.Forever {
		return Forever
	}
	return min(max(int64(d/time.Second), 0), Forever)
}

// Moment is a time of the scheduler's seconds.
func Moment(at seconds) time.Time {
	if at == Forever {
		at = EndOf32
	}
	return time.Unix(at, 0)
}

// Lasting is a duration of the scheduler's seconds.
func Lasting(d seconds) time.Duration {
	if d == Forever {
		return model.Forever
	}
	return time.Duration(d) * time.Second
}
