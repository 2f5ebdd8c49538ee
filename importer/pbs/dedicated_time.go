package pbs

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"qprism/engine/model"
)

// readDedicatedTime reads dedicated_time: two moments a line, in local time.
func readDedicatedTime(r *reader) error {
	file := r.choose("dedicated_time")
	return r.linesOf(file, func(number int, line string) error {
		words := fields(line)
		if len(words) < 4 {
			r.Unknown(file, number, "line without two moments", line)
			return nil
		}
		from, err1 := r.dedicatedMoment(words[0], words[1])
		to, err2 := r.dedicatedMoment(words[2], words[3])
		if errors.Join(err1, err2) != nil {
			r.Unknown(file, number, "line without two moments", line)
			return nil
		}
		r.pbs.Dedicated = append(r.pbs.Dedicated, model.Period{Start: from, End: to})
		return nil
	})
}

// dedicatedMoment reads "11/21/2026" "08:12"; a year below 90 is of this century.
func (r *reader) dedicatedMoment(day, hour string) (time.Time, error) {
	var n [5]int
	for i, t := range append(strings.Split(day, "/"), strings.Split(hour, ":")...) {
		v, err := strconv.Atoi(strings.Trim(t, whiteSpace))
		if err != nil || i >= len(n) || v < 0 || v > 9999 {
			return time.Time{}, errSyntax
		}
		n[i] = v
	}
	if strings.Count(day, "/") != 2 || strings.Count(hour, ":") != 1 {
		return time.Time{}, errSyntax
	}
	switch {
	case n[2] < 90:
		n[2] += 2000
	case n[2] < 1900:
		n[2] += 1900
	}
	return time.Date(n[2], time.Month(n[0]), n[1], n[3], n[4], 0, 0, r.zone).UTC(), nil
}
