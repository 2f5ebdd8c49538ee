package pbs

import (
	"bytes"
	"cmp"
	"errors"
	"strconv"
	"strings"
	"time"

	"qprism/engine/model"
)

// The scheduler skips a line that it cannot read, with a message in its log. So such a line is no error of the
// bundle: it is listed as unknown.

// readScheduler reads the scheduler's own files.
func readScheduler(r *reader) error {
	for _, step := range []func(*reader) error{
		readSchedConfig, readFormula, readHolidays, readDedicatedTime, readResourceGroup, readUsage,
	} {
		if err := step(r); err != nil {
			return err
		}
	}
	return nil
}

// linesOf calls read for the lines of a scheduler's file, except comments. The scheduler's buffer has 255
// bytes: it splits a longer line.
func (r *reader) linesOf(file string, read func(number int, line string)) error {
	return r.EachLine(file, func(number int, text []byte) error {
		for first := true; first || len(text) > 0; first = false {
			const buffer = 255
			piece := string(text[:min(len(text), buffer)])
			text = text[len(piece):]
			if !isComment(piece) {
				read(number, piece)
			}
		}
		return nil
	})
}

// readFormula reads sched_formula: a comment, then the formula. The file stays when the formula is unset. If
// the bundle shows that no scheduler has a formula, there is none.
func readFormula(r *reader) error {
	attribute := cmp.Or(r.pbs.Server.Formula, r.pbs.Scheduler().Formula)
	file := r.choose("sched_formula")
	known := r.pbs.Server.Name != "" || len(r.pbs.Schedulers) > 0
	if file == "" || known && attribute == "" {
		r.pbs.Formula = attribute
		return nil
	}
	text, err := r.ReadAll(file, maxConfig)
	_, formula, _ := bytes.Cut(text, []byte{'\n'})
	r.pbs.Formula = strings.TrimSuffix(string(formula), "\n")
	return err
}

// readResourceGroup reads resource_group.
func readResourceGroup(r *reader) error { return r.groups(r.choose("resource_group")) }

// groups reads the groups of the fairshare tree: name, cresgroup, parent, shares.
func (r *reader) groups(file string) error {
	return r.linesOf(file, func(number int, line string) {
		words := fields(line)
		if len(words) < 4 {
			r.Unknown(file, number, "line without four fields", line)
			return
		}
		group, err1 := cInt(words[1])
		shares, err2 := cInt(words[3])
		if errors.Join(err1, err2) != nil {
			r.Unknown(file, number, "line without two numbers", line)
			return
		}
		r.pbs.Fairshare.Groups = append(r.pbs.Fairshare.Groups,
			model.ResourceGroup{Line: number, Name: words[0], Group: group, Parent: words[2], Shares: shares})
	})
}

// cInt reads a number as strtol into an int does: a number that is too large wraps around.
func cInt(text string) (int32, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if errors.Is(err, strconv.ErrRange) {
		err = nil
	}
	return int32(n), err
}

// readDedicatedTime reads dedicated_time: two local times a line.
func readDedicatedTime(r *reader) error {
	file := r.choose("dedicated_time")
	return r.linesOf(file, func(number int, line string) {
		words := append(fields(line), "", "", "", "")
		from, err1 := r.dedicatedMoment(words[0], words[1])
		to, err2 := r.dedicatedMoment(words[2], words[3])
		if errors.Join(err1, err2) != nil {
			r.Unknown(file, number, "line without two moments", line)
			return
		}
		r.pbs.Dedicated = append(r.pbs.Dedicated, model.Period{Start: from, End: to})
	})
}

// dedicatedMoment reads "11/21/2026" "08:12". A year below 90 is in this century.
func (r *reader) dedicatedMoment(day, hour string) (time.Time, error) {
	if strings.Count(day, "/") != 2 || strings.Count(hour, ":") != 1 {
		return time.Time{}, errSyntax
	}
	var n [5]int
	for i, t := range append(strings.Split(day, "/"), strings.Split(hour, ":")...) {
		v, err := strconv.Atoi(strings.Trim(t, whiteSpace))
		if err != nil || v < 0 || v > 9999 {
			return time.Time{}, errSyntax
		}
		n[i] = v
	}
	switch {
	case n[2] < 90:
		n[2] += 2000
	case n[2] < 1900:
		n[2] += 1900
	}
	return time.Date(n[2], time.Month(n[0]), n[1], n[3], n[4], 0, 0, r.zone).UTC(), nil
}
