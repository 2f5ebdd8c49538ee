package qconf

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"qprism/engine/model"
	"qprism/importer/fields"
)

// calendarFields is the table for calendar_conf(5), as qconf -scal prints it.
func calendarFields(k *model.Calendar) fields.Table {
	const words = "on off suspended mon tue wed thu fri sat sun jan feb mar apr may jun jul aug sep oct nov dec"
	return fields.Table{
		"calendar_name": fields.Text(&k.Name),
		"year":          fields.Parsed(&k.Year, parseYear).With(words),
		"week":          fields.Parsed(&k.Week, parseWeek).With(words),
	}
}

func parseYear(value string) (all []model.YearEntry, err error) {
	err = eachEntry(value, func(p *calendarEntry) error {
		entries, err := p.yearEntry()
		all = append(all, entries...)
		return err
	})
	return all, err
}

func parseWeek(value string) (all []model.WeekEntry, err error) {
	err = eachEntry(value, func(p *calendarEntry) error {
		entry, err := p.weekEntry()
		all = append(all, entry)
		return err
	})
	return all, err
}

// eachEntry reads the entries of a year or week line. Blanks separate them.
func eachEntry(value string, read func(*calendarEntry) error) error {
	if isNone(value) {
		return nil
	}
	for _, entry := range strings.Fields(value) {
		p := &calendarEntry{rest: entry}
		err := read(p)
		if err == nil && p.rest != "" {
			err = errors.New("not understood")
		}
		if err != nil {
			return fmt.Errorf("%q at %q: %w", entry, p.rest, err)
		}
	}
	return nil
}

// A calendarEntry is the unread rest of an entry "DAYS=TIMES=STATE". DAYS may be missing in a week, and in a
// year entry that has only a state. TIMES and STATE may always be missing.
type calendarEntry struct{ rest string }

// yearEntry makes an entry for every range of days. All have the same times and state.
func (p *calendarEntry) yearEntry() (entries []model.YearEntry, err error) {
	if !isDigit(p.next()) {
		state, err := p.state()
		return []model.YearEntry{{State: state}}, err
	}
	for ok := true; ok; ok = p.skip(',') {
		var e model.YearEntry
		if e.From, err = p.date(); err != nil {
			return nil, err
		}
		if e.To = e.From; p.skip('-') {
			if e.To, err = p.date(); err != nil {
				return nil, err
			}
		}
		if compareDates(e.From, e.To) > 0 {
			return nil, errors.New("the last day comes before the first")
		}
		entries = append(entries, e)
	}
	times, state, err := p.timesAndState(!p.skip('='))
	for i := range entries {
		entries[i].Times, entries[i].State = times, state
	}
	return entries, err
}

func (p *calendarEntry) weekEntry() (e model.WeekEntry, err error) {
	days := isLetter(p.next()) && !p.atState()
	if days {
		for ok := true; ok; ok = p.skip(',') {
			ranges, err := p.weekdays()
			if err != nil {
				return e, err
			}
			e.Days = append(e.Days, ranges...)
		}
	}
	e.Times, e.State, err = p.timesAndState(days && !p.skip('='))
	return e, err
}

// timesAndState reads "TIMES", "TIMES=STATE" or "STATE". The state is off if it is missing, or if the entry has
// already ended.
func (p *calendarEntry) timesAndState(ended bool) (times []model.Daytime, state string, err error) {
	if ended {
		return nil, "off", nil
	}
	if isDigit(p.next()) {
		for ok := true; ok; ok = p.skip(',') {
			ranges, err := p.daytimes()
			if err != nil {
				return nil, "", err
			}
			times = append(times, ranges...)
		}
		if !p.skip('=') {
			return times, "off", nil
		}
	}
	state, err = p.state()
	return times, state, err
}

// date reads "DAY.MONTH.YEAR". The month may be a name.
func (p *calendarEntry) date() (d model.Date, err error) {
	if d.Day, err = p.number(1, 31); err != nil {
		return d, err
	}
	if !p.skip('.') {
		return d, errors.New(`"." and a month expected`)
	}
	if isLetter(p.next()) {
		d.Month, err = p.month()
	} else {
		d.Month, err = p.number(1, 12)
	}
	if err != nil {
		return d, err
	}
	if !p.skip('.') {
		return d, errors.New(`"." and a year expected`)
	}
	d.Year, err = p.number(1970, 9999) // 8.1.9 itself accepts years up to 2037
	return d, err
}

