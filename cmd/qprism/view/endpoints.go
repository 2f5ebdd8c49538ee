package view

import (
	"context"
	"errors"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"time"

	"qprism/engine/consumable"
)

// An Endpoint is a question below /api/v1. It has a command and its parameters.
type Endpoint struct {
	Name       string
	Command    string   // the command that answers; empty if the page itself answers
	Picture    bool     // the answer is SVG
	Table      bool     // the answer is CSV, not JSON
	Jobs       []string // required parameters; each is a job
	Push       bool     // the parameter push is the number of a push
	Stored     bool     // the answer is about a cluster, not about one moment
	Month      bool     // the answer uses the 30 days before the moment, from the store
	Changes    bool     // the parameters set and shares name changes
	Since      bool     // the parameter since is the start of a period
	NoCluster  bool     // the answer is about all clusters
	WithBefore bool     // the answer also uses the moment before

	About string // description, if the page itself answers
	Takes any    // a value of the type that a POST sends; nil for GET
	Of    any    // a value of the type of the answer

	own func(*Site, context.Context, *Answers, *Cluster, *Moment) (*packed, error)
}

// questions are those about a cluster that are asked by GET, by name.
var questions = withForms(
	Endpoint{Name: "audit", Command: "audit", Table: true},
	Endpoint{Name: "priorities", Command: "priorities", Table: true},
	Endpoint{Name: "shares", Command: "shares", Table: true},
	Endpoint{Name: "used", Command: "shares", Since: true, Table: true, Picture: true},
	Endpoint{Name: "lint", Command: "lint", Table: true},
	Endpoint{Name: "plan", Command: "plan", Table: true, Picture: true},
	Endpoint{Name: "forecast", Command: "forecast", Table: true, Picture: true},
	Endpoint{Name: "why", Command: "why", Jobs: []string{"job"}, Table: true},
	Endpoint{Name: "explain", Command: "explain", Jobs: []string{"job"}, Table: true},
	Endpoint{Name: "compare", Command: "compare", Jobs: []string{"a", "b"}, Table: true},
	Endpoint{Name: "diff", Command: "diff", WithBefore: true, Table: true},
	Endpoint{Name: "changes", Command: "changes", Stored: true, Table: true},
	Endpoint{Name: "change", Command: "changes", Stored: true, Push: true},
	Endpoint{Name: "timeline", Command: "timeline", Stored: true, Month: true, Table: true, Picture: true},
	Endpoint{Name: "history", Command: "history", Jobs: []string{"job"}, Stored: true, Table: true, Picture: true},
	Endpoint{Name: "what-if", Command: "what-if", Changes: true, Table: true},
	Endpoint{Name: "agreement", Of: agreement{}, own: (*Site).agreement,
		About: "how many numbers of the last audit agree, in few bytes"},
	Endpoint{Name: "load", Of: load{}, own: (*Site).load,
		About: "slots, what waits by cause, and the work that waits, in few bytes"},
	Endpoint{Name: "busy", Of: busyHosts{}, own: (*Site).busy,
		About: "how full each host was in the 30 days before, by the store"},
	Endpoint{Name: "booked", Of: bookings{}, own: bookedAs("booked"),
		About: "what the next run books on each queue instance or vnode, in few bytes"},
	Endpoint{Name: "likely", Of: bookings{}, own: bookedAs("likely"),
		About: "what runs and is likely to start on each queue instance or vnode, in few bytes"},
	Endpoint{Name: "consumables", Of: []consumable.Use{}, own: (*Site).consumables,
		About: "who holds and who asks for licenses and other consumables"},
	Endpoint{Name: "summary", Of: summary{}, own: listedAs("summary"),
		About: "the next jobs of the queue, and how long jobs have waited"},
	Endpoint{Name: "queue", Of: queueList{}, own: listedAs("queue"), About: "the queue in few bytes"},
	Endpoint{Name: "settings", Of: settings{}, own: (*Site).settings,
		About: "the numbers of the policy that what-if can change"},
)

// withForms are questions as JSON, and those that are also a table or a picture as that, too.
func withForms(list ...Endpoint) map[string]Endpoint {
	all := map[string]Endpoint{}
	for _, e := range list {
		table, picture := e, e
		table.Name, table.Picture = e.Name+".csv", false
		picture.Name, picture.Table = e.Name+".svg", false
		for _, form := range []Endpoint{table, picture} {
			if form.Table || form.Picture {
				all[form.Name] = form
			}
		}
		e.Table, e.Picture = false, false
		all[e.Name] = e
	}
	return all
}

// Endpoints lists all questions.
func Endpoints() []Endpoint {
	list := []Endpoint{
		{Name: "clusters", Of: []Cluster{}, About: "clusters with their moments, the oldest first", NoCluster: true},
		{Name: "acts", Of: actsReport{}, About: "what the user may change in a cluster, and recent " +
			"changes from the page", Stored: true},
		{Name: "acts/plan", Takes: Act{}, Of: ticket{},
			About: "what an act would send, and a ticket to send it", NoCluster: true},
		{Name: "acts/do", Takes: sent{}, Of: begun{}, About: "sends the act of a ticket", NoCluster: true},
	}
	for _, name := range slices.Sorted(maps.Keys(questions)) {
		list = append(list, questions[name])
	}
	return list
}

// format returns the format of the command's answer.
func (e *Endpoint) format() string {
	switch {
	case e.Table:
		return "csv"
	case e.Picture:
		return "svg"
	}
	return "json"
}

// month are the flags for the 30 days before a moment.
func (e *Endpoint) month(m *Moment) []string {
	if !e.Month || m.TakenAt.IsZero() {
		return nil
	}
	from, to := m.TakenAt.AddDate(0, 0, -30), m.TakenAt.Add(time.Second) // the flags have whole seconds
	return []string{"--since", from.Format(time.RFC3339), "--until", to.Format(time.RFC3339)}
}

// Forms of parameters. None can begin with a dash, so none is ever a flag.
var (
	// 4711, 4711.3, 12[3].server
	jobID      = regexp.MustCompile(`^[0-9]{1,10}(\[[0-9]{0,10}\])?(\.[A-Za-z0-9._-]{1,200})?$`)
	period     = regexp.MustCompile(`^[0-9]{1,4}[hdw]$`)
	pushNumber = regexp.MustCompile(`^[0-9]{1,10}$`)
)

// arguments are those that a request gives the command.
func (e *Endpoint) arguments(query url.Values) ([]string, error) {
	args := []string{e.Command}
	for _, parameter := range e.Jobs {
		id := query.Get(parameter)
		if !jobID.MatchString(id) {
			return nil, errors.New("give a job as " + parameter + "=4711")
		}
		args = append(args, id)
	}
	push, since := query.Get("push"), query.Get("since")
	switch {
	case e.Push && !pushNumber.MatchString(push):
		return nil, errors.New("give a push as push=7")
	case e.Push:
		return append(args, push), nil
	case e.Since && !period.MatchString(since):
		return nil, errors.New("give a period as since=7d")
	case e.Since:
		return append(args, "--since", since), nil
	case !e.Changes:
		return args, nil
	}
	changed, err := changes(query)
	return slices.Concat(args, []string{"--no-forecast"}, changed), err
}
