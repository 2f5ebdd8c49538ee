package trial

import (
	"math"
	"slices"
	"time"

	"qprism/cmd/qprism/show"
	"qprism/engine/replay"
)

// jsonPeriod is a period of stored snapshots.
type jsonPeriod struct {
	Cluster   string    `json:"cluster"`
	From      time.Time `json:"from"` // the first snapshot
	To        time.Time `json:"to"`
	Snapshots int       `json:"snapshots"`
}

// jsonReplay is a period as it was, and as it is played again.
type jsonReplay struct {
	jsonPeriod
	Changes  []string   `json:"changes"`
	Recorded jsonPlayed `json:"recorded"` // without causes of waiting
	Today    jsonPlayed `json:"today"`    // by the policy of the first snapshot
	Then     jsonPlayed `json:"then"`     // by the other one
}

// jsonPlayed is what came of a period.
type jsonPlayed struct {
	Groups []jsonPlayedGroup `json:"groups"`
	Waited []jsonWaited      `json:"waited"` // the longest first
	// distance of the usage of projects, else users, from their targets: 0 to 1; null if not known
	Off *float64 `json:"off"`
}

// jsonPlayedGroup is a group of tasks.
type jsonPlayedGroup struct {
	Kind    string   `json:"kind"` // project, department or user; empty for all tasks
	Name    string   `json:"name"`
	Tasks   int      `json:"tasks"` // tasks that waited at some time in the period
	Started int      `json:"started"`
	Median  float64  `json:"median_wait"` // seconds from submission to start, or to the end of the period
	Got     *float64 `json:"got"`         // the part of all slots and time that it used
	Target  *float64 `json:"target"`      // its target, a part of all usage
}

// jsonWaited is how long tasks waited for a cause, all together.
type jsonWaited struct {
	Cause   string  `json:"cause"`
	Seconds float64 `json:"seconds"`
}

func playedJSON(o *replay.Outcome) jsonPlayed {
	p := jsonPlayed{Groups: []jsonPlayedGroup{}, Waited: []jsonWaited{}, Off: known(o.Off())}
	for _, g := range o.Groups {
		p.Groups = append(p.Groups, jsonPlayedGroup{g.Kind, g.Name, g.Tasks, g.Started, g.Median.Seconds(),
			known(g.Got), known(g.Target)})
	}
	for _, w := range o.Waited {
		p.Waited = append(p.Waited, jsonWaited{string(w.Cause), w.For.Seconds()})
	}
	return p
}

// known returns a pointer to a number. It is nil for NaN.
func known(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}

// group returns the group with a kind and name. It is empty if there is none.
func (p *jsonPlayed) group(kind, name string) (g jsonPlayedGroup) {
	i := slices.IndexFunc(p.Groups, func(g jsonPlayedGroup) bool { return g.Kind == kind && g.Name == name })
	if i >= 0 {
		g = p.Groups[i]
	}
	return g
}

// waited returns how long jobs waited for a cause. An empty cause means all causes.
func (p *jsonPlayed) waited(cause string) (seconds float64) {
	for _, w := range p.Waited {
		if cause == "" || w.Cause == cause {
			seconds += w.Seconds
		}
	}
	return seconds
}

func (p *period) head() jsonPeriod {
	return jsonPeriod{p.cluster, p.infos[0].TakenAt, p.infos[len(p.infos)-1].TakenAt, len(p.infos)}
}

func (p *jsonPeriod) say(out show.Output) {
	out.Say("%s: %s, %s to %s", show.Printable(p.Cluster), show.Plural(p.Snapshots, "stored snapshot"),
		out.Moment(p.From), out.Zoned(p.To))
}
