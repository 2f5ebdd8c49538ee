package source

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Date is a moment that date(1) printed.
type Date struct {
	At     time.Time      // with microseconds; a local time of unknown zone is stored as UTC
	Zone   *time.Location // zone of the machine that printed it; nil if the text lacks it
	IsUnix bool           // printed in seconds since 1970, which need no zone
}

// zones are abbreviations that mean the same distance from UTC everywhere, in hours. CST, IST and BST have
// several meanings.
var zones = map[string]int{
	"UTC": 0, "GMT": 0, "Z": 0, "WET": 0, "WEST": 1, "CET": 1, "CEST": 2, "MEZ": 1, "MESZ": 2,
	"EET": 2, "EEST": 3, "MSK": 3, "JST": 9,
	"KST": 9,
	"EST": -5, "EDT": -4, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7, "AEST": 10,
	"AEDT": 11, "NZST": 12, "NZDT": 13, "SAST": 2,
}

var (
	clockWord  = regexp.MustCompile(`^(\d\d?):(\d\d):(\d\d)$`)
	isoDate    = regexp.MustCompile(`^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:[.,]\d{1,9})?) ?(Z|[+-]\d\d:?\d\d)?$`)
	zoneOffset = regexp.MustCompile(`^[+-]\d\d:?\d\d$`)
	monthNames = []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}
)

// ParseDate reads output of date(1). Its forms are seconds since 1970, "Sat Nov 21 09:53:23 CET 2026" or these
// words in another order, "Sat, 21 Nov 2026 09:53:23 +0100", "2026-11-21T09:53:23+01:00".
func ParseDate(text string) (d Date, err error) {
	text = strings.TrimSpace(text)
	if at, ok := parseUnix(text); ok {
		return Date{At: at, IsUnix: true}, nil
	}
	if m := isoDate.FindStringSubmatch(text); m != nil {
		at, err := time.Parse("2006-01-02 15:04:05", m[1]+" "+strings.Replace(m[2], ",", ".", 1))
		return dateIn(at, zoneNamed(m[3])), err
	}
	return parseWords(strings.Fields(strings.ReplaceAll(text, ",", " ")))
}

// parseUnix reads seconds since 1970, with or without a fraction. It keeps microseconds.
func parseUnix(text string) (time.Time, bool) {
	whole, fraction, dot := strings.Cut(text, ".")
	seconds, err := strconv.ParseUint(whole, 10, 38)
	if err != nil || dot && (fraction == "" || len(fraction) > 9 || strings.Trim(fraction, "0123456789") != "") {
		return time.Time{}, false
	}
	nano, _ := strconv.Atoi((fraction + "000000000")[:9]) // digits only
	return time.Unix(int64(seconds), int64(nano)).UTC().Truncate(time.Microsecond), true
}

// dateIn makes a Date from a local time and its zone, which may be nil.
func dateIn(local time.Time, zone *time.Location) Date {
	if zone == nil {
		return Date{At: local}
	}
	_, offset := local.In(zone).Zone()
	return Date{At: local.Add(-time.Duration(offset) * time.Second), Zone: zone}
}

// zoneNamed returns the zone for an offset or abbreviation. It is nil for an unknown one.
func zoneNamed(text string) *time.Location {
	if hours, known := zones[text]; known {
		return time.FixedZone(text, hours*3600)
	}
	if !zoneOffset.MatchString(text) {
		return nil
	}
	at, err := time.Parse("-0700", strings.Replace(text, ":", "", 1))
	if err != nil {
		return nil
	}
	return at.Location()
}

// parseWords reads the parts of a date in any order.
func parseWords(words []string) (Date, error) {
	var year, day, hour, minute, second int
	var month, clock, noon string
	var zone *time.Location
	for _, w := range words {
		n, err := strconv.Atoi(strings.TrimSuffix(w, "."))
		m := clockWord.FindStringSubmatch(w)
		switch isMonth := len(w) >= 3 && slices.Contains(monthNames, strings.ToLower(w[:3])); {
		case m != nil:
			clock = w
			hour, _ = strconv.Atoi(m[1])
			minute, _ = strconv.Atoi(m[2])
			second, _ = strconv.Atoi(m[3])
		case err == nil && n > 1000 && w[0] != '+' && w[0] != '-':
			year = n
		case err == nil && w[0] != '+' && w[0] != '-':
			day = n
		case isMonth:
			month = strings.ToLower(w[:3])
		case w == "AM" || w == "PM":
			noon = w
		default:
			if z := zoneNamed(w); z != nil {
				zone = z
			}
		}
	}
	switch {
	case noon == "PM" && hour < 12:
		hour += 12
	case noon == "AM" && hour == 12:
		hour = 0
	}
	at := time.Date(year, time.Month(slices.Index(monthNames, month)+1), day, hour, minute, second, 0, time.UTC)
	if clock == "" || month == "" || year < 1970 || year > 9999 || at.Day() != day || hour > 23 ||
		minute > 59 || second > 60 {
		return Date{}, fmt.Errorf("a date: %w", strconv.ErrSyntax)
	}
	return dateIn(at, zone), nil
}

// UnknownZone is the Location of a snapshot whose time zone is unknown. Its local times are read as UTC.
const UnknownZone = "unknown"

// OffsetText prints a distance from UTC as a snapshot's Location: "+0200".
func OffsetText(offset time.Duration) string {
	return time.Unix(0, 0).In(time.FixedZone("", int(offset/time.Second))).Format("-0700")
}

// ZoneHints count the distances between local times, read as UTC, and Unix times of the same moments.
type ZoneHints map[time.Duration]int

// Add adds a moment that is known in both forms. The two may differ by a second or two.
func (h ZoneHints) Add(local, unix time.Time) {
	const step, slack, most = 15 * time.Minute, 2 * time.Second, 14 * time.Hour
	if local.IsZero() || unix.IsZero() {
		return
	}
	d := local.Sub(unix.Truncate(time.Second))
	if r := d.Round(step); (d-r).Abs() <= slack && r.Abs() <= most {
		h[r]++
	}
}

// Best returns the most frequent distance. Of equally frequent ones it takes the nearest to zero. ok is false
// without hints.
func (h ZoneHints) Best() (offset time.Duration, ok bool) {
	most := 0
	for d, n := range h {
		if n > most || n == most && (d.Abs() < offset.Abs() || d.Abs() == offset.Abs() && d > offset) {
			offset, most, ok = d, n, true
		}
	}
	return offset, ok
}
