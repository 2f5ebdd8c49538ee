package gridengine

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"qprism/exporter"
)

// A Ranked has the terms of priority that a job should have after a push.
type Ranked struct {
	P int
	exporter.Terms
}

// Weights of sched_conf(5).
type Weights struct{ Urgency, Ticket, Priority float64 }

// A Drift says what moved jobs between a push and the next run. The scheduler normalizes urgency and tickets
// over all jobs, so each job that comes, starts or ends can move others (sge_priority(5)).
type Drift struct {
	Urgency, Tickets, Priority int // how many jobs are displaced, by the term that changed most
	Unknown                    int // how many displaced jobs have unknown terms
	// Most is the largest change of the distance between two neighbors, in priority. Jobs further apart keep
	// their order.
	Most float64
}

// DriftOf compares the expected terms of jobs with the master's terms.
func DriftOf(r *exporter.Report, expected map[string]Ranked, w Weights) (d Drift) {
	for _, s := range r.Standing.Displaced {
		first, second, known := moved(r.Live, expected, s.First, s.Second)
		change := Ranked{P: second.P - first.P, Terms: exporter.Terms{Urgency: second.Urgency - first.Urgency,
			Tickets: second.Tickets - first.Tickets}}
		priority, urgency, tickets := w.Priority*float64(change.P)/2048, w.Urgency*change.Urgency, w.Ticket*change.Tickets
		switch most := max(priority, urgency, tickets); {
		case !known:
			d.Unknown++
		case most == priority:
			d.Priority++
		case most == tickets:
			d.Tickets++
		default:
			d.Urgency++
		}
	}
	d.Most = mostApart(r, expected, w)
	return d
}

// moved returns how far the terms of two jobs are from the expected terms.
func moved(live *exporter.Live, expected map[string]Ranked, first, second string) (a, b Ranked, known bool) {
	a, known = movedOf(live, expected, first)
	b, also := movedOf(live, expected, second)
	return a, b, known && also
}

func movedOf(live *exporter.Live, expected map[string]Ranked, job string) (by Ranked, known bool) {
	was, planned := expected[job]
	is := live.Jobs[job]
	p, err := strconv.Atoi(is.Values[Priority])
	if !planned || is.Terms == nil || err != nil {
		return by, false
	}
	return Ranked{P: p - was.P, Terms: exporter.Terms{Urgency: is.Terms.Urgency - was.Urgency,
		Tickets: is.Terms.Tickets - was.Tickets}}, true
}

// mostApart returns the most that a waiting job lost against the next one.
func mostApart(r *exporter.Report, expected map[string]Ranked, w Weights) (most float64) {
	waits := make(map[string]bool, len(r.Order))
	for _, job := range r.Order {
		waits[job] = true
	}
	before := ""
	for _, job := range r.Push.Wanted {
		if !waits[job] {
			continue
		}
		if first, second, known := moved(r.Live, expected, before, job); known {
			most = max(most, w.Urgency*(second.Urgency-first.Urgency)+w.Ticket*(second.Tickets-first.Tickets))
		}
		before = job
	}
	return most
}

func (d Drift) String() string {
	var parts []string
	for _, c := range []struct {
		n    int
		what string
	}{{d.Tickets, "tickets moved"}, {d.Urgency, "urgency moved"},
		{d.Priority, "-p does not have the value of the push"}, {d.Unknown, "of unknown causes"}} {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d because %s", c.n, c.what))
		}
	}
	text := strings.Join(parts, ", ")
	if d.Most > 0 && d.Urgency+d.Tickets > 0 {
		text += fmt.Sprintf("; the prio distance of two neighboring jobs changed by up to %.4f; --margin %.4f "+
			"would have been enough", d.Most,
			math.Ceil(d.Most*1e4+0.5)/1e4)
	}
	return text
}
