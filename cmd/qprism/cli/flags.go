package cli

import (
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"qprism/cmd/when"
)

// A span is a duration on the command line.
type span struct{ d *time.Duration }

// SpanVar adds a flag for a duration. Its default is the value of d.
func SpanVar(f *pflag.FlagSet, d *time.Duration, name, usage string) {
	f.Var(span{d}, name, usage)
}

func (s span) String() string {
	if s.d == nil { // as pflag asks, for the zero of the type
		return "0s"
	}
	return when.Short(*s.d)
}

func (s span) Set(text string) (err error) {
	*s.d, err = when.Span(text)
	return err
}

func (span) Type() string { return "duration" }

// ParseMoment reads a moment from a flag.
func ParseMoment(text string) (time.Time, error) { return when.Moment(text, time.Now()) }

// MomentOf reads the moment of a flag. It is zero if the flag is empty.
func MomentOf(flag, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	at, err := ParseMoment(text)
	return at, InFlag(flag, err)
}

// Period reads --since and --until. last is the last known moment; until is relative to last, and since is
// relative to until.
func Period(since, until string, last time.Time) (from, to time.Time, err error) {
	if to = last; until != "" {
		if to, err = when.Moment(until, last); err != nil {
			return from, to, InFlag("until", err)
		}
	}
	from, err = when.Moment(since, to)
	return from, to, InFlag("since", err)
}

// MomentForms describes moments in help texts. All are in UTC.
const MomentForms = `such as "2026-11-21 08:16" (UTC), 22:30, yesterday or 2d ago; RFC 3339; Unix seconds`

func InFlag(name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("--%s %w", name, err)
}
