package view

import (
	"maps"
	"slices"
)

// An Endpoint is a question below /api/v1, as it is documented.
type Endpoint struct {
	Name       string
	Command    string   // that answers with --format json; empty for the page's own
	Takes      any      // a value of the type that is sent to it by POST; nil for what is got
	Of         any      // a value of the type that is the page's own answer
	Picture    bool     // the answer is SVG
	Table      bool     // the answer is CSV
	About      string   // of the page's own, in words
	Jobs       []string // parameters that are needed, each a job
	Push       bool     // push says which, by its number
	Stored     bool     // it is about a cluster at any time
	Changes    bool     // set and shares say what is changed
	Since      bool     // since says when a period began
	NoCluster  bool     // it is about all clusters
	WithBefore bool     // it is about the moment before, too
}

// Endpoints are all questions, by name.
func Endpoints() []Endpoint {
	list := []Endpoint{
		{Name: "clusters", Of: []Cluster{}, About: "clusters with their moments, the oldest first", NoCluster: true},
		{Name: "acts", Of: actsReport{}, About: "what who asks may change of a cluster, and what was changed here lately", Stored: true},
		{Name: "acts/plan", Takes: Act{}, Of: ticket{}, About: "what an act would send, and a ticket to have it sent", NoCluster: true},
		{Name: "acts/do", Takes: sent{}, Of: begun{}, About: "what a ticket was given for is sent", NoCluster: true},
		{Name: "agreement", Of: agreement{}, About: "how many numbers of the last audit agree, in few bytes"},
		{Name: "queue", Of: queueList{}, About: "the queue in few bytes"},
		{Name: "settings", Of: settings{}, About: "the numbers of the policy that what-if can change"},
	}
	for _, name := range slices.Sorted(maps.Keys(questions)) {
		q := questions[name]
		list = append(list, Endpoint{Name: name, Command: q.command, Picture: q.format == "svg", Table: q.format == "csv",
			Jobs: q.jobs, Changes: q.changes, Since: q.since, Push: q.push, Stored: q.stored,
			WithBefore: q.before})
	}
	return list
}
