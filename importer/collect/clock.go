package collect

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// readClock reads the clock of the host where the commands run, and its distance from UTC. Listings have the
// local time of this host.
func (c *capture) readClock() {
	a := c.ask("date", "+%Y-%m-%dT%H:%M:%S.%N %z")
	at, offset, err := parseClock(a.out)
	if err != nil { // an old date command, without %N or %z
		at, offset = c.oldClock()
	}
	c.report.Captured, c.clockRead = at, c.Now()
	fmt.Fprintf(&c.head, "taken_at %d.%06d\nutc_offset %s\n", at.Unix(), at.Nanosecond()/1000, offset)
}

// listed notes the time of the host at which the list of jobs was complete. Orders check the age of the
// snapshot by it.
func (c *capture) listed() {
	at := c.report.Captured.Add(c.Now().Sub(c.clockRead))
	fmt.Fprintf(&c.head, "listed_at %d.%06d\n", at.Unix(), at.Nanosecond()/1000)
}

// parseClock reads the local time and the offset. The time has a fraction if date can print it.
func parseClock(text string) (at time.Time, offset string, err error) {
	local, offset, _ := strings.Cut(strings.TrimSpace(text), " ")
	whole, fraction, _ := strings.Cut(local, ".")
	if strings.Trim(fraction, "0123456789") == "" && fraction != "" {
		whole += "." + fraction
	}
	at, err = time.Parse("2006-01-02T15:04:05-0700", whole+offset)
	return at, offset, err
}

// oldClock asks for local time and UTC one after the other. The offset is their distance, to the minute.
func (c *capture) oldClock() (at time.Time, offset string) {
	const form = "2006-01-02T15:04:05"
	var times [2]time.Time
	for i, argv := range [][]string{{"date", "+%Y-%m-%dT%H:%M:%S"}, {"date", "-u", "+%Y-%m-%dT%H:%M:%S"}} {
		a := c.ask(argv...)
		var err error
		if times[i], err = time.Parse(form, strings.TrimSpace(a.out)); err != nil {
			c.fail(fmt.Errorf("read the host's clock: %w", errors.Join(err, errors.New(oneLine(a.complaints)))))
		}
	}
	minutes := int(times[0].Sub(times[1]).Round(time.Minute) / time.Minute)
	sign := '+'
	if minutes < 0 {
		sign, minutes = '-', -minutes
	}
	return times[1], fmt.Sprintf("%c%02d%02d", sign, minutes/60, minutes%60)
}
