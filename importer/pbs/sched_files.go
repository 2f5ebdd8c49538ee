package pbs

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"qprism/engine/model"
)

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

// readFormula reads sched_formula: a comment, then the formula. The file stays when the formula is unset; where the
// bundle says that no scheduler has one, there is none.
func readFormula(r *reader) error {
	attribute := r.pbs.Server.Formula
	for _, s := range r.pbs.Schedulers {
		if s.Formula != "" && attribute == "" {
			attribute = s.Formula
		}
	}
	file := r.choose("sched_formula")
	known := r.pbs.Server.Name != "" || len(r.pbs.Schedulers) > 0
	if file == "" || known && attribute == "" {
		r.pbs.Formula = attribute
		return nil
	}
	text, err := r.ReadAll(file, maxConfig)
	if err != nil {
		return err
	}
	_, formula, _ := bytes.Cut(text, []byte{'\n'})
	r.pbs.Formula = strings.TrimSuffix(string(formula), "\n")
	return nil
}

// linesOf calls read for the lines of a scheduler's file that are no comments. Its buffer holds 255 bytes: a longer line
// is as many lines.
func (r *reader) linesOf(file string, read func(number int, line string) error) error {
	return r.EachLine(file, func(number int, text []byte) error {
		for first := true; first || len(text) > 0; first = false {
			const buffer = 255
			piece := text[:min(len(text), buffer)]
			text = text[len(piece):]
			if isComment(string(piece)) {
				continue
			}
			if err := read(number, string(piece)); err != nil {
				return err
			}
		}
		return nil
	})
}

// What a line of the scheduler's files says that the scheduler itself passes over with a line in its log is no reason to
// refuse the bundle: it is kept among what nobody knows.

// readResourceGroup reads resource_group: name, cresgroup, parent, shares.
func readResourceGroup(r *reader) error {
	file := r.choose("resource_group")
	return r.linesOf(file, func(number int, line string) error {
		words := fields(line)
		if len(words) < 4 {
			r.Unknown(file, number, "line without four fields", line)
			return nil
		}
		group, err1 := cInt(words[1])
		shares, err2 := cInt(words[3])
		if err := errors.Join(err1, err2); err != nil {
			r.Unknown(file, number, "line without two numbers", line)
			return nil
		}
		r.pbs.Fairshare.Groups = append(r.pbs.Fairshare.Groups,
			model.ResourceGroup{Line: number, Name: words[0], Group: group, Parent: words[2], Shares: shares})
		return nil
	})
}

// cInt reads a number as strtol into an int does: what is too large wraps.
func cInt(text string) (int32, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if errors.Is(err, strconv.ErrRange) {
		err = nil
	}
	return int32(n), err
}

// The usage file has a header and records of fixed length, in the order of bytes of the machine that wrote it; version 1
// has shorter records and no header.
const (
	usageMagic   = "PBS_MAG!"
	usageHeader  = 32 // magic, version, last decay
	usageRecord  = 64
	usageNames   = 50 // bytes of a name
	usageRecord1 = 24
	usageNames1  = 9
)

// readUsage reads the scheduler's usage file.
func readUsage(r *reader) error {
	file := r.choose("usage")
	if file == "" {
		return nil
	}
	data, err := r.ReadAll(file, maxConfig)
	if err != nil || data == nil {
		return err
	}
	u := &r.pbs.Fairshare.Usage
	if !bytes.HasPrefix(data, []byte(usageMagic+"\x00")) {
		u.Version = 1
		return r.usageRecords(file, data, usageRecord1, usageNames1, binary.LittleEndian)
	}
	if len(data) < usageHeader {
		return r.Problem(file, 0, "", errors.New("the header is cut off"))
	}
	order := byteOrder(data[16:24])
	u.Version = math.Float64frombits(order.Uint64(data[16:]))
	if u.Version != 2 {
		return r.Problem(file, 0, "", fmt.Errorf("version %g; 2 is known", u.Version))
	}
	switch last := int64(order.Uint64(data[24:])); {
	case last == 0:
	case last > 946713600 && last < 1<<40: // 2000
		u.LastDecay = time.Unix(last, 0).UTC()
	default:
		return r.Problem(file, 0, "", fmt.Errorf("last decay %d; the scheduler refuses the file", last))
	}
	return r.usageRecords(file, data[usageHeader:], usageRecord, usageNames, order)
}

