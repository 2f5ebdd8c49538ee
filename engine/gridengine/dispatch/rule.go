package dispatch

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A Rule says where and when jobs may start. A missing field sets no limit. The rules file of a site and the
// output of a program use the same keys.
type Rule struct {
	Jobs []string `json:"jobs,omitempty" yaml:"jobs"` // which jobs, see Choose; none for all

	Hosts     []string `json:"hosts,omitempty" yaml:"hosts"`         // only on these hosts
	NotHosts  []string `json:"not_hosts,omitempty" yaml:"not_hosts"` // on none of these hosts
	Queues    []string `json:"queues,omitempty" yaml:"queues"`       // only in these queues
	Exclusive bool     `json:"exclusive,omitempty" yaml:"exclusive"` // alone on its hosts
	Pack      bool     `json:"pack,omitempty" yaml:"pack"`           // prefer hosts that are in use
	Spread    bool     `json:"spread,omitempty" yaml:"spread"`       // prefer hosts that are idle

	// keep this number of hosts free of all other jobs, chosen from Hosts if set; the rule's jobs use them
	// first
	KeepFree int `json:"keep_free,omitempty" yaml:"keep_free"`
	AtMost   int `json:"at_most,omitempty" yaml:"at_most"` // most tasks of these jobs at once

	NotBefore time.Time `json:"not_before,omitzero" yaml:"not_before"`
	NotNow    string    `json:"not_now,omitempty" yaml:"not_now"` // hold the jobs; the text is the reason

	// A job that has waited longer comes first, and gets a reservation.
	LongestWait Span `json:"longest_wait,omitempty" yaml:"longest_wait"`
}

// A Span is a duration as people write it: 90m, 12h, 2d.
type Span time.Duration

// UnmarshalText reads a span.
func (s *Span) UnmarshalText(text []byte) error {
	if days, ok := strings.CutSuffix(string(text), "d"); ok {
		if n, err := strconv.ParseUint(days, 10, 16); err == nil {
			*s = Span(time.Duration(n) * 24 * time.Hour)
			return nil
		}
	}
	d, err := time.ParseDuration(string(text))
	if err != nil || d < 0 {
		return fmt.Errorf("%q is not a duration such as 90m, 12h or 2d", text)
	}
	*s = Span(d)
	return nil
}

// MarshalText writes a span.
func (s Span) MarshalText() ([]byte, error) { return []byte(time.Duration(s).String()), nil }

// wrong is what a rule says that nobody can follow.
func (r *Rule) wrong() error {
	switch {
	case r.Pack && r.Spread:
		return fmt.Errorf("pack and spread contradict each other")
	case r.KeepFree < 0, r.AtMost < 0:
		return fmt.Errorf("keep_free and at_most must not be negative")
	case len(r.Jobs) == 0 && r.KeepFree > 0:
		return fmt.Errorf("keep_free: name the jobs that the hosts are for")
	}
	return nil
}
