package pbs

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"qprism/engine/model"
)

// weekdays are the words of holidays for the days of the week, Sunday first. "weekday" means Monday to Friday.
var weekdays = []string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}

// readHolidays reads holidays.
func readHolidays(r *reader) error {
	file := r.choose("holidays")
	h := &r.pbs.Holidays
	days := make([]model.PrimeDay, len(weekdays))
	err := r.linesOf(file, func(number int, line string) {
		if words := fields(line); len(words) > 0 && !holidayLine(words, h, days) {
			r.Unknown(file, number, words[0], strings.Join(words, " "))
		}
	})
	if h.Year != 0 {
		for i := range days {
			fillDay(&days[i])
		}
		h.Days = days
	}
	return err
}

// fillDay makes a day without hours primetime.
func fillDay(d *model.PrimeDay) {
	if !d.Prime.All && !d.Prime.None && d.Prime.At == 0 && d.NonPrime.At == 0 {
		d.Prime, d.NonPrime = model.DayStart{All: true}, model.DayStart{None: true}
	}
}

// holidayLine reads a line: the year, the hours of a weekday, or a holiday. Of a holiday's number only the
// digits at the beginning count.
func holidayLine(words []string, h *model.Holidays, days []model.PrimeDay) bool {
	switch day := slices.Index(weekdays, words[0]); {
	case words[0] == "HOLIDAYFILE_VERSION1":
		return true
	case words[0] == "YEAR":
		year, ok := word(words, 1, cInt)
		if ok {
			h.Year = int(year)
		}
		return ok
	case words[0] == "weekday":
		ok := true
		for i := time.Monday; i <= time.Friday; i++ {
			ok = dayHours(&days[i], words) && ok
		}
		return ok
	case day >= 0:
		return dayHours(&days[day], words)
	}
	n, _ := strconv.Atoi(words[0][:digitsOf(words[0])])
	h.Dates = append(h.Dates, n)
	return n > 0
}

// word reads one of the words.
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
	case other.All && prime.All: // then the scheduler has primetime all day
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