// byteOrder is the one in which eight bytes are the number 2.
func byteOrder(version []byte) binary.ByteOrder {
	if math.Float64frombits(binary.BigEndian.Uint64(version)) == 2 {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// usageRecords reads records of a name and a number.
func (r *reader) usageRecords(file string, data []byte, size, names int, order binary.ByteOrder) error {
	u := &r.pbs.Fairshare.Usage
	for number := 1; len(data) >= size; number++ {
		name, _, _ := bytes.Cut(data[:names], []byte{0})
		usage := math.Float64frombits(order.Uint64(data[size-8:]))
		data = data[size:]
		if len(name) == names || !isEntity(string(name)) || !(usage >= 0) {
			r.Unknown(file, 0, fmt.Sprintf("record %d", number), fmt.Sprintf("%q %g", name, usage))
			continue
		}
		u.Records = append(u.Records, model.EntityUsage{Name: r.Strings.Get(name), Usage: usage})
	}
	if len(data) > 0 {
		return r.Problem(file, 0, "", fmt.Errorf("the last record has %d bytes instead of %d", len(data), size))
	}
	return nil
}

// isEntity reports whether the scheduler takes a text for a name.
func isEntity(name string) bool {
	for i := range len(name) {
		if c := name[i]; !isWordByte(c) && strings.IndexByte(".-: ", c) < 0 {
			return false
		}
	}
	return true
}

// weekdays are the words of holidays for each day of the week, Sunday first; "weekday" is Monday to Friday.
var weekdays = []string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}

// readHolidays reads holidays.
func readHolidays(r *reader) error {
	file := r.choose("holidays")
	h := &r.pbs.Holidays
	days := make([]model.PrimeDay, len(weekdays))
	err := r.linesOf(file, func(number int, line string) error {
		r.holidayLine(file, number, fields(line), h, days)
		return nil
	})
	if h.Year != 0 {
		for i := range days {
			fillDay(&days[i])
		}
		h.Days = days
	}
	return err
}

// fillDay makes a day that nothing was said of primetime altogether.
func fillDay(d *model.PrimeDay) {
	if !d.Prime.All && !d.Prime.None && d.Prime.At == 0 && d.NonPrime.At == 0 {
		d.Prime, d.NonPrime = model.DayStart{All: true}, model.DayStart{None: true}
	}
}

// holidayLine reads a line: the year, the hours of a weekday, or a day of the year.
func (r *reader) holidayLine(file string, number int, words []string, h *model.Holidays, days []model.PrimeDay) {
	if len(words) == 0 {
		return
	}
	ok := true
	switch words[0] {
	case "HOLIDAYFILE_VERSION1":
	case "YEAR":
		var year int32
		year, ok = word(words, 1, cInt)
		if ok {
			h.Year = int(year)
		}
	case "weekday":
		for i := 1; i <= 5; i++ {
			ok = dayHours(&days[i], words) && ok
		}
	default:
		ok = r.dayLine(words, h, days)
	}
	if !ok {
		r.Unknown(file, number, words[0], strings.Join(words, " "))
	}
}

// dayLine reads the hours of one weekday, or a holiday: its number, of which only the digits at the beginning count.
func (r *reader) dayLine(words []string, h *model.Holidays, days []model.PrimeDay) bool {
	for i, name := range weekdays {
		if words[0] == name {
			return dayHours(&days[i], words)
		}
	}
	n, _ := strconv.Atoi(words[0][:digitsOf([]byte(words[0]))])
	h.Dates = append(h.Dates, n)
	return n > 0
}

// word reads the word at a place.
func word[T any](words []string, i int, read func(string) (T, error)) (value T, ok bool) {
	if i >= len(words) {
		return value, false
	}
	value, err := read(words[i])
	return value, err == nil
}

// dayHours reads when prime and non-prime time begin: HHMM, all or none.
func dayHours(d *model.PrimeDay, words []string) bool {
	prime, ok := word(words, 1, dayStart)
	if !ok {
		return false
	}
	d.Prime = prime
	other, ok := word(words, 2, dayStart)
	if !ok {
		return false
	}
	switch {
	case other.All && prime.All: // the scheduler takes both for primetime all day
	case other.None && prime.None:
		d.Prime = model.DayStart{All: true}
	default:
		d.NonPrime = other
	}
	return true
}

func dayStart(text string) (model.DayStart, error) {
	switch text {
	case "all", "ALL":
		return model.DayStart{All: true}, nil
	case "none", "NONE":
		return model.DayStart{None: true}, nil
	}
	n, err := cInt(text)
	if err != nil || n < 0 || n > 9999 {
		return model.DayStart{}, errSyntax
	}
	return model.DayStart{At: time.Duration(n/100)*time.Hour + time.Duration(n%100)*time.Minute}, nil
}

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
