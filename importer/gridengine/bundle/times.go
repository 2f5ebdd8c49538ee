package bundle

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"qprism/importer/source"
)

// Grid Engine prints local times without their zone, "2026-11-21T08:16:01" or "11/21/2026 08:16:01". Other
// outputs have Unix times in seconds, milliseconds or microseconds. JSON has UTC, "2026-11-21T08:16:01.500Z".
// All become UTC.

// MicroTimes is the least Unix time that counts as microseconds. As seconds it would be three million years
// ahead.
const MicroTimes = 100_000_000_000_000

// milliTimes is the least Unix time that counts as milliseconds, as Univa and Altair Grid Engine print them. As
// seconds it would be three thousand years ahead.
const milliTimes = 100_000_000_000

var errTime = fmt.Errorf("a time: %w", errSyntax)

// ParseTime reads a time in any of the forms. An empty text and 0 are the zero time.
func (r *Reader) ParseTime(text string) (time.Time, error) {
	if len(text) < len("2006-01-02 15:04:05") {
		return ParseUnix(text)
	}
	return r.ParseLocal(text)
}

// ParseUnix reads a Unix time.
func ParseUnix(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case err != nil || n < 0:
		return time.Time{}, errTime
	case n == 0:
		return time.Time{}, nil
	}
	return UnixTime(n), nil
}

// UnixTime returns the moment for a Unix time in seconds, milliseconds or microseconds.
func UnixTime(n int64) time.Time {
	switch {
	case n >= MicroTimes:
		return time.UnixMicro(n).UTC()
	case n >= milliTimes:
		return time.UnixMilli(n).UTC()
	}
	return time.Unix(n, 0).UTC()
}

// ParseLocal reads a date and time of the cluster's local clock.
func (r *Reader) ParseLocal(text string) (time.Time, error) {
	if len(text) < 19 || text[13] != ':' || text[16] != ':' || text[10] != 'T' && text[10] != ' ' {
		return time.Time{}, errTime
	}
	var year, month, day int
	switch {
	case text[4] == '-' && text[7] == '-':
		year, month, day = Digits(text[:4]), Digits(text[5:7]), Digits(text[8:10])
	case text[2] == '/' && text[5] == '/':
		month, day, year = Digits(text[:2]), Digits(text[3:5]), Digits(text[6:10])
	default:
		return time.Time{}, errTime
	}
	hour, minute, second := Digits(text[11:13]), Digits(text[14:16]), Digits(text[17:19])
	after, utc := strings.CutSuffix(text[19:], "Z") // JSON of Open Cluster Scheduler
	offset := r.offset
	if utc {
		offset = 0
	}
	r.localTimes = r.localTimes || !utc
	nano, ok := fraction(after)
	// The year may be far ahead, for example in a job's deadline or a calendar.
	if !ok || year < 1 || month < 1 || month > 12 || day < 1 || day > 31 ||
		hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60 {
		return time.Time{}, errTime
	}
	return time.Date(year, time.Month(month), day, hour, minute, second, nano, time.UTC).Add(-offset), nil
}

// fraction reads the text after the seconds: nothing, or a dot and up to nine digits. It returns nanoseconds.
func fraction(text string) (nanoseconds int, ok bool) {
	if text == "" {
		return 0, true
	}
	if text[0] != '.' || len(text) < 2 || len(text) > 10 {
		return 0, false
	}
	n := Digits(text[1:])
	for range 10 - len(text) {
		n *= 10
	}
	return n, n >= 0
}

// Digits returns the number for a few digits. It is negative for any other text.
func Digits(text string) int {
	n := 0
	for i := 0; i < len(text); i++ {
		if text[i] < '0' || text[i] > '9' {
			return -1
		}
		n = n*10 + int(text[i]-'0')
	}
	return n
}

// InferZone finds the distance of local times from UTC, if MANIFEST does not have it. qstat prints local times,
// and qstat -j prints the same moments as Unix times. If nothing shows the distance, the snapshot says so.
func (r *Reader) InferZone(readJobs func(*Reader) error) error {
	if r.zoned {
		return nil
	}
	scratch := New(r.Bundle, source.Options{KeepGoing: true})
	err := readJobs(scratch) // the main reading will report errors in the files
	if offset, ok := scratch.hints.Best(); err == nil && ok {
		r.setOffset(offset)
	} else if scratch.localTimes || r.takenLocal {
		r.Snap.Location = source.UnknownZone
	}
	if r.takenLocal {
		r.Snap.TakenAt = r.Snap.TakenAt.Add(-r.offset)
	}
	return nil
}

// Hint notes a moment that one file prints as a local time and another file as a Unix time.
func (r *Reader) Hint(local, unix time.Time) { r.hints.Add(local.Add(r.offset), unix) }
