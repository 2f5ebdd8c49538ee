package next

import (
	"time"

	"qprism/cmd/qprism/subject"
	"qprism/cmd/qprism/words"
	"qprism/engine/delay"
	"qprism/engine/model"
)

// jsonWhy is an explanation in JSON.
type jsonWhy struct {
	Job     jobKey    `json:"job"`
	Name    string    `json:"name"`
	Owner   string    `json:"owner"`
	RunAt   time.Time `json:"run_at"`
	Comment string    `json:"comment,omitempty"` // of PBS: the job's own
	Quirks  string    `json:"quirks"`
	words.JSONChance
	Assumed  []string       `json:"assumed,omitempty"` // of PBS: what the snapshot does not say and is taken for granted
	Running  int            `json:"running"`           // tasks
	Starts   []jsonDecision `json:"starts"`
	Decision *jsonDecision  `json:"decision"` // about tasks that do not start now
	Closed   []JSONReason   `json:"closed"`   // queue instances in which no job can start
	Hosts    []jsonHosts    `json:"hosts"`
	Holders  []jsonHolder   `json:"holders"`
	Ahead    *delay.Work    `json:"ahead"`
	Place    *standing      `json:"place"`              // null for what does not wait in turn
	Likely   *outlook       `json:"likely_start"`       // null for what can never run, runs or starts now
	Helps    string         `json:"helps,omitempty"`    // what lets it start sooner
	Suspends []string       `json:"suspends,omitempty"` // of Grid Engine: whom its start suspends right away
}

type jsonHosts struct {
	Candidate bool     `json:"candidate"`
	Text      string   `json:"text"`
	Count     int      `json:"count"`
	Hosts     []string `json:"hosts"`
}

type jsonHolder struct {
	What   string    `json:"what"`
	Job    jobKey    `json:"job"`
	Task   uint32    `json:"task,omitempty"`
	State  string    `json:"state"`
	Owner  string    `json:"owner"`
	Amount float64   `json:"amount"`
	Until  time.Time `json:"until"` // null for no end
	Free   float64   `json:"free_then"`
}

func (r *whyReport) json(s *subject.Subject, p *model.Plan) jsonWhy {
	j := jsonWhy{Job: jobKey{r.Job.Number, r.Job.ServerID()}, Name: r.Job.Name, Owner: r.Job.Owner,
		RunAt: p.RunAt, Comment: r.comment,
		Quirks: s.Rules, JSONChance: words.NeverJSON(r.chance), Assumed: s.Assumptions(), Running: r.Running,
		Closed: ReasonsJSON(p.Closed, true), Ahead: r.Ahead, Place: r.place, Likely: r.start,
		Helps: r.advice, Suspends: r.suspends}
	for _, d := range r.Starts {
		j.Starts = append(j.Starts, decisionJSON(d, everyPlace))
	}
	if r.Decision != nil {
		j.Decision = new(decisionJSON(r.Decision, everyPlace))
	}
	for i := range r.Hosts {
		g := &r.Hosts[i]
		j.Hosts = append(j.Hosts, jsonHosts{g.TimeHelps(), r.because(g), len(g.Places), g.Places})
	}
	for _, h := range r.Holders {
		j.Holders = append(j.Holders, jsonHolder{placeText(h.Of), jobKey{h.Job, h.ID}, h.Task,
			lineStates[h.State], h.Owner, h.Amount, h.Until, h.Free})
	}
	return j
}
