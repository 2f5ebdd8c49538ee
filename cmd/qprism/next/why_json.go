package next

import (
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/model"
)

// jsonWhy is an explanation in JSON.
type jsonWhy struct {
	Job      jobKey         `json:"job"`
	Name     string         `json:"name"`
	Owner    string         `json:"owner"`
	RunAt    *string        `json:"run_at"`
	Comment  string         `json:"comment,omitempty"` // of PBS: the job's own
	Quirks   string         `json:"quirks"`
	Running  int            `json:"running"` // tasks
	Starts   []jsonDecision `json:"starts"`
	Decision *jsonDecision  `json:"decision"` // about what does not start now
	Closed   []JSONReason   `json:"closed"`   // queue instances in which no job can start
	Hosts    []jsonHosts    `json:"hosts"`
	Holders  []jsonHolder   `json:"holders"`
	Ahead    *jsonAhead     `json:"ahead"`
}

type jsonHosts struct {
	Candidate bool     `json:"candidate"`
	Text      string   `json:"text"`
	Count     int      `json:"count"`
	Hosts     []string `json:"hosts"`
}

type jsonHolder struct {
	What   string      `json:"what"`
	Job    jobKey      `json:"job"`
	Task   uint32      `json:"task,omitempty"`
	State  string      `json:"state"`
	Owner  string      `json:"owner"`
	Amount show.Number `json:"amount"`
	Until  *string     `json:"until"` // null for no end
	Free   show.Number `json:"free_then"`
}

type jsonAhead struct {
	Jobs           int         `json:"jobs"`
	Tasks          int         `json:"tasks"`
	SlotHours      show.Number `json:"slot_hours"`
	Endless        int         `json:"tasks_without_limit"`
	Running        show.Number `json:"running_slot_hours"`
	RunningEndless int         `json:"running_tasks_without_limit"`
}

func (r *whyReport) json(s *subject.Subject, p *model.Plan) jsonWhy {
	j := jsonWhy{Job: jobKey{r.Job.Number, r.Job.ServerID()}, Name: r.Job.Name, Owner: r.Job.Owner, RunAt: show.Rfc3339(p.RunAt), Comment: r.comment, Quirks: s.Rules, Running: r.Running,
		Starts: []jsonDecision{}, Closed: ReasonsJSON(p.Closed, true), Hosts: []jsonHosts{}, Holders: []jsonHolder{}}
	for _, d := range r.Starts {
		j.Starts = append(j.Starts, decisionJSON(d, true))
	}
	if r.Decision != nil {
		d := decisionJSON(r.Decision, true)
		j.Decision = &d
	}
	for i := range r.Hosts {
		g := &r.Hosts[i]
		j.Hosts = append(j.Hosts, jsonHosts{g.TimeHelps(), r.because(g), len(g.Places), g.Places})
	}
	for _, h := range r.Holders {
		j.Holders = append(j.Holders, jsonHolder{placeText(h.Of), jobKey{h.Job, h.ID}, h.Task, lineStates[h.State], h.Owner, show.Number(h.Amount), show.Rfc3339(h.Until), show.Number(h.Free)})
	}
	if a := r.Ahead; a != nil {
		j.Ahead = &jsonAhead{a.Jobs, a.Tasks, show.Number(a.Hours), a.Endless, show.Number(a.Running), a.RunningEndless}
	}
	return j
}
