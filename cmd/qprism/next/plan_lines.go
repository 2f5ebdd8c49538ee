package next

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"qprism/compat"
	"qprism/engine/model"
)

// WriteSchedule writes the lines that the scheduler appends to its schedule file with params MONITOR=1,
// schedule(5): job:task:state:start:duration:level:object:resource:amount. The release decides the unit of
// times.
func WriteSchedule(w io.Writer, s *model.Snapshot, lines []model.ScheduleLine) error {
	if s.KeepsCycleLog() {
		return errors.New("PBS has no schedule file, so there is no --format schedule; use json or csv")
	}
	out := bufio.NewWriter(w)
	unit := time.Second
	if compat.FormatOf(s.Release).Microseconds {
		unit = time.Microsecond
	}
	for _, l := range lines {
		start, duration := lineTimes(l, unit)
		fmt.Fprintf(out, "%d:%d:%s:%d:%d:%s:%s:%s:%f\n", l.Job, l.Task, l.State, start, duration,
			l.Level, l.Object, l.Resource, l.Amount)
	}
	return out.Flush()
}

// lineTimes returns a line's start and duration in the unit of the file. Seconds are 32-bit numbers: a line
// without an end ends in the last second.
func lineTimes(l model.ScheduleLine, unit time.Duration) (start, duration int64) {
	if unit == time.Microsecond {
		start, duration = l.Start.UnixMicro(), l.Duration.Microseconds()
		if l.Duration == model.Forever {
			duration = math.MaxUint32 * int64(time.Second/time.Microsecond)
		}
		return start, duration
	}
	start, duration = l.Start.Unix(), int64(l.Duration/time.Second)
	if l.Duration == model.Forever {
		duration = math.MaxUint32 - start
	}
	return start, min(duration, math.MaxUint32-start)
}
