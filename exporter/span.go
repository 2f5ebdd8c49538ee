package exporter

import (
	"fmt"
	"time"
)

// Span prints a duration in its two largest units: 5 d 4 h, 29 h 20 min, 12 s. It prints days only from the
// fourth day on.
func Span(d time.Duration) string {
	units := []struct {
		length time.Duration
		name   string
	}{{24 * time.Hour, "d"}, {time.Hour, "h"}, {time.Minute, "min"}, {time.Second, "s"}}
	if d > 0 && d < time.Second {
		return fmt.Sprintf("%d ms", d.Round(time.Millisecond)/time.Millisecond)
	}
	d = d.Round(time.Second)
	if d >= time.Hour {
		d = d.Round(time.Minute)
	}
	for i, u := range units {
		n := d / u.length
		if n == 0 && i < len(units)-1 || i == 0 && n < 4 {
			continue
		}
		text := fmt.Sprintf("%d %s", n, u.name)
		if i+1 < len(units) {
			if rest := (d - n*u.length) / units[i+1].length; rest > 0 {
				text += fmt.Sprintf(" %d %s", rest, units[i+1].name)
			}
		}
		return text
	}
	return "0 s"
}
