package svg

import (
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"qprism/engine/model"
)

func (d *drawing) printf(format string, args ...any) { fmt.Fprintf(&d.text, format, args...) }

// px prints a length in pixels, with no more digits than people can see.
func px(v float64) string { return strconv.FormatFloat(float64(int64(v*10+0.5))/10, 'f', -1, 64) }

// escape makes text of a cluster safe in an XML document. Characters that XML does not allow become the
// replacement character.
func escape(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a strings.Builder accepts everything
	return b.String()
}

// shorten removes the middle of a long text.
func shorten(text string, most int) string {
	r := []rune(text)
	if len(r) <= most {
		return text
	}
	return string(r[:most/2]) + "…" + string(r[len(r)-most/2+1:])
}

// amount prints an amount in few characters. Large amounts get a multiplier of memory: "8G".
func amount(v float64) string {
	for _, m := range []struct {
		unit float64
		name string
	}{{1 << 40, "T"}, {1 << 30, "G"}, {1 << 20, "M"}} {
		if v >= m.unit {
			return strconv.FormatFloat(float64(int64(v/m.unit*100+0.5))/100, 'f', -1, 64) + m.name
		}
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}

// moment prints a Unix second. It adds the day if it is not the day of the run.
func moment(at int64, now time.Time) string {
	t := time.Unix(at, 0).In(now.Location())
	if t.Format(time.DateOnly) == now.Format(time.DateOnly) {
		return t.Format(time.TimeOnly)
	}
	return t.Format(time.DateTime)
}

// length prints seconds. Long times are in days.
func length(seconds int64) string {
	if seconds >= 10*day {
		return fmt.Sprintf("%d days", seconds/day)
	}
	return (time.Duration(seconds) * time.Second).String()
}

// tooltip describes a block in words.
func (b *block) tooltip(r *row) string {
	until := "without end"
	if b.to != endless {
		until = fmt.Sprintf("until %s (%s)", moment(b.to, r.now), length(b.to-b.from))
	}
	what := amount(b.amount) + " of " + r.resource + " on " + r.object
	if b.job == 0 {
		return fmt.Sprintf("closed or otherwise booked: %s, from %s %s", what, moment(b.from, r.now), until)
	}
	return fmt.Sprintf("job %d.%d %s: %s, from %s %s", b.job, b.task, words(b.class), what, moment(b.from, r.now), until)
}

// mostLabel is the most characters of a label.
const mostLabel = 44

// label names a row. A queue instance has its own name, a consumable has its name and place.
func (r *row) label() string {
	switch {
	case r.level == "Q" && r.resource == slots:
		return shortenPlace(r.object, mostLabel)
	case r.level == "G" && r.object == model.GlobalHost:
		return shorten(r.resource, mostLabel)
	}
	resource := shorten(r.resource, mostLabel/2)
	return shortenPlace(r.object, mostLabel-1-utf8.RuneCountInString(resource)) + " " + resource
}

// shortenPlace shortens the name of a host or queue instance, "queue@host.domain". It first cuts the domain and
// then the queue, because the hosts distinguish the rows.
func shortenPlace(name string, most int) string {
	if utf8.RuneCountInString(name) <= most {
		return name
	}
	queue, host, instance := strings.Cut(name, "@")
	if !instance {
		queue, host = "", name
	}
	if short, _, cut := strings.Cut(host, "."); cut {
		host = short + "…"
	}
	if !instance {
		return shorten(host, most)
	}
	host = shorten("@"+host, most-4)
	return shorten(queue, most-utf8.RuneCountInString(host)) + host
}

// bounds returns the text after the label: the capacity. It is empty if the capacity is unknown.
func (r *row) bounds() string {
	switch {
	case r.total <= 0:
		return ""
	case r.cut():
		return " (" + amount(r.total) + ", cut)"
	}
	return " (" + amount(r.total) + ")"
}

func (r *row) capacity() string {
	if r.total > 0 {
		return `<tspan class="cap">` + r.bounds() + "</tspan>"
	}
	return ""
}

func (r *row) full() string {
	if r.total > 0 {
		return fmt.Sprintf("%s on %s: capacity %s", r.resource, r.object, amount(r.total))
	}
	return fmt.Sprintf("%s on %s", r.resource, r.object)
}
