package pbs

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"time"

	"qprism/engine/model"
)

func (f *filler) bad(err error) {
	if n, ok := err.(*strconv.NumError); ok {
		err = n.Err
	}
	if f.fault == nil {
		f.fault, f.faultAt = err, f.attr
	}
}

func (f *filler) bytes() []byte { return f.rec.Value(f.attr) }

func (f *filler) str() string { return f.Strings.Get(f.bytes()) }

// read parses the current value.
func read[T any](f *filler, parse func(string) (T, error)) T {
	v, err := parse(string(f.bytes()))
	if err != nil {
		f.bad(err)
	}
	return v
}

// parseInt reads a whole number. JSON may have a large one in exponent form.
func parseInt(text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err == nil {
		return n, nil
	}
	v, ferr := strconv.ParseFloat(text, 64)
	if ferr != nil || v != math.Trunc(v) || math.Abs(v) > 1<<62 {
		return 0, err
	}
	return int64(v), nil
}

// small reads a whole number of 32 bits.
func (f *filler) small() int {
	n := read(f, parseInt)
	if n != int64(int32(n)) {
		f.bad(strconv.ErrRange)
	}
	return int(int32(n))
}

// parseBool reads a boolean in any form that the server accepts or prints.
func parseBool(text string) (bool, error) {
	switch strings.ToLower(text) {
	case "true", "t", "1", "y", "yes":
		return true, nil
	case "false", "f", "0", "n", "no":
		return false, nil
	}
	return false, errSyntax
}

func (f *filler) time() time.Time {
	t, err := f.parseTime(f.bytes())
	if err != nil {
		f.bad(err)
	}
	return t
}

// setting returns the current attribute with its name.
func (f *filler) setting() model.Setting {
	return model.Setting{Name: f.Strings.Get([]byte(f.attr.Label())), Value: f.str()}
}

// request returns the current attribute's resource with value and amount.
func (f *filler) request() model.Request {
	value := f.str()
	return model.Request{Resource: f.attr.Resource, Value: value, Amount: f.amountOf(f.attr.Resource, value),
		Contribution: math.NaN()}
}

// amountOf returns the number that the scheduler reads from a resource's value. It is 0 for texts.
func (r *reader) amountOf(resource, value string) float64 {
	switch r.types[resource].Type {
	case model.TypePBSString, model.TypePBSStringArray:
		return 0
	}
	amount, ok := model.PBSAmount(value)
	if !ok {
		return 0
	}
	return amount
}

// list splits a value at commas.
func (f *filler) list() []string {
	var list []string
	for item := range strings.SplitSeq(string(f.bytes()), ",") {
		if item = strings.TrimSpace(item); item != "" {
			list = append(list, f.Strings.Get([]byte(item)))
		}
	}
	return list
}

// parseRanges reads "1-6", "1-10:2,15"; "-" is empty.
func parseRanges(text string) ([]model.Range, error) {
	var list []model.Range
	for item := range strings.SplitSeq(text, ",") {
		item = strings.TrimSpace(item)
		if item == "" || item == "-" {
			continue
		}
		r, err := parseRange(item)
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, nil
}

// parseRange reads "7", "1-6" or "1-10:2". It ignores a limit after it, "%2", because another attribute has it.
func parseRange(text string) (model.Range, error) {
	text, _, _ = strings.Cut(text, "%")
	span, step, stepped := strings.Cut(text, ":")
	first, last, isSpan := strings.Cut(span, "-")
	if !isSpan {
		last = first
	}
	if !stepped {
		step = "1"
	}
	var n [3]uint32
	for i, t := range []string{first, last, step} {
		v, err := strconv.ParseUint(t, 10, 32)
		if err != nil {
			return model.Range{}, errSyntax
		}
		n[i] = uint32(v)
	}
	if n[1] < n[0] || n[2] == 0 {
		return model.Range{}, errSyntax
	}
	return model.Range{Min: n[0], Max: n[1], Step: n[2]}, nil
}

// counts reads "Queued:6 Running:0".
func (f *filler) counts() []model.Setting {
	var list []model.Setting
	for item := range strings.FieldsSeq(string(f.bytes())) {
		name, value, _ := strings.Cut(item, ":")
		list = append(list, model.Setting{Name: f.Strings.Get([]byte(name)), Value: f.Strings.Get([]byte(value))})
	}
	return list
}

// A lastTime keeps the last time that was read, because a job's times are often the same.
type lastTime struct {
	text string
	at   time.Time
}

// parseTime reads a Unix time in seconds, or a local time in the form of ctime(3), "Sat Nov 21 08:53:23 2026".
// An empty text, 0 and UNKNOWN are the zero time.
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
		text, _, _ = strings.Cut(text, " (") // some sites print 1649355753 (Thu Apr 07 11:22:33 PDT 2022)
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

// parseLogTime reads "11/21/2026 08:53:23" in local time, with or without microseconds.
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
