// Package when reads durations and moments in the forms that people write (when.go). The command line and
// the configuration of serve use this package.
package when

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"qprism/engine/model"
)

const day = 24 * time.Hour

// units are the letters after numbers, in addition to those of time.ParseDuration.
var units = map[string]time.Duration{"w": 7 * day, "d": day, "h": time.Hour, "m": time.Minute, "s": time.Second,
	"ms": time.Millisecond, "us": time.Microsecond, "µs": time.Microsecond, "ns": time.Nanosecond}

// part is a number with its unit, of those that a duration consists of.
var part = regexp.MustCompile(`^(\d+(?:\.\d*)?|\.\d+)(w|d|h|ms|m|s|us|µs|ns)`)

// Span reads a duration: numbers with units such as 90s, 1h30m, 2d, 1.5w, or a time in the form of Grid Engine,
// 1:30:00. It refuses a number without a unit, except 0, because 30 could be seconds, minutes or days.
func Span(text string) (time.Duration, error) {
	if strings.Contains(text, ":") {
		if d, err := model.ParseInterval(text); err == nil && d >= 0 && d != model.Forever {
			return d, nil
		}
		return 0, fmt.Errorf("%q is no duration such as 90s, 2d or 1:30:00", text)
	}
	if n, err := strconv.ParseFloat(text, 64); err == nil && n > 0 && !math.IsInf(n, 0) {
		return 0, fmt.Errorf("%q has no unit: %[2]ss, %[2]sm, %[2]sh or %[2]sd", text, text)
	}
	d, ok := sum(text)
	if !ok {
		return 0, fmt.Errorf("%q is no duration such as 90s, 2d or 1:30:00", text)
	}
	return d, nil
}

// sum adds up numbers with units.
func sum(text string) (time.Duration, bool) {
	if text == "0" {
		return 0, true
	}
	total := 0.0
	for rest := text; rest != ""; {
		m := part.FindStringSubmatch(rest)
		if m == nil {
			return 0, false
		}
		n, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			return 0, false
		}
		total += n * float64(units[m[2]])
		rest = rest[len(m[0]):]
	}
	return time.Duration(math.Round(total)), text != "" && total <= float64(most)
}

// most is the longest duration, 274 years, so that sums with moments do not overflow.
const most = 100_000 * day

// layouts are the forms of a moment with its date. Without a zone it is in UTC.
var layouts = []string{time.RFC3339Nano, "2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006-01-02 15:04",
	"2006-01-02T15:04",
	time.DateOnly}

// Moment reads a moment in UTC. Its forms are Unix seconds; RFC 3339; a date, with or without a time; a time
// such as 22:30, which is the last one before now; now; today or yesterday, which mean midnight without a time;
// or a duration ago, such as 90s or 2d.
func Moment(text string, now time.Time) (time.Time, error) {
	now = now.UTC()
	if seconds, err := strconv.ParseInt(text, 10, 64); err == nil {
		return time.Unix(seconds, 0).UTC(), nil
	}
	for _, layout := range layouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC(), nil
		}
	}
	if t, ok := near(text, now); ok {
		return t, nil
	}
	return time.Time{}, fmt.Errorf(
		`%q is no moment such as "2026-11-21 08:16" (UTC), 2026-11-21T08:16:20Z, 22:30, yesterday, 2d (ago) or Unix seconds`, text)
}

// near reads moments relative to now.
func near(text string, now time.Time) (time.Time, bool) {
	midnight := now.Truncate(day)
	word, clock, _ := strings.Cut(text, " ")
	start, named := map[string]time.Time{"today": midnight, "yesterday": midnight.Add(-day)}[word]
	switch {
	case text == "now":
		return now, true
	case named && clock == "":
		return start, true
	case named:
		at, ok := ofDay(clock)
		return start.Add(at), ok
	}
	if at, ok := ofDay(text); ok {
		if t := midnight.Add(at); !t.After(now) {
			return t, true
		}
		return midnight.Add(at - day), true
	}
	ago, ok := sum(strings.TrimSuffix(text, " ago"))
	return now.Add(-ago), ok && ago > 0
}

// ofDay reads a time of day, since midnight.
func ofDay(text string) (time.Duration, bool) {
	for _, layout := range []string{"15:04", "15:04:05"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.Sub(t.Truncate(day)), true
		}
	}
	return 0, false
}

// Short writes a duration in the fewest units that Span reads: 5m, 1h30m, 30d.
func Short(d time.Duration) string {
	if d < time.Second || d%time.Second != 0 {
		return d.String()
	}
	var b strings.Builder
	for _, unit := range []string{"d", "h", "m", "s"} {
		if n := d / units[unit]; n > 0 {
			fmt.Fprintf(&b, "%d%s", n, unit)
			d -= n * units[unit]
		}
	}
	return b.String()
}
