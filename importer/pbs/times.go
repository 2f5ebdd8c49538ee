package pbs

import (
	"bytes"
	"strconv"
	"strings"
	"time"
)

// A lastTime remembers the time that was read last: a job's times are often the same.
type lastTime struct {
	text string
	at   time.Time
}

// parseTime reads a time: a Unix time in seconds, or as ctime(3) prints it, "Sat Nov 21 08:53:23 2026", which is local.
// Nothing, 0 and UNKNOWN are the zero time.
func (r *reader) parseTime(text []byte) (time.Time, error) {
	if text = bytes.TrimSpace(text); len(text) == 0 {
		return time.Time{}, nil
	}
	if string(text) == r.clock.text {
		return r.clock.at, nil
	}
	at, err := r.parseTimeText(string(text))
	if err == nil {
		r.clock = lastTime{string(text), at}
	}
	return at, err
}

func (r *reader) parseTimeText(text string) (time.Time, error) {
	if text == "0" || text == "UNKNOWN" || text == "--" {
		return time.Time{}, nil
	}
	if '0' <= text[0] && text[0] <= '9' {
		text, _, _ = strings.Cut(text, " (") // some sites have 1649355753 (Thu Apr 07 11:22:33 PDT 2022)
		if at, err := parseSeconds(text); err == nil {
			return at, nil
		}
		f, err := strconv.ParseFloat(text, 64) // JSON of some releases
		if err != nil || f < 0 || f > 1<<40 {
			return time.Time{}, errSyntax
		}
		return time.Unix(int64(f), 0).UTC(), nil
	}
	r.local = true
	at, err := time.ParseInLocation(time.ANSIC, text, r.zone)
	if err != nil {
		return time.Time{}, errSyntax
	}
	return at.UTC(), nil
}

// parseDuration reads "HH:MM:SS", "MM:SS" or seconds, with a sign or a fraction.
func parseDuration(text string) (time.Duration, error) {
	sign := time.Duration(1)
	if rest, ok := strings.CutPrefix(text, "-"); ok {
		sign, text = -1, rest
	}
	total := 0.0
	fields := strings.Split(text, ":")
	if len(fields) > 4 {
		return 0, errSyntax
	}
	for i, f := range fields {
		v, err := strconv.ParseFloat(f, 64)
		if err != nil || v < 0 || v > 1e12 {
			return 0, errSyntax
		}
		unit := 60.0
		if i == 1 && len(fields) == 4 { // days:hours:…
			unit = 24
		}
		total = total*unit + v
	}
	if total > 9e9 {
		return 0, errSyntax
	}
	return sign * time.Duration(total*float64(time.Second)), nil
}

// parseLogTime reads "11/21/2026 08:53:23" with microseconds or without, in local time.
func (r *reader) parseLogTime(text string) (time.Time, error) {
	whole, fraction, dot := strings.Cut(text, ".")
	at, err := time.ParseInLocation("01/02/2006 15:04:05", whole, r.zone)
	if err != nil || dot && (fraction == "" || len(fraction) > 9) {
		return time.Time{}, errSyntax
	}
	if dot {
		nano, err := strconv.ParseUint((fraction + "000000000")[:9], 10, 32)
		if err != nil {
			return time.Time{}, errSyntax
		}
		at = at.Add(time.Duration(nano))
	}
	return at.UTC(), nil
}