func compareDates(a, b model.Date) int {
	return cmp.Or(cmp.Compare(a.Year, b.Year), cmp.Compare(a.Month, b.Month), cmp.Compare(a.Day, b.Day))
}

// weekdays reads "DAY" or "DAY-DAY". A range over Saturday night becomes two, as in the master.
func (p *calendarEntry) weekdays() ([]model.WeekdayRange, error) {
	from, err := p.weekday()
	if err != nil || !p.skip('-') {
		return []model.WeekdayRange{{From: from, To: from}}, err
	}
	to, err := p.weekday()
	switch {
	case err != nil:
		return nil, err
	case from == to:
		return nil, errors.New("a range of one day")
	case from > to:
		return []model.WeekdayRange{{From: from, To: time.Saturday}, {From: time.Sunday, To: to}}, nil
	}
	return []model.WeekdayRange{{From: from, To: to}}, nil
}

// daytimes reads "TIME-TIME". A range over midnight becomes two, as in the master.
func (p *calendarEntry) daytimes() ([]model.Daytime, error) {
	from, err := p.clock()
	if err != nil {
		return nil, err
	}
	if !p.skip('-') {
		return nil, errors.New(`"-" and a time expected`)
	}
	to, err := p.clock()
	const midnight = 24 * time.Hour
	switch {
	case err != nil:
		return nil, err
	case from == to || from == midnight && to == 0:
		return nil, errors.New("a range that ends where it begins")
	case from < to:
		return []model.Daytime{{From: from, To: to}}, nil
	}
	var ranges []model.Daytime
	if from < midnight {
		ranges = append(ranges, model.Daytime{From: from, To: midnight})
	}
	if to > 0 {
		ranges = append(ranges, model.Daytime{From: 0, To: to})
	}
	return ranges, nil
}

// clock reads "HOUR", "HOUR:MINUTE" or "HOUR:MINUTE:SECOND", up to 24 o'clock.
func (p *calendarEntry) clock() (at model.Clock, err error) {
	hour, err := p.number(0, 24)
	at = time.Duration(hour) * time.Hour
	for _, unit := range []time.Duration{time.Minute, time.Second} {
		if err != nil || !p.skip(':') {
			break
		}
		var n int
		n, err = p.number(0, 59)
		at += time.Duration(n) * unit
	}
	if err == nil && at > 24*time.Hour {
		err = errors.New("later than 24 o'clock")
	}
	return at, err
}

func (p *calendarEntry) number(least, most int) (int, error) {
	n, i := 0, 0
	for ; i < len(p.rest) && isDigit(p.rest[i]) && n <= most; i++ {
		n = n*10 + int(p.rest[i]-'0')
	}
	if i == 0 || n < least || n > most {
		return 0, fmt.Errorf("a number from %d to %d expected", least, most)
	}
	p.rest = p.rest[i:]
	return n, nil
}

func (p *calendarEntry) month() (int, error) {
	for m := time.January; m <= time.December; m++ {
		if p.take(m.String()) {
			return int(m), nil
		}
	}
	return 0, errors.New("a month expected")
}

func (p *calendarEntry) weekday() (time.Weekday, error) {
	for d := time.Sunday; d <= time.Saturday; d++ {
		if p.take(d.String()) {
			return d, nil
		}
	}
	return 0, errors.New("a day of the week expected")
}

func (p *calendarEntry) state() (string, error) {
	for _, state := range []string{"on", "off", "suspended"} {
		if p.take(state) {
			return state, nil
		}
	}
	return "", errors.New("on, off or suspended expected")
}

func (p *calendarEntry) atState() bool {
	_, err := (&calendarEntry{p.rest}).state()
	return err == nil
}

// take removes a word from the front, in any case. The word may be cut to its first three letters or more.
func (p *calendarEntry) take(word string) bool {
	n := 0
	for n < len(p.rest) && (isLetter(p.rest[n]) || n > 0 && isDigit(p.rest[n])) {
		n++
	}
	if n < min(3, len(word)) || n > len(word) || !strings.EqualFold(p.rest[:n], word[:n]) {
		return false
	}
	p.rest = p.rest[n:]
	return true
}

// skip removes this byte from the front, if it is there.
func (p *calendarEntry) skip(c byte) bool {
	if p.next() != c {
		return false
	}
	p.rest = p.rest[1:]
	return true
}

// next returns the first byte, or 0 at the end.
func (p *calendarEntry) next() byte {
	if p.rest == "" {
		return 0
	}
	return p.rest[0]
}

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
